/**
 * What every call of a module begins with: its environment, frames, `require`, `mw.loadData` and the rest of `mw` itself.
 * The chunk is given the functions of the host and gives back the function that does one call.
 *
 * Functions may be shared by all calls of a page, since nobody can change them. Tables that modules can reach never are: each call
 * gets its own.
 */
const GLOBALS = `
  _VERSION assert error getmetatable ipairs next pairs pcall rawequal rawget rawset select setmetatable tonumber tostring
  type unpack xpcall`
const STRINGS = 'byte char find format gfind gmatch gsub len lower match rep reverse sub ulower upper uupper'
const MATHS = `
  abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min mod modf pi pow rad random
  randomseed sin sinh sqrt tan tanh`
const TABLES = 'concat foreach foreachi getn insert maxn remove setn sort'

/** A table with these fields of another one, made at its full size: one that grows takes three times as long. */
function copyOf(table: string, names: string): string {
  const fields = names.trim().split(/\s+/)
  return `{${fields.map((name) => `${name} = ${table}.${name}`).join(', ')}}`
}

export const BASE = String.raw`
local host = ...
local error, getmetatable, next, pcall, rawequal = error, getmetatable, next, pcall, rawequal
local rawget, rawset, select, setfenv, setmetatable, type = rawget, rawset, select, setfenv, setmetatable, type
local rawtostring, unpack, concat, sort, format = tostring, unpack, table.concat, table.sort, string.format
local find = string.find
local rawipairs, rawmetatable = ipairs, debug.getmetatable

local tools = {}

-- Base functions that differ from plain Lua

local function tostring(...)
  if select('#', ...) == 0 then error("bad argument #1 to 'tostring' (value expected)", 2) end
  local value = ...
  local kind = type(value)
  if kind == 'table' then
    local meta = getmetatable(value)
    if type(meta) ~= 'table' or rawget(meta, '__tostring') == nil then return 'table' end
    return (rawtostring(value))
  end
  if kind == 'function' then return 'function' end
  return rawtostring(value)
end

local function argumentType(...)
  return select('#', ...) == 0 and 'no value' or type((...))
end

local function metamethod(value, name)
  local meta = type(value) == 'table' and rawmetatable(value)
  return meta and rawget(meta, name)
end

local function pairs(...)
  local value = ...
  local method = metamethod(value, '__pairs')
  if method then return method(value) end
  if type(value) ~= 'table' then
    error("bad argument #1 to 'pairs' (table expected, got " .. argumentType(...) .. ')', 2)
  end
  return next, value, nil
end

local function nextItem(list, index)
  index = index + 1
  local value = rawget(list, index)
  if value ~= nil then return index, value end
end

local function ipairs(...)
  local value = ...
  local method = metamethod(value, '__ipairs')
  if method then return method(value) end
  if type(value) ~= 'table' then
    error("bad argument #1 to 'ipairs' (table expected, got " .. argumentType(...) .. ')', 2)
  end
  return nextItem, value, 0
end

-- An error that the time has raised comes while Lua counts no instructions: no handler may run then.
local TIME_OVER = host.timeOver()
local rawxpcall = xpcall

local function xpcall(...)
  local run, handler = ...
  if select('#', ...) < 2 then error("bad argument #2 to 'xpcall' (value expected)", 2) end
  return rawxpcall(run, function (message)
    if message == TIME_OVER then return message end
    return handler(message)
  end)
end

-- Tables whose metatables nobody shall see, such as mw before all its libraries are made.
local hidden = setmetatable({}, {__mode = 'k'})

local function safeGetmetatable(...)
  if select('#', ...) == 0 then error("bad argument #1 to 'getmetatable' (value expected)", 2) end
  local value = ...
  if type(value) == 'string' or hidden[value] then return nil end
  return getmetatable(value)
end

local function seeall(module)
  error("package.seeall is not available", 2)
end

local function copied(from)
  local copy = {}
  for key, value in next, from do copy[key] = value end
  return copy
end

local strings = copied(string)
strings.dump = nil
strings.format = host.format
strings.gfind = string.gmatch
strings.ulower = host.lower
strings.uupper = host.upper
rawmetatable('').__index = strings
local maths = copied(math)
maths.random = host.random
maths.randomseed = host.randomseed
local tables = copied(table)
tools.strings = strings

local globals = {
  _VERSION = _VERSION, assert = assert, error = error, getmetatable = safeGetmetatable, setmetatable = setmetatable,
  ipairs = ipairs, pairs = pairs, next = next, pcall = pcall, xpcall = xpcall, rawequal = rawequal, rawget = rawget,
  rawset = rawset, select = select, tonumber = tonumber, tostring = tostring, type = type, unpack = unpack,
}
local os = {clock = host.clock, date = host.date, difftime = os.difftime, time = host.time}
local traceback = debug.traceback

tools.tostring = tostring
tools.pairs = pairs
tools.ipairs = ipairs
tools.copied = copied
tools.hidden = hidden

-- Checks of arguments

local function checkType(name, index, value, expected, nilOk)
  if value == nil and nilOk then return end
  if type(value) ~= expected then
    error(format("bad argument #%d to '%s' (%s expected, got %s)", index, name, expected, type(value)), 3)
  end
end
tools.checkType = checkType

-- Namespaces by their numbers, for libraries; modules get copies.
local namespaceFacts

function tools.namespaces()
  if not namespaceFacts then
    namespaceFacts = {}
    for _, facts in rawipairs(host.namespaces()) do namespaceFacts[facts.id] = facts end
  end
  return namespaceFacts
end

-- Pages of modules

local chunks = {}
local canonicalNames = {}

-- The main function of a module; it is taken away while it runs, since its environment is that of one call.
local function takeChunk(name)
  local chunk = chunks[name]
  if chunk then
    chunks[name] = nil
    return chunk
  end
  local found, message = host.compile(name)
  if found or message == nil then return found end
  error(message, 0)
end

local function canonicalName(name)
  local known = canonicalNames[name]
  if known == nil then
    known = host.moduleName(name) or false
    canonicalNames[name] = known
  end
  return known
end

-- Frames

local frameIds = setmetatable({}, {__mode = 'k'})
local parentIds = setmetatable({}, {__mode = 'k'})
local methods = {}

local function idOf(frame, method)
  local id = frameIds[frame]
  if id then return id end
  error('frame:' .. method .. ': invalid frame object. Did you call ' .. method ..
    ' with a dot instead of a colon, i.e. frame.' .. method .. '() instead of frame:' .. method .. '()?', 3)
end

local function isInteger(text)
  return #text < 16 and (text == '0' or find(text, '^%-?[1-9][0-9]*$') ~= nil)
end

local function argumentsOf(id)
  local known, all = {}, nil
  local function get(_, key)
    local kind = type(key)
    if kind == 'number' then key = rawtostring(key) elseif kind ~= 'string' then return nil end
    local value = known[key]
    if value == nil then
      value = host.argument(id, key) or false
      known[key] = value
    end
    return value or nil
  end
  return setmetatable({}, {
    __index = get,
    __pairs = function ()
      if not all then
        all = {}
        for _, name in rawipairs(host.argumentNames(id)) do
          all[isInteger(name) and tonumber(name) or name] = get(nil, name)
        end
      end
      return next, all, nil
    end,
    __ipairs = function (arguments)
      return function (_, index)
        index = index + 1
        local value = arguments[index]
        if value ~= nil then return index, value end
      end, arguments, 0
    end,
  })
end

local function newFrame(id, parentId)
  local frame = {
    args = argumentsOf(id),
    argumentPairs = methods.argumentPairs, callParserFunction = methods.callParserFunction,
    expandTemplate = methods.expandTemplate, extensionTag = methods.extensionTag, getArgument = methods.getArgument,
    getParent = methods.getParent, getTitle = methods.getTitle, newChild = methods.newChild,
    newParserValue = methods.newParserValue, newTemplateParserValue = methods.newTemplateParserValue,
    preprocess = methods.preprocess,
  }
  frameIds[frame] = id
  parentIds[frame] = parentId
  return frame
end

function methods.getParent(frame)
  idOf(frame, 'getParent')
  local parentId = parentIds[frame]
  return parentId and newFrame(parentId) or nil
end

function methods.getTitle(frame)
  return host.frameTitle(idOf(frame, 'getTitle'))
end

function methods.argumentPairs(frame)
  idOf(frame, 'argumentPairs')
  return pairs(frame.args)
end

function methods.preprocess(frame, text)
  local id = idOf(frame, 'preprocess')
  if type(text) == 'table' then text = text.text end
  return host.preprocess(id, tostring(text))
end

-- Names and values one after the other; true is 1, as in PHP.
local function flattened(name, args)
  local list, count = {}, 0
  for key, value in pairs(args) do
    local kind = type(value)
    if kind == 'boolean' then value = value and '1' or ''
    elseif kind ~= 'string' and kind ~= 'number' then
      error('frame:' .. name .. ": invalid type " .. kind .. " for arg '" .. tostring(key) .. "'", 3)
    end
    list[count + 1], list[count + 2] = tostring(key), value
    count = count + 2
  end
  return list
end

function methods.expandTemplate(frame, options)
  local id = idOf(frame, 'expandTemplate')
  if type(options) ~= 'table' then error('frame:expandTemplate: the first parameter must be a table') end
  local title = options.title
  if title == nil then error('frame:expandTemplate: a title is required') end
  if type(title) == 'table' then title = title.prefixedText and ':' .. title.prefixedText end
  local args = options.args
  if args == nil then return host.expandTemplate(id, title) end
  if type(args) ~= 'table' then error('frame:expandTemplate: args must be a table') end
  return host.expandTemplate(id, title, unpack(flattened('expandTemplate', args)))
end

function methods.callParserFunction(frame, name, args, ...)
  local id = idOf(frame, 'callParserFunction')
  if type(name) == 'table' then
    name, args = name.name, name.args
    if type(args) ~= 'table' then args = {args} end
  elseif type(args) ~= 'table' then
    args = {args, ...}
  end
  if name == nil then error('frame:callParserFunction: a function name is required', 2) end
  if type(name) ~= 'string' and type(name) ~= 'number' then
    error('frame:callParserFunction: function name must be a string or number', 2)
  end
  return host.callParserFunction(id, name, unpack(flattened('callParserFunction', args)))
end

function methods.extensionTag(frame, name, content, attributes)
  local id = idOf(frame, 'extensionTag')
  if type(name) == 'table' then name, content, attributes = name.name, name.content, name.args end
  if name == nil then error('frame:extensionTag: a function name is required', 2) end
  if type(attributes) ~= 'table' then attributes = {} end
  if content ~= nil then content = tostring(content) end
  return host.extensionTag(id, tostring(name), content, unpack(flattened('extensionTag', attributes)))
end

function methods.newChild(frame, options)
  local id = idOf(frame, 'newChild')
  if type(options) ~= 'table' then error('frame:newChild: the first parameter must be a table', 2) end
  local title, args = options.title, options.args
  if type(title) == 'table' then title = title.prefixedText end
  if args ~= nil and type(args) ~= 'table' then error('frame:newChild: args must be a table', 2) end
  return newFrame(host.newChild(id, title and tostring(title), unpack(flattened('newChild', args or {}))), id)
end

function methods.getArgument(frame, name)
  idOf(frame, 'getArgument')
  if type(name) == 'table' then name = name.name end
  return {expand = function () return frame.args[name] end}
end

local function expandedOnce(expand)
  local value
  return {expand = function ()
    if value == nil then value = expand() end
    return value
  end}
end

function methods.newParserValue(frame, text)
  idOf(frame, 'newParserValue')
  if type(text) == 'table' then text = text.text end
  return expandedOnce(function () return frame:preprocess(text) end)
end

function methods.newTemplateParserValue(frame, options)
  idOf(frame, 'newTemplateParserValue')
  if type(options) ~= 'table' then error('frame:newTemplateParserValue: the first parameter must be a table', 2) end
  if options.title == nil then error('frame:newTemplateParserValue: a title is required', 2) end
  return expandedOnce(function () return frame:expandTemplate(options) end)
end

-- Data of modules, shared by all calls of a page

local newEnvironment
local data = {}

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

local function readOnly(source, seen)
  local known = seen[source]
  if known then return known end
  local wrapper = {}
  seen[source] = wrapper
  local function get(_, key)
    local value = source[key]
    if type(value) == 'table' then return readOnly(value, seen) end
    return value
  end
  return setmetatable(wrapper, {
    mw_loadData = true,
    __index = get,
    __newindex = function () error('table from mw.loadData is read-only', 2) end,
    __pairs = function ()
      return function (_, key)
        local nextKey, value = next(source, key)
        if type(value) == 'table' then value = readOnly(value, seen) end
        return nextKey, value
      end, wrapper, nil
    end,
    __ipairs = function ()
      return function (_, index)
        local value = get(nil, index + 1)
        if value ~= nil then return index + 1, value end
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
    checkData(known, {})
    data[name] = known
  end
  return readOnly(known, {})
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
    jsonData[name] = known
  end
  return readOnly(known, {})
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

local function nothing() end

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
    log = nothing,
    logObject = nothing,
  }
end

-- Libraries

local LIBRARIES = {
  'ext', 'hash', 'html', 'language', 'message', 'site', 'text', 'title', 'uri', 'ustring',
}
if host.hasWikibase() then LIBRARIES[#LIBRARIES + 1] = 'wikibase' end
local REQUIRED = {
  bit32 = 'bit32', libraryUtil = 'libraryUtil', strict = 'strict', ustring = 'ustring',
  ['luabit.bit'] = 'bit', ['luabit.hex'] = 'hex',
}
local libraryChunks = {}

local function makeLibrary(name, env)
  local chunk = libraryChunks[name]
  if not chunk then
    chunk = host.library(name)
    libraryChunks[name] = chunk
  end
  return chunk(host, tools, env)
end
tools.makeLibrary = makeLibrary

-- A table whose fields are made when they are first read; they all are when somebody lists them.
local function lazyFields(fields, names, make)
  hidden[fields] = true
  local function get(_, name)
    if not names[name] then return nil end
    local value = make(names[name])
    rawset(fields, name, value)
    return value
  end
  return setmetatable(fields, {
    __index = get,
    __pairs = function ()
      for name in next, names do
        if rawget(fields, name) == nil then get(nil, name) end
      end
      setmetatable(fields, nil)
      hidden[fields] = nil
      return next, fields, nil
    end,
  })
end

local libraryNames, loadedNames = {}, {libraryUtil = 'libraryUtil'}
for _, name in rawipairs(LIBRARIES) do
  libraryNames[name] = name
  loadedNames['mw.' .. name] = name
end

local LOADING = {}

local function newRequire(env, package)
  local loaded = package.loaded
  local function loadPage(name)
    local canonical = canonicalName(name)
    local chunk = canonical and takeChunk(canonical)
    if not chunk then return nil end
    return setfenv(chunk, env), canonical
  end
  local function find(name)
    local preloaded = type(package.preload) == 'table' and package.preload[name]
    if preloaded then return preloaded end
    if REQUIRED[name] then return function () return makeLibrary(REQUIRED[name], env) end end
    local chunk, canonical = loadPage(name)
    return chunk and function ()
      local result = chunk(name)
      chunks[canonical] = chunk
      return result
    end
  end
  package.loaders[1] = function (name)
    local preloaded = package.preload[name]
    if preloaded then return preloaded end
    return "\n\tno field package.preload['" .. name .. "']"
  end
  package.loaders[2] = function (name)
    if REQUIRED[name] then return function () return makeLibrary(REQUIRED[name], env) end end
    return (loadPage(name))
  end
  return function (name)
    if type(name) == 'number' then name = rawtostring(name) end
    if type(name) ~= 'string' then
      error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ')')
    end
    local known = loaded[name]
    if known ~= nil then
      if known == LOADING then error("loop or previous error loading module '" .. name .. "'") end
      return known
    end
    local loader = find(name)
    if not loader then error("module '" .. name .. "' not found") end
    loaded[name] = LOADING
    local result = loader(name)
    if not result then
      result = loaded[name]
      if result == LOADING then result = true end
    end
    loaded[name] = result
    return result
  end
end

-- The globals of one call, and its frame.
function newEnvironment(frameId, parentId)
  local env = ${copyOf('globals', GLOBALS)}
  local frame = newFrame(frameId, parentId)
  local mw = mwFunctions(frame)
  local function library(name) return mw[name] end
  lazyFields(mw, libraryNames, function (name) return makeLibrary(name, env) end)
  mw.getContentLanguage = function () return mw.language.getContentLanguage() end
  mw.getLanguage = function (code) return mw.language.new(code) end
  env._G = env
  env.mw = mw
  env.string = ${copyOf('strings', STRINGS)}
  env.table = ${copyOf('tables', TABLES)}
  env.math = ${copyOf('maths', MATHS)}
  env.os = {clock = os.clock, date = os.date, difftime = os.difftime, time = os.time}
  env.debug = {traceback = traceback}
  local loaded = {_G = env, debug = env.debug, math = env.math, mw = mw, os = env.os, string = env.string, table = env.table}
  local package = {loaded = loaded, preload = {}, loaders = {}, seeall = seeall}
  loaded.package = package
  env.package = package
  env.require = newRequire(env, package)
  lazyFields(loaded, loadedNames, function (name)
    if name == 'libraryUtil' then return makeLibrary(name, env) end
    return mw[name]
  end)
  return env, frame
end

-- One call

local function joined(...)
  local first = ...
  local count = select('#', ...)
  if count == 1 and type(first) == 'string' then return first end
  local texts = {}
  for index = 1, count do
    local value = select(index, ...)
    if value == nil then break end
    texts[index] = tostring(value)
  end
  return concat(texts)
end

return function ()
  local frameId, parentId, name, functionName = host.nextCall()
  local chunk = takeChunk(name)
  local env, frame = newEnvironment(frameId, parentId)
  local exports = setfenv(chunk, env)()
  chunks[name] = chunk
  if type(exports) ~= 'table' then
    return 'The module returned a ' .. type(exports) .. ' value. It is supposed to return an export table.', true
  end
  local run = exports[functionName]
  if run == nil then return 'The function "' .. functionName .. '" does not exist.', true end
  if type(run) ~= 'function' then return '"' .. functionName .. '" is not a function.', true end
  return joined(run(frame)), false
end
`
