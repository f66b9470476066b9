/** `mw.ustring`: passes ASCII strings to Lua's own functions, which are much faster. */
export const USTRING = String.raw`
local host, tools = ...
local byte, find, gmatch, gsub, match, len, lower, sub, upper =
  string.byte, string.find, string.gmatch, string.gsub, string.match, string.len, string.lower, string.sub, string.upper
local error, select, tostring, type, unpack = error, select, tostring, type, unpack
local concat = table.concat

local ustring = {
  maxPatternLength = 10000, maxStringLength = 2097152,
  byte = string.byte, byteoffset = host.byteoffset, char = host.uchar, codepoint = host.ucodepoint,
  format = tools.strings.format, isutf8 = host.isutf8, rep = string.rep,
  toNFC = function (s) return host.normalize(s, 'NFC') end,
  toNFD = function (s) return host.normalize(s, 'NFD') end,
  toNFKC = function (s) return host.normalize(s, 'NFKC') end,
  toNFKD = function (s) return host.normalize(s, 'NFKD') end,
}

-- Modules try many patterns on one text, so the last short one is remembered.
local MAX_REMEMBERED = 4096
local lastText, lastIsAscii

local function isAscii(text)
  if text == lastText then return lastIsAscii end
  local ascii = not find(text, '[\128-\255]')
  if #text <= MAX_REMEMBERED then lastText, lastIsAscii = text, ascii end
  return ascii
end

-- When patterns mean the same to Lua's own functions, as long as the text is ASCII. All calls of a page share what is
-- known of short patterns, since modules use the same ones in each call.
local plainPatterns, patternCount = {}, 0
local MAX_PATTERNS, MAX_PATTERN = 500, 200
local NEWLINE = 10

local function plainness(pattern, name)
  local plain = host.plainPattern(name, pattern)
  if #pattern > MAX_PATTERN then return plain end
  if patternCount >= MAX_PATTERNS then plainPatterns, patternCount = {}, 0 end
  plainPatterns[pattern], patternCount = plain, patternCount + 1
  return plain
end

local function isPlain(text, pattern, name)
  if type(text) ~= 'string' or not isAscii(text) then return false end
  local known = plainPatterns[pattern]
  if known == nil then
    if type(pattern) ~= 'string' then return false end
    known = plainness(pattern, name)
  end
  if known == 'line' then return byte(text, -1) ~= NEWLINE end
  return known == 'always' or known == 'search' and name ~= 'gsub'
end

-- Lua rounds a negative number that is not whole in its own way, and takes one from 2^63 on for negative.
local MAX_INDEX = 2 ^ 53
local function isIndex(value)
  return type(value) == 'number' and (value >= 0 and value < MAX_INDEX or value < 0 and value % 1 == 0)
end

function ustring.len(...)
  local text = ...
  if type(text) == 'string' and isAscii(text) then return len(text) end
  return host.ulen(...)
end

function ustring.sub(text, from, to)
  -- Written out, for speed.
  if type(text) == 'string'
    and (from == nil or type(from) == 'number' and (from >= 0 and from < MAX_INDEX or from < 0 and from % 1 == 0))
    and (to == nil or type(to) == 'number' and (to >= 0 and to < MAX_INDEX or to < 0 and to % 1 == 0))
    and isAscii(text) then
    return sub(text, from or 1, to or -1)
  end
  return (host.usub(text, from, to))
end

function ustring.lower(text)
  if type(text) == 'string' and isAscii(text) then return lower(text) end
  return host.lower(text)
end

function ustring.upper(text)
  if type(text) == 'string' and isAscii(text) then return upper(text) end
  return host.upper(text)
end

local function clampedStart(text, from)
  if from > #text + 1 then return #text + 1 end
  return from
end

function ustring.find(text, pattern, from, plain)
  if from == nil or isIndex(from) then
    if plain then
      if type(text) == 'string' and type(pattern) == 'string' and isAscii(text) then
        return find(text, pattern, clampedStart(text, from or 1), true)
      end
    elseif isPlain(text, pattern, 'find') then
      return find(text, pattern, clampedStart(text, from or 1))
    end
  end
  return host.ufind(text, pattern, from, plain)
end

function ustring.match(text, pattern, from)
  if (from == nil or isIndex(from)) and isPlain(text, pattern, 'match') then
    return match(text, pattern, clampedStart(text, from or 1))
  end
  return host.umatch(text, pattern, from)
end

-- Matches one after the other: first and last byte, captures.
local function eachMatch(list)
  local at = 1
  return function ()
    local first, last, count = list[at], list[at + 1], list[at + 2]
    if not first then return nil end
    local from = at + 3
    at = from + count
    return first, last, from, from + count - 1
  end
end

function ustring.gmatch(text, pattern)
  -- A first ^ is a character like any other here, and so is what would count it.
  if type(pattern) == 'string' and sub(pattern, 1, 1) == '^' then
    local sign = match(pattern, '^.[%*%+%?%-]') and '%' or ''
    pattern = '%^' .. sign .. sub(pattern, 2)
  end
  if isPlain(text, pattern, 'gmatch') then return gmatch(text, pattern) end
  local list = host.umatches(text, pattern, nil, 'gmatch')
  local following = eachMatch(list)
  return function ()
    local first, _, from, to = following()
    if first then return unpack(list, from, to) end
  end
end

-- Lua's own function counts with 32 bits.
local function isCount(value)
  return type(value) == 'number' and value % 1 == 0 and value >= 0 and value < 2 ^ 31
end

function ustring.gsub(text, pattern, replacement, most)
  local kind = type(replacement)
  if kind == 'number' then replacement, kind = host.numberText(replacement), 'string' end
  if kind == 'string' then
    if (most == nil or isCount(most)) and isPlain(text, pattern, 'gsub') and not find(replacement, '%', 1, true) then
      return gsub(text, pattern, replacement, most)
    end
    return host.ugsub(text, pattern, replacement, most)
  end
  if kind ~= 'function' and kind ~= 'table' then
    error("bad argument #3 to 'gsub' (function or table or string expected, got " .. kind .. ')', 2)
  end
  if (most == nil or isCount(most)) and isPlain(text, pattern, 'gsub') then
    if kind == 'function' then return gsub(text, pattern, replacement, most) end
    local result, count = gsub(text, pattern, function (first)
      local value = replacement[first]
      if value == nil or type(value) == 'string' then return value end
      if type(value) == 'number' then return host.numberText(value) end
      error('invalid replacement value (a ' .. type(value) .. ')', 4)
    end, most)
    return result, count
  end
  local list = host.umatches(text, pattern, most, 'gsub')
  if type(text) == 'number' then text = host.numberText(text) end
  local pieces, size, done, count = {}, 0, 1, 0
  for first, last, from, to in eachMatch(list) do
    count = count + 1
    local value
    if kind == 'table' then value = replacement[list[from]] else value = replacement(unpack(list, from, to)) end
    if value == nil or (value == false and kind == 'function') then
      value = sub(text, first, last)
    elseif type(value) ~= 'string' and type(value) ~= 'number' then
      error('invalid replacement value (a ' .. type(value) .. ')', 2)
    end
    if type(value) == 'number' then value = host.numberText(value) end
    pieces[size + 1], pieces[size + 2] = sub(text, done, first - 1), value
    size, done = size + 2, last + 1
  end
  pieces[size + 1] = sub(text, done)
  return concat(pieces), count
end

-- A number that is none counts as zero.
local function bound(index, value, preset)
  if value == nil then return preset end
  if type(value) ~= 'number' then
    error("bad argument #" .. index .. " to 'gcodepoint' (number expected, got " .. type(value) .. ')', 3)
  end
  return value == value and value or 0
end

function ustring.gcodepoint(text, from, to)
  local length = ustring.len(text)
  if not length then error("bad argument #1 to 'gcodepoint' (string is not UTF-8)", 2) end
  from, to = bound(2, from, 1), bound(3, to, -1)
  if from < 0 then from = length + from + 1 end
  if to < 0 then to = length + to + 1 end
  if from < 1 then from = 1 end
  if to > length then to = length end
  return function ()
    if from > to then return nil end
    from = from + 1
    return host.ucodepoint(text, from - 1)
  end
end

return function () return tools.copied(ustring) end
`
