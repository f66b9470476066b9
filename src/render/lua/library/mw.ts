/** `mw` itself, and data shared between modules. Part of the base chunk: see `base.ts`. */
export const MW = String.raw`-- Data of modules, shared by all calls of a page

local newEnvironment
-- Tables of data by their names, and for each of them the set of all tables in it.
local data, tablesOf = {}, {}

local function checkData(value, seen)
  local kind = type(value)
  if kind == 'table' then
    if seen[value] then return end
    seen[value] = true
    if getmetatable(value) ~= nil then error('data for mw.loadData contains a table with a metatable', 0) end
    for key, item in next, value do
      if type(key) == 'table' then error('data for mw.loadData contains a table as a key', 0) end
      checkData(key, seen)
      checkData(item, seen)
    end
  elseif kind == 'function' or kind == 'userdata' or kind == 'thread' then
    error("data for mw.loadData contains unsupported data type '" .. kind .. "'", 0)
  end
end

local function readOnlyError() error('table from mw.loadData is read-only', 2) end

-- A wrapper for a table of data. Each call has its own wrappers, by their tables in 'seen', since modules can change
-- metatables. 'tables' has all tables of the data: a look there is faster than 'type'.
local function readOnly(source, seen, tables)
  local known = seen[source]
  if known then return known end
  local wrapper = {}
  seen[source] = wrapper
  return setmetatable(wrapper, {
    mw_loadData = true,
    __index = function (_, key)
      local value = source[key]
      if tables[value] then return seen[value] or readOnly(value, seen, tables) end
      return value
    end,
    __newindex = readOnlyError,
    __pairs = function ()
      return function (_, key)
        local nextKey, value = next(source, key)
        if tables[value] then value = readOnly(value, seen, tables) end
        return nextKey, value
      end, wrapper, nil
    end,
    __ipairs = function ()
      return function (_, index)
        index = index + 1
        local value = source[index]
        if tables[value] then value = readOnly(value, seen, tables) end
        if value ~= nil then return index, value end
      end, wrapper, 0
    end,
  })
end

local function loadData(name)
  if type(name) ~= 'string' and type(name) ~= 'number' then
    error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ')')
  end
  local known = data[name]
  if known == nil then
    local env = newEnvironment(host.dataFrame())
    known = env.require(name)
    if type(known) ~= 'table' then error(name .. ' returned ' .. type(known) .. ', table expected', 2) end
    local tables = {}
    checkData(known, tables)
    data[name], tablesOf[known] = known, tables
  end
  return readOnly(known, {}, tablesOf[known])
end

local jsonData = {}

local function loadJsonData(name)
  if type(name) ~= 'string' then
    error("bad argument #1 to 'mw.loadJsonData' (string expected, got " .. type(name) .. ')', 2)
  end
  local known = jsonData[name]
  if known == nil then
    known = host.jsonPage(name)
    if type(known) ~= 'table' then
      error("bad argument #1 to 'mw.loadJsonData' ('" .. name .. "' is not a valid JSON page)", 0)
    end
    local tables = {}
    checkData(known, tables)
    jsonData[name], tablesOf[known] = known, tables
  end
  return readOnly(known, {}, tablesOf[known])
end

-- mw itself

local function clone(value, seen)
  if type(value) ~= 'table' then return value end
  if seen[value] then return seen[value] end
  local meta = getmetatable(value)
  if type(meta) == 'table' and rawget(meta, 'mw_loadData') then error('table from mw.loadData is read-only', 3) end
  local copy = {}
  seen[value] = copy
  for key, item in pairs(value) do rawset(copy, clone(key, seen), clone(item, seen)) end
  if meta ~= nil and type(meta) == 'table' then setmetatable(copy, meta.__pairs and meta or clone(meta, seen)) end
  return copy
end

local function allToString(...)
  local texts = {}
  for index = 1, select('#', ...) do texts[index] = tostring((select(index, ...))) end
  return concat(texts, '\t')
end

local typeOrder = {number = 1, boolean = 2, string = 3}

local function isBefore(left, right)
  local leftType, rightType = type(left), type(right)
  if leftType ~= rightType then
    local leftOrder, rightOrder = typeOrder[leftType] or 4, typeOrder[rightType] or 4
    if leftOrder ~= rightOrder then return leftOrder < rightOrder end
    return leftType < rightType
  end
  if leftType == 'number' or leftType == 'string' then return left < right end
  if leftType == 'boolean' then return left and not right end
  return false
end

local function dumpObject(object)
  local numbers, count, done = {}, 0, {}
  local function numberOf(value)
    if not numbers[value] then
      count = count + 1
      numbers[value] = count
    end
    return 'table#' .. numbers[value]
  end
  local function dumped(value, indent, expands)
    local kind = type(value)
    if kind == 'string' then return format('%q', value) end
    if kind ~= 'table' then return tostring(value) end
    local meta = getmetatable(value)
    if type(meta) == 'table' and rawget(meta, '__tostring') then return tostring(value) end
    local name = numberOf(value)
    if done[value] or not expands then return name end
    done[value] = true
    local inner = indent .. '    '
    local lines = {name .. ' {'}
    if meta ~= nil then lines[2] = inner .. 'metatable = ' .. dumped(meta, inner, false) end
    local listed = {}
    for index, item in ipairs(value) do
      listed[index] = true
      lines[#lines + 1] = inner .. dumped(item, inner, true) .. ','
    end
    local keys = {}
    for key in pairs(value) do
      if not listed[key] then keys[#keys + 1] = key end
    end
    sort(keys, isBefore)
    for _, key in rawipairs(keys) do
      lines[#lines + 1] = inner .. '[' .. dumped(key, inner, false) .. '] = ' .. dumped(value[key], inner, true) .. ','
    end
    lines[#lines + 1] = indent .. '}'
    return concat(lines, '\n')
  end
  return dumped(object, '', true)
end

local function logObject(object, prefix)
  local text = dumpObject(object)
  if prefix ~= nil then text = tostring(prefix) .. ' = ' .. text end
  host.log(text)
end

local function mwFunctions(frame)
  return {
    addWarning = function (text) host.addWarning(tostring(text)) end,
    allToString = allToString,
    clone = function (value) return clone(value, {}) end,
    dumpObject = dumpObject,
    getCurrentFrame = function () return frame end,
    incrementExpensiveFunctionCount = function () host.countExpensive() end,
    isSubsting = function () return host.isSubsting() end,
    loadData = loadData,
    loadJsonData = loadJsonData,
    log = function (...) host.log(allToString(...)) end,
    logObject = logObject,
  }
end

`
