/** `mw.text` */
export const TEXT = String.raw`
local host, tools, env = ...
local error, find, format, gsub, match, sub, type = error, string.find, string.format, string.gsub, string.match, string.sub, type
local concat, floor, getmetatable, next, sort, tonumber = table.concat, math.floor, getmetatable, next, table.sort, tonumber
local integer = tools.strings.format
local tostring, pairs, ipairs, checkType = tools.tostring, tools.pairs, tools.ipairs, tools.checkType
local ustring = tools.privateLibrary('ustring')
local escaped = tools.escapeAttribute

local text = {JSON_PRESERVE_KEYS = 1, JSON_TRY_FIXING = 2, JSON_PRETTY = 4}

local function textBy(write, name, index, value)
  local kind = type(value)
  if kind == 'string' then return value end
  if kind == 'number' then return write(value) end
  error(format("bad argument #%d to '%s' (string expected, got %s)", index, name, kind), 4)
end

local function checkText(name, index, value)
  local text = textBy(tostring, name, index, value)
  return text
end

-- Numbers are written as PHP writes them, in whose functions they end.
local function phpText(name, index, value)
  local text = textBy(host.numberText, name, index, value)
  return text
end

function text.trim(s, characters)
  s = phpText('gsub', 1, s)
  if characters == nil then
    local from = find(s, '[^\t\r\n\f ]')
    return from and match(s, '^.*[^\t\r\n\f ]', from) or ''
  end
  s = ustring.gsub(s, '^[' .. characters .. ']+', '')
  return (ustring.gsub(s, '[' .. characters .. ']+$', ''))
end

-- Bytes are enough for a plain text, since no character is part of another.
local function splitPlain(s, separator)
  local list, count, from = {}, 0, 1
  while true do
    local first, last = find(s, separator, from, true)
    count = count + 1
    if not first then
      list[count] = sub(s, from)
      return list
    end
    list[count] = sub(s, from, first - 1)
    from = last + 1
  end
end

function text.split(s, pattern, plain)
  s = phpText('len', 1, s)
  pattern = phpText('find', 2, pattern)
  if pattern ~= '' and (plain or not find(pattern, '[%^%$%(%)%%%.%[%]%*%+%-%?]')) then return splitPlain(s, pattern) end
  return (host.usplit(s, pattern))
end

function text.gsplit(s, pattern, plain)
  local list, index = text.split(s, pattern, plain), 0
  return function ()
    index = index + 1
    return list[index]
  end
end

local NAMED = {['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;', ["'"] = '&#039;', ['\194\160'] = '&nbsp;'}

function text.encode(s, characters)
  s = phpText('gsub', 1, s)
  if characters == nil then return (gsub(gsub(s, '[&<>"\']', NAMED), '\194\160', '&nbsp;')) end
  return (ustring.gsub(s, '[' .. characters .. ']', function (character)
    return NAMED[character] or format('&#%d;', ustring.codepoint(character))
  end))
end

function text.decode(s, named)
  s = checkText('gsub', 1, s)
  if not find(s, '&', 1, true) then return s end
  return host.decode(s, named and true or false)
end

text.nowiki = function (s) return host.nowiki(checkText('nowiki', 1, s)) end
function text.unstripNoWiki(s)
  checkType('unstripNoWiki', 1, s, 'string')
  return host.unstripNoWiki(s)
end

function text.unstrip(s)
  checkType('unstrip', 1, s, 'string')
  return host.killMarkers(host.unstripNoWiki(s))
end

function text.killMarkers(s)
  checkType('killMarkers', 1, s, 'string')
  return host.killMarkers(s)
end

function text.tag(name, attributes, content)
  if type(name) == 'table' then name, attributes, content = name.name, name.attrs, name.content end
  checkType('tag', 1, name, 'string')
  checkType('tag', 2, attributes, 'table', true)
  local pieces = {'<' .. name}
  for key, value in pairs(attributes or {}) do
    if type(key) ~= 'string' then
      error("bad named argument attrs to 'tag' (keys must be strings, found " .. type(key) .. ')', 2)
    end
    if find(key, '[%s%z"\'>/=]') then
      error("bad named argument attrs to 'tag' (invalid key '" .. key .. "')", 2)
    end
    local kind = type(value)
    if kind == 'string' or kind == 'number' then
      pieces[#pieces + 1] = ' ' .. key .. '="' .. escaped(tostring(value)) .. '"'
    elseif kind == 'boolean' then
      if value then pieces[#pieces + 1] = ' ' .. key end
    else
      error("bad named argument attrs to 'tag' (value for key '" .. key .. "' may not be " .. kind .. ')', 2)
    end
  end
  if content == false then
    pieces[#pieces + 1] = ' />'
    return concat(pieces)
  end
  pieces[#pieces + 1] = '>'
  local kind = type(content)
  if kind == 'string' or kind == 'number' then
    pieces[#pieces + 1] = tostring(content) .. '</' .. name .. '>'
  elseif kind ~= 'nil' then
    error("bad argument #3 to 'tag' (string, number, nil, or false expected, got " .. kind .. ')', 2)
  end
  return concat(pieces)
end

function text.listToText(list, separator, conjunction)
  separator = separator or host.message('comma-separator')
  conjunction = conjunction or host.message('and') .. host.message('word-separator')
  local count = #list
  if count == 0 then return '' end
  if count == 1 then return tostring(list[1]) end
  return concat(list, separator, 1, count - 1) .. conjunction .. list[count]
end

function text.truncate(given, length, ellipsis, adjust)
  local s = phpText('len', 1, given)
  local size = ustring.len(s)
  if size == nil then error("bad argument #1 to 'truncate' (string is not UTF-8)", 2) end
  ellipsis = ellipsis or host.message('ellipsis')
  local room = length < 0 and -length or length
  if size <= room then return given end
  if adjust then
    room = room - ustring.len(ellipsis)
    if room <= 0 then return ellipsis end
  end
  local short
  if room == 0 then short = ellipsis
  elseif length < 0 then short = ellipsis .. ustring.sub(s, -room)
  else short = ustring.sub(s, 1, room) .. ellipsis end
  return ustring.len(short) < size and short or given
end

local function fail(message)
  error('mw.text.jsonEncode: ' .. message, 0)
end

local encode

-- A key as PHP has it: texts of whole numbers are numbers.
local function keyOf(key)
  local kind = type(key)
  if kind == 'number' then return key % 1 == 0 and key or tostring(key) end
  if kind ~= 'string' then fail("Cannot use type '" .. kind .. "' as a table key") end
  if #key < 19 and (key == '0' or find(key, '^%-?[1-9]%d*$')) then return tonumber(key) end
  return key
end

-- Texts count as the number that they begin with, or as zero.
local function weightOf(key)
  return type(key) == 'number' and key or tonumber((match(key, '^%s*([+-]?%d+%.?%d*)'))) or 0
end

-- The length of a list without other keys.
local function lengthOf(value)
  if getmetatable(value) ~= nil then return nil end
  local count = 0
  for _ in next, value do count = count + 1 end
  for index = 1, count do
    if value[index] == nil then return nil end
  end
  return count
end

-- Keys, values and their number, in the order of JSON. Whether they are a list.
local function entriesOf(value, keepsKeys)
  if not keepsKeys then
    local length = lengthOf(value)
    if length then return nil, value, length, true end
  end
  local keys, values, count, isNames = {}, {}, 0, true
  for key, item in pairs(value) do
    count = count + 1
    if type(key) ~= 'string' or find(key, '^%s*[+-]?%d') then key, isNames = keyOf(key), false end
    keys[count], values[count] = key, item
  end
  if isNames then return keys, values, count, count == 0 end
  local first = keys[1]
  local isListed = first == 0 or first == 1 and not keepsKeys or count == 0
  for index = 2, count do isListed = isListed and keys[index] == first + index - 1 end
  if isListed or keepsKeys then return keys, values, count, isListed end
  local places, weights = {}, {}
  for index = 1, count do places[index], weights[index] = index, weightOf(keys[index]) end
  sort(places, function (a, b) return weights[a] < weights[b] or weights[a] == weights[b] and a < b end)
  local sortedKeys, sortedValues = {}, {}
  for index, place in ipairs(places) do sortedKeys[index], sortedValues[index] = keys[place], values[place] end
  first = sortedKeys[1]
  isListed = first == 0 or first == 1
  for index = 2, count do isListed = isListed and sortedKeys[index] == first + index - 1 end
  return sortedKeys, sortedValues, count, isListed
end

local encode

local function encodeTable(value, flags, indent, seen)
  if seen[value] then fail('Cannot use recursive tables') end
  seen[value] = true
  local inner = indent and indent .. '    '
  local pieces = {}
  local keys, values, count, isListed = entriesOf(value, flags % 2 == 1)
  for index = 1, count do
    local text = encode(values[index], flags, inner, seen)
    if not isListed then
      local key = keys[index]
      if type(key) == 'number' then key = integer('%d', key) end
      text = host.jsonText(key) .. (indent and ': ' or ':') .. text
    end
    pieces[index] = text
  end
  seen[value] = nil
  local open, close = '{', '}'
  if isListed then open, close = '[', ']' end
  if count == 0 then return open .. close end
  if not indent then return open .. concat(pieces, ',') .. close end
  return open .. '\n' .. inner .. concat(pieces, ',\n' .. inner) .. '\n' .. indent .. close
end

function encode(value, flags, indent, seen)
  local kind = type(value)
  if kind == 'nil' then return 'null' end
  if kind == 'boolean' then return value and 'true' or 'false' end
  if kind == 'string' then return host.jsonText(value) end
  if kind == 'number' then
    if value ~= value or value == 1 / 0 or value == -1 / 0 then fail('Cannot encode non-finite numbers') end
    return host.jsonNumber(value)
  end
  if kind ~= 'table' then fail("Cannot encode type '" .. kind .. "'") end
  return encodeTable(value, flags, indent, seen)
end

local function flagsOf(flags)
  return type(flags) == 'number' and flags or 0
end

function text.jsonEncode(value, flags)
  flags = flagsOf(flags)
  return encode(value, flags, floor(flags / 4) % 2 == 1 and '' or nil, {})
end

function text.jsonDecode(s, flags)
  checkType('mw.text.jsonDecode', 1, s, 'string')
  flags = flagsOf(flags)
  return host.jsonDecode(s, flags % 2 == 1, floor(flags / 2) % 2 == 1)
end

return text
`
