/** Functions that differ from plain Lua, and the loading of module code. Part of the base chunk: see `base.ts`. */
export const BASE_FUNCTIONS = String.raw`
local host = ...
local error, getmetatable, next, pcall, rawequal = error, getmetatable, next, pcall, rawequal
local rawget, rawset, select, setfenv, setmetatable, type = rawget, rawset, select, setfenv, setmetatable, type
local rawtostring, unpack, concat, sort, format = tostring, unpack, table.concat, table.sort, string.format
local find, gsub = string.find, string.gsub
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

local function pairs(...)
  local value = ...
  if type(value) ~= 'table' then
    error("bad argument #1 to 'pairs' (table expected, got " .. argumentType(...) .. ')', 2)
  end
  local meta = rawmetatable(value)
  local method = meta and rawget(meta, '__pairs')
  if method then return method(value) end
  return next, value, nil
end

local function ipairs(...)
  local value = ...
  if type(value) ~= 'table' then
    error("bad argument #1 to 'ipairs' (table expected, got " .. argumentType(...) .. ')', 2)
  end
  local meta = rawmetatable(value)
  local method = meta and rawget(meta, '__ipairs')
  if method then return method(value) end
  return rawipairs(value)
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

-- Values of HTML attributes

local ENTITIES = {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;'}
local MARKER = '\127\'"\96UNIQ%-%-.-%-QINU\96"\'\127'

-- Markers of extension tags stay as they are.
function tools.escapeAttribute(text)
  if not find(text, '[&<>"]') then return text end
  if not find(text, '\127', 1, true) then return (gsub(text, '[&<>"]', ENTITIES)) end
  local pieces, from = {}, 1
  while true do
    local first, last = find(text, MARKER, from)
    pieces[#pieces + 1] = gsub(text:sub(from, (first or 0) - 1), '[&<>"]', ENTITIES)
    if not first then return concat(pieces) end
    pieces[#pieces + 1] = text:sub(first, last)
    from = last + 1
  end
end

-- Namespaces by their numbers, for libraries; modules get copies.
local namespaceFacts

function tools.namespaces()
  if not namespaceFacts then
    local byId = {}
    for _, facts in rawipairs(host.namespaces()) do byId[facts.id] = facts end
    namespaceFacts = byId
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

`
