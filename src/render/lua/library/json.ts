/** `mw.text.jsonEncode`, which few modules call. */
export const JSON_ENCODING = String.raw`
local host, tools = ...
local error, find, getmetatable, match, next, tonumber, type = error, string.find, getmetatable, string.match, next, tonumber, type
local concat, floor, sort = table.concat, math.floor, table.sort
local tostring, pairs, ipairs = tools.tostring, tools.pairs, tools.ipairs
local integer = tools.strings.format

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

return {
  encode = function (value, flags) return encode(value, flags, floor(flags / 4) % 2 == 1 and '' or nil, {}) end,
}
`
