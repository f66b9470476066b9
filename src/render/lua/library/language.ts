/** `mw.language` */
export const LANGUAGE = String.raw`
local host, tools = ...
local error, floor, setmetatable, type = error, math.floor, setmetatable, type
local tostring, ipairs = tools.tostring, tools.ipairs
local ustringUpper, ustringLower = host.upper, host.lower

local methods = {}
local codes = setmetatable({}, {__mode = 'k'})

local function codeOf(object, method, level)
  local code = codes[object]
  if code then return code end
  error('mw.language: invalid language object. Did you call ' .. method ..
    ' with a dot instead of a colon, i.e. lang.' .. method .. '() instead of lang:' .. method .. '()?', level or 3)
end

local function loaded(object, method)
  local code = codeOf(object, method, 4)
  host.useLanguage(code)
  return code
end

local function needs(level, method, ...)
  if select('#', ...) == 0 then error('too few arguments to mw.language:' .. method, level) end
end

local function textOf(method, ...)
  needs(4, method, ...)
  local value = ...
  if type(value) ~= 'string' then
    error("bad argument #1 to '" .. method .. "' (string expected, got " .. type(value) .. ')', 3)
  end
  return value
end

local function new(...)
  if select('#', ...) == 0 then error('too few arguments to mw.language.new()', 2) end
  local code = ...
  if type(code) ~= 'string' then
    error("bad argument #1 to 'mw.language.new' (string expected, got " .. type(code) .. ')', 2)
  end
  local object = {code = code}
  for name, method in next, methods do object[name] = method end
  codes[object] = code
  return object
end

function methods:getCode() return codeOf(self, 'getCode') end
function methods:getFallbackLanguages() return host.languageFallbacks(codeOf(self, 'getFallbackLanguages')) end
function methods:isRTL() return host.isRightToLeft(loaded(self, 'isRTL')) end
function methods:getDir() return host.isRightToLeft(loaded(self, 'getDir')) and 'rtl' or 'ltr' end

local LEFT_MARK, RIGHT_MARK = '\226\128\142', '\226\128\143'

function methods:getDirMark(opposite)
  local isRight = host.isRightToLeft(loaded(self, 'getDirMark'))
  if opposite then isRight = not isRight end
  return isRight and RIGHT_MARK or LEFT_MARK
end

function methods:getDirMarkEntity(opposite)
  local isRight = host.isRightToLeft(loaded(self, 'getDirMarkEntity'))
  if opposite then isRight = not isRight end
  return isRight and '&rlm;' or '&lrm;'
end

local ARROWS = {
  right = '→', left = '←', up = '↑', down = '↓',
}

function methods:getArrow(direction)
  local isRight = host.isRightToLeft(loaded(self, 'getArrow'))
  direction = direction or 'forwards'
  if direction == 'forwards' then return isRight and ARROWS.left or ARROWS.right end
  if direction == 'backwards' then return isRight and ARROWS.right or ARROWS.left end
  local arrow = ARROWS[direction]
  if arrow then return arrow end
end

function methods:lc(...)
  loaded(self, 'lc')
  return ustringLower(textOf('lc', ...))
end

function methods:uc(...)
  loaded(self, 'uc')
  return ustringUpper(textOf('uc', ...))
end

function methods:lcfirst(...)
  local code = loaded(self, 'lcfirst')
  return host.lowerFirst(code, textOf('lcfirst', ...))
end

function methods:ucfirst(...)
  local code = loaded(self, 'ucfirst')
  return host.raiseFirst(code, textOf('ucfirst', ...))
end

function methods:caseFold(...)
  loaded(self, 'caseFold')
  return ustringUpper(textOf('caseFold', ...))
end

function methods:formatNum(...)
  local code = loaded(self, 'formatNum')
  needs(3, 'formatNum', ...)
  local number, options = ...
  if type(number) ~= 'number' then
    error("bad argument #1 to 'formatNum' (number expected, got " .. type(number) .. ')', 2)
  end
  if number ~= number then error("bad argument #1 to 'formatNum' (NaN)", 2) end
  if number == 1 / 0 or number == -1 / 0 then error("bad argument #1 to 'formatNum' (infinite)", 2) end
  return host.formatNumber(code, number, type(options) == 'table' and options.noCommafy and true or false)
end

function methods:parseFormattedNumber(...)
  local code = loaded(self, 'parseFormattedNumber')
  return host.parseNumber(code, textOf('parseFormattedNumber', ...))
end

function methods:formatDate(...)
  local code = loaded(self, 'formatDate')
  needs(3, 'formatDate', ...)
  local format, timestamp, isLocal = ...
  if type(format) ~= 'string' then
    error("bad argument #1 to 'formatDate' (string expected, got " .. type(format) .. ')', 2)
  end
  if timestamp ~= nil and type(timestamp) ~= 'string' then
    error("bad argument #2 to 'formatDate' (string expected, got " .. type(timestamp) .. ')', 2)
  end
  local text = host.formatDate(code, format, timestamp, isLocal)
  if text == nil then error("bad argument #2 to 'formatDate' (not a valid timestamp)", 2) end
  return text
end

local function formsOf(...)
  local first = ...
  return type(first) == 'table' and first or {...}
end

function methods:convertPlural(...)
  local code = loaded(self, 'convertPlural')
  needs(3, 'convertPlural', ...)
  local given = ...
  local number = tonumber(given)
  if not number then
    error("bad argument #1 to 'convertPlural' (number expected, got " .. type(given) .. ')', 2)
  end
  local forms = formsOf(select(2, ...))
  local count = #forms
  if count == 0 then return '' end
  local index = host.pluralIndex(code, number)
  return tostring(forms[index > count and count or index])
end
methods.plural = methods.convertPlural

local function wordOf(word, level)
  if type(word) == 'string' or type(word) == 'number' then return word end
  error("bad argument #1 to 'convertGrammar' (string expected, got " .. type(word) .. ')', level)
end

function methods:convertGrammar(...)
  local code = loaded(self, 'convertGrammar')
  needs(3, 'convertGrammar', ...)
  local word, case = ...
  return host.inflect(code, wordOf(word, 3), case)
end

-- The order of its arguments is that of the parser function.
function methods:grammar(case, word)
  return host.inflect(loaded(self, 'grammar'), wordOf(word, 3), case)
end

function methods:gender(...)
  loaded(self, 'gender')
  needs(3, 'gender', ...)
  local who = ...
  if type(who) ~= 'string' and type(who) ~= 'number' then
    error("bad argument #1 to 'gender' (string expected, got " .. type(who) .. ')', 2)
  end
  local forms = formsOf(select(2, ...))
  if #forms == 0 then return '' end
  if who == 'male' then return forms[1] end
  if who == 'female' then return forms[2] or forms[1] end
  return forms[3] or forms[1]
end

-- Names, seconds and places, which the host knows.
local UNITS = {
  {'millennia', 31556952000, 1}, {'centuries', 3155695200, 2}, {'decades', 315569520, 3}, {'years', 31556952, 4},
  {'weeks', 604800, 5}, {'days', 86400, 6}, {'hours', 3600, 7}, {'minutes', 60, 8}, {'seconds', 1, 9},
}
local DEFAULT_UNITS = {'millennia', 'centuries', 'decades', 'years', 'days', 'hours', 'minutes', 'seconds'}
-- Decades of Chinese are tens of years.
local UNITS_WITHOUT_TENS = {'centuries', 'years', 'days', 'hours', 'minutes', 'seconds'}

local function intervals(method, seconds, units)
  if type(seconds) ~= 'number' then
    error("bad argument #1 to '" .. method .. "' (number expected, got " .. type(seconds) .. ')', 3)
  end
  local wanted, list = {}, {}
  if units == nil or next(units) == nil then units = DEFAULT_UNITS end
  for _, name in ipairs(units) do wanted[name] = true end
  local rest, last = floor(seconds), nil
  for _, unit in ipairs(UNITS) do
    if wanted[unit[1]] then
      last = unit
      local count = floor(rest / unit[2])
      if count > 0 then
        rest = rest - count * unit[2]
        list[#list + 1] = {unit, count}
      end
    end
  end
  if #list == 0 and last then list[1] = {last, floor(rest / last[2])} end
  return list
end

function methods:getDurationIntervals(...)
  loaded(self, 'getDurationIntervals')
  needs(3, 'getDurationIntervals', ...)
  local seconds, units = ...
  local result = {}
  for _, entry in ipairs(intervals('getDurationIntervals', seconds, units)) do result[entry[1][1]] = entry[2] end
  return result
end

function methods:formatDuration(...)
  local code = loaded(self, 'formatDuration')
  needs(3, 'formatDuration', ...)
  local seconds, units = ...
  if (units == nil or next(units) == nil) and host.countsInYears(code) then units = UNITS_WITHOUT_TENS end
  local parts = {}
  for _, entry in ipairs(intervals('formatDuration', seconds, units)) do
    parts[#parts + 1], parts[#parts + 2] = entry[1][3], entry[2]
  end
  return host.durationText(code, unpack(parts))
end

local function fetchLanguageName(code, inLanguage) return host.languageName(code, inLanguage) end
local function fetchLanguageNames(inLanguage, include) return host.languageNames(inLanguage, include) end
local function getFallbacksFor(code) return host.languageFallbacks(code) end
local function isKnownLanguageTag(code) return host.isKnownTag(code) end
local function isSupportedLanguage(code) return host.isSupportedLanguage(code) end
local function isValidCode(code) return host.isValidLanguageCode(code) end
local function isValidBuiltInCode(code) return host.isValidBuiltInCode(code) end

-- The tables of one call.
return function ()
  local content
  return {
    new = new,
    getContentLanguage = function ()
      content = content or new(host.contentLanguage())
      return content
    end,
    fetchLanguageName = fetchLanguageName, fetchLanguageNames = fetchLanguageNames, getFallbacksFor = getFallbacksFor,
    isKnownLanguageTag = isKnownLanguageTag, isSupportedLanguage = isSupportedLanguage, isValidCode = isValidCode,
    isValidBuiltInCode = isValidBuiltInCode,
  }
end
`
