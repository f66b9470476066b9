/** Libraries that modules load with `require`, and those of `mw` that are tables of a few functions. */
export const LIBRARY_UTIL = String.raw`
local host, tools = ...
local error, format, type = error, string.format, type
local ipairs, concat = ipairs, table.concat
local util = {}

function util.checkType(name, index, value, expected, nilOk)
  if value == nil and nilOk then return end
  if type(value) ~= expected then
    error(format("bad argument #%d to '%s' (%s expected, got %s)", index, name, expected, type(value)), 3)
  end
end

local function listed(names)
  if #names < 2 then return names[1] or '' end
  return concat(names, ', ', 1, #names - 1) .. ' or ' .. names[#names]
end

local function isOneOf(value, types)
  local kind = type(value)
  for _, expected in ipairs(types) do
    if kind == expected then return true end
  end
  return false
end

function util.checkTypeMulti(name, index, value, types)
  if isOneOf(value, types) then return end
  error(format("bad argument #%d to '%s' (%s expected, got %s)", index, name, listed(types), type(value)), 3)
end

function util.checkTypeForIndex(index, value, expected)
  if type(value) ~= expected then
    error(format("value for index '%s' must be %s, %s given", tools.tostring(index), expected, type(value)), 3)
  end
end

function util.checkTypeForNamedArg(name, argument, value, expected, nilOk)
  if value == nil and nilOk then return end
  if type(value) ~= expected then
    error(format("bad named argument %s to '%s' (%s expected, got %s)", argument, name, expected, type(value)), 3)
  end
end

function util.makeCheckSelfFunction(library, variable, object, description)
  return function (self, method)
    if self ~= object then
      error(format('%s: invalid %s. Did you call %s with a dot instead of a colon, i.e. %s.%s() instead of %s:%s()?',
        library, description, method, variable, method, variable, method), 3)
    end
  end
end

return util
`

export const STRICT = String.raw`
local host, tools, env = ...
local error, rawset, type, getmetatable, setmetatable = error, rawset, type, getmetatable, setmetatable
local meta = getmetatable(env)
if type(meta) ~= 'table' then
  meta = {}
  setmetatable(env, meta)
end
function meta.__newindex(globals, name, value)
  if name ~= 'arg' then error("assign to undeclared variable '" .. tools.tostring(name) .. "'", 2) end
  rawset(globals, name, value)
end
function meta.__index(_, name)
  error("variable '" .. tools.tostring(name) .. "' is not declared", 2)
end
return true
`

