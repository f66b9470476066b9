/** `mw.text` */
export const TEXT = String.raw`
local host, tools, env = ...
local error, find, format, gsub, match, sub, type = error, string.find, string.format, string.gsub, string.match, string.sub, type
local concat, floor = table.concat, math.floor
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
-- Most texts have no markers, which begin with a sign of their own.
local SHORT = 2 ^ 20
function text.unstripNoWiki(s)
  checkType('unstripNoWiki', 1, s, 'string')
  if #s < SHORT and not find(s, '[\127-\255]') then return s end
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

local function flagsOf(flags)
  return type(flags) == 'number' and flags or 0
end

function text.jsonEncode(value, flags)
  return tools.privateLibrary('json').encode(value, flagsOf(flags))
end

function text.jsonDecode(s, flags)
  checkType('mw.text.jsonDecode', 1, s, 'string')
  flags = flagsOf(flags)
  return host.jsonDecode(s, flags % 2 == 1, floor(flags / 2) % 2 == 1)
end

return text
`
