/**
 * The start of every module call: its environment, frames, `require`, `mw.loadData` and the rest of `mw` itself. The
 * chunk receives the functions of the host and returns the function that makes one call.
 *
 * All calls of a page may share functions, since nothing can change them. They never share tables that modules can
 * reach: each call gets its own.
 */
import { BASE_FUNCTIONS } from './baseFunctions.js'
import { FRAMES } from './frames.js'
import { MW } from './mw.js'
import { copyOf } from './tables.js'

const GLOBALS = `
  _VERSION assert error getmetatable ipairs next pairs pcall rawequal rawget rawset select setmetatable tonumber tostring
  type unpack xpcall`
const STRINGS = 'byte char find format gfind gmatch gsub len lower match rep reverse sub ulower upper uupper'
const MATHS = `
  abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min mod modf pi pow rad random
  randomseed sin sinh sqrt tan tanh`
const TABLES = 'concat foreach foreachi getn insert maxn remove setn sort'

const CALLS = String.raw`-- Libraries

local LIBRARIES = {
  'ext', 'hash', 'html', 'language', 'message', 'site', 'text', 'title', 'uri', 'ustring',
}
if host.hasWikibase() then LIBRARIES[#LIBRARIES + 1] = 'wikibase' end
local REQUIRED = {
  bit32 = 'bit32', libraryUtil = 'libraryUtil', strict = 'strict', ustring = 'ustring',
  ['luabit.bit'] = 'bit', ['luabit.hex'] = 'hex',
}
local libraryChunks = {}

-- A chunk gives back the table of a call, or a function that makes it. Such a chunk runs once for a page: its functions
-- are shared by all calls, and the function makes the tables that modules can reach.
local factories = {}

local function makeLibrary(name, env)
  local factory = factories[name]
  if factory then return factory(env) end
  local chunk = libraryChunks[name]
  if not chunk then
    chunk = host.library(name)
    libraryChunks[name] = chunk
  end
  local made = chunk(host, tools, env)
  if type(made) ~= 'function' then return made end
  factories[name] = made
  return made(env)
end
tools.makeLibrary = makeLibrary

-- A library for other libraries, whose table no module can reach: one for all calls of a page.
local privateLibraries = {}

function tools.privateLibrary(name)
  local library = privateLibraries[name]
  if not library then
    library = makeLibrary(name)
    privateLibraries[name] = library
  end
  return library
end

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

local function call()
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

-- A line of a console: all of them share one environment.

local consoleEnv

local function shown(...)
  if select('#', ...) > 0 then return allToString(...) end
end

local function console(chunk)
  if not consoleEnv then
    consoleEnv = newEnvironment(host.dataFrame())
    consoleEnv.print = consoleEnv.mw.log
  end
  return shown(setfenv(chunk, consoleEnv)())
end

-- Sees an error where it happens. When the time is over, nothing more may run.
local function remember(message)
  if message ~= TIME_OVER then host.keepTraceback(traceback('', 2)) end
  return message
end

return call, console, remember
`

export const BASE = BASE_FUNCTIONS + FRAMES + MW + CALLS