export const BIT32 = String.raw`
local host, tools = ...
local error, floor, select, tonumber, type = error, math.floor, select, tonumber, type
local WORD = 4294967296
local bit32 = {}

local function numberOf(name, index, value)
  local number = tonumber(value)
  if number then return number end
  error("bad argument #" .. index .. " to '" .. name .. "' (number expected, got " .. type(value) .. ')', 4)
end

local function word(name, index, value)
  return floor(numberOf(name, index, value)) % WORD
end

-- Sixteen entries for each pair of half bytes.
local function tableOf(combine)
  local entries = {}
  for left = 0, 15 do
    for right = 0, 15 do
      local result, bit, a, b = 0, 1, left, right
      for _ = 1, 4 do
        if combine(a % 2, b % 2) then result = result + bit end
        a, b, bit = floor(a / 2), floor(b / 2), bit * 2
      end
      entries[left * 16 + right] = result
    end
  end
  return entries
end

local AND = tableOf(function (a, b) return a + b == 2 end)
local OR = tableOf(function (a, b) return a + b > 0 end)
local XOR = tableOf(function (a, b) return a ~= b end)

local function combined(left, right, entries)
  local result, place = 0, 1
  for _ = 1, 8 do
    local a, b = left % 16, right % 16
    result = result + entries[a * 16 + b] * place
    left, right, place = (left - a) / 16, (right - b) / 16, place * 16
  end
  return result
end

local function folding(name, entries, start)
  return function (...)
    local result = start
    for index = 1, select('#', ...) do
      result = combined(result, word(name, index, (select(index, ...))), entries)
    end
    return result
  end
end

bit32.band = folding('band', AND, WORD - 1)
bit32.bor = folding('bor', OR, 0)
bit32.bxor = folding('bxor', XOR, 0)

local tested = folding('btest', AND, WORD - 1)
function bit32.btest(...) return tested(...) ~= 0 end

function bit32.bnot(x) return WORD - 1 - word('bnot', 1, x) end

local function shifted(x, places)
  if not (places > -32 and places < 32) then return 0 end
  if places >= 0 then return (x * 2 ^ places) % WORD end
  return floor(x / 2 ^ -places)
end

local function steps(name, value)
  return floor(numberOf(name, 2, value))
end

function bit32.lshift(x, places) return shifted(word('lshift', 1, x), steps('lshift', places)) end
function bit32.rshift(x, places) return shifted(word('rshift', 1, x), -steps('rshift', places)) end

function bit32.arshift(x, places)
  x, places = word('arshift', 1, x), steps('arshift', places)
  if places ~= places or places <= 0 or x < WORD / 2 then return shifted(x, -places) end
  if places >= 32 then return WORD - 1 end
  return floor(x / 2 ^ places) + (WORD - 2 ^ (32 - places))
end

local function rotated(x, places)
  places = places % 32
  return (x * 2 ^ places) % WORD + floor(x / 2 ^ (32 - places))
end

function bit32.lrotate(x, places) return rotated(word('lrotate', 1, x), steps('lrotate', places)) end
function bit32.rrotate(x, places) return rotated(word('rrotate', 1, x), -steps('rrotate', places)) end

local function checkField(name, index, field, width)
  field = floor(numberOf(name, index, field))
  width = width == nil and 1 or floor(numberOf(name, index + 1, width))
  if field < 0 then error("bad argument #" .. index .. " to '" .. name .. "' (field cannot be negative)", 3) end
  if width <= 0 then error("bad argument #" .. index + 1 .. " to '" .. name .. "' (width must be positive)", 3) end
  if field + width > 32 then error('trying to access non-existent bits', 3) end
  return field, width
end

function bit32.extract(x, field, width)
  x = word('extract', 1, x)
  field, width = checkField('extract', 2, field, width)
  return floor(x / 2 ^ field) % 2 ^ width
end

function bit32.replace(x, value, field, width)
  x, value = word('replace', 1, x), word('replace', 2, value)
  field, width = checkField('replace', 3, field, width)
  local place, size = 2 ^ field, 2 ^ width
  local old = floor(x / place) % size
  return x + (value % size - old) * place
end

return bit32
`

/** The bit operations of luabit, which has its own names for shifts. */
export const LUABIT_BIT = String.raw`
local host, tools, env = ...
local bit32 = tools.makeLibrary('bit32', env)
local floor, error = math.floor, error
local bit = {}

local function check(n)
  if n - floor(n) > 0 then error('trying to use bitwise operation on non-integer!', 3) end
end

local function checked(run)
  return function (a, b)
    check(a)
    if b then check(b) end
    return run(a, b)
  end
end

bit.band = checked(bit32.band)
bit.bor = checked(bit32.bor)
bit.bxor = checked(bit32.bxor)
bit.bnot = checked(bit32.bnot)
bit.blshift = checked(bit32.lshift)
bit.brshift = checked(bit32.arshift)
bit.blogic_rshift = checked(bit32.rshift)

function bit.tobits(n)
  check(n)
  n = n % 4294967296
  local bits = {}
  while n > 0 do
    bits[#bits + 1] = n % 2
    n = floor(n / 2)
  end
  return bits
end

function bit.tonumb(bits)
  local n = 0
  for index = #bits, 1, -1 do n = n * 2 + bits[index] end
  return n
end

function bit.bxor2(a, b) return bit.bxor(a, b) end

return bit
`

export const LUABIT_HEX = String.raw`
local error, find, format, tonumber, type = error, string.find, string.format, tonumber, type
local hex = {}

function hex.to_hex(n)
  if type(n) ~= 'number' then error('non-number type passed in.', 2) end
  return format('0x%X', n)
end

function hex.to_dec(text)
  if type(text) ~= 'string' then error('non-string type passed in.', 2) end
  if not find(text, '^0[xX]') then error('not a hex value', 2) end
  return tonumber(text)
end

return hex
`

export const HASH = String.raw`
local host = ...
return {hashValue = host.hashValue, listAlgorithms = host.hashAlgorithms}
`

/** `mw.ext`: functions of extensions. Data pages and coordinates behave as on a wiki without any. */
export const EXT = String.raw`
local host, tools, env = ...
local error = error
return {
  ParserFunctions = {
    expr = function (text)
      return host.expression(tools.tostring(text))
    end,
  },
  data = {
    get = function (name) return host.jsonPage('Data:' .. tools.tostring(name)) or false end,
  },
  FlaggedRevs = {getStabilitySettings = function () return nil end},
  TitleBlacklist = {test = function () return nil end},
}
`

