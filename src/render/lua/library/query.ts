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