/** Queries of addresses, for other libraries: tables that keep the order of their keys, and texts of tables. */
export const QUERY = String.raw`
local host, tools = ...
local byte, format, gsub = string.byte, string.format, string.gsub
local concat, error, getmetatable, next, rawget, rawset, setmetatable, type =
  table.concat, error, getmetatable, next, rawget, rawset, setmetatable, type
local tostring, pairs = tools.tostring, tools.pairs

local queries = {}
local metas = setmetatable({}, {__mode = 'k'})

-- A table that lists its keys in the order in which they came.
function queries.ordered()
  local keys, places, count = {}, {}, 0
  local meta = {}
  metas[meta] = true
  function meta.__newindex(query, key, value)
    count = count + 1
    keys[count], places[key] = key, count
    rawset(query, key, value)
  end
  function meta.__pairs(query)
    local at = 0
    return function ()
      while at < count do
        at = at + 1
        local key = keys[at]
        local value = rawget(query, key)
        -- A key that went and came back has its last place.
        if value ~= nil and places[key] == at then return key, value end
      end
    end
  end
  return setmetatable({}, meta)
end

function queries.isOrdered(query)
  return metas[getmetatable(query)] or false
end

local function percent(sign)
  return format('%%%02X', byte(sign))
end

local function encoded(text)
  return (gsub(gsub(text, '[^%w%-_%. ]', percent), ' ', '+'))
end

local function textOf(value)
  return type(value) == 'number' and host.numberText(value) or tostring(value)
end

local function add(pieces, name, value, seen)
  if type(value) == 'table' then
    if seen[value] then error('Cannot pass circular reference to PHP', 0) end
    seen[value] = true
    for key, item in pairs(value) do add(pieces, name and name .. '[' .. textOf(key) .. ']' or textOf(key), item, seen) end
    seen[value] = nil
  elseif value ~= false then
    pieces[#pieces + 1] = encoded(name) .. '=' .. encoded(value == true and '1' or textOf(value))
  end
end

-- As PHP writes a query: false is left out, true is 1, and tables have brackets.
function queries.textOf(query)
  local pieces = {}
  add(pieces, nil, query, {})
  return concat(pieces, '&')
end

return queries
`

/**
 * `mw.wikibase` as on a page without an item: functions exist and find nothing, so that modules use their fallback for
 * such pages.
 */
export const WIKIBASE = String.raw`
local host, tools = ...
local find, gsub, type = string.find, string.gsub, type

local function none() return nil end
local function no() return false end
local function list() return {} end
local function empty() return '' end

local function isProperty(id) return type(id) == 'string' and find(id, '^P[1-9]%d*$') ~= nil end

local function isEntity(id)
  return type(id) == 'string' and (find(id, '^[QPLM][1-9]%d*$') or find(id, '^L[1-9]%d*%-[FS][1-9]%d*$')) ~= nil
end

-- Items of Wikipedias are those of Wikidata, and its sites are named by language.
local function urlOf(id)
  return isEntity(id) and 'https://www.wikidata.org/wiki/Special:EntityPage/' .. id or nil
end

local function siteId()
  return gsub(host.contentLanguage(), '-', '_') .. 'wiki'
end

local wikibase = {
  getEntityIdForCurrentPage = none,
  getEntityIdForTitle = none,
  getEntity = none,
  getEntityObject = none,
  getEntityUrl = urlOf,
  getBadges = list,
  getBestStatements = list,
  getAllStatements = list,
  getLabel = none,
  getLabelWithLang = none,
  getLabelByLang = none,
  label = none,
  getDescription = none,
  getDescriptionWithLang = none,
  getDescriptionByLang = none,
  description = none,
  getSitelink = none,
  sitelink = none,
  getGlobalSiteId = siteId,
  getReferencedEntityId = none,
  entityExists = no,
  isValidEntityId = isEntity,
  resolvePropertyId = function (id) return isProperty(id) and id or nil end,
  renderSnak = empty,
  renderSnaks = empty,
  formatValue = empty,
  formatValues = empty,
  orderProperties = function (properties) return properties end,
  getPropertyOrder = none,
}
wikibase.entity = {
  create = none,
  claimRanks = {RANK_TRUTH = 3, RANK_PREFERRED = 2, RANK_NORMAL = 1, RANK_DEPRECATED = 0},
}
wikibase.lexeme = {getLanguage = none, getLemmas = none, getLexicalCategory = none}
return wikibase
`
