/** `mw.message` */
export const MESSAGE = String.raw`
local host, tools, env = ...
local error, gsub, select, setmetatable, tonumber, type = error, string.gsub, select, setmetatable, tonumber, type
local tostring, ipairs = tools.tostring, tools.ipairs

local message = {}
local methods = {}
local meta = {__index = methods}

local function parametersOf(...)
  local first = ...
  if type(first) == 'table' and first.raw == nil and first.num == nil then return first end
  return {...}
end

local function add(self, parameters)
  for _, parameter in ipairs(parameters) do self.parameters[#self.parameters + 1] = parameter end
  return self
end

local function newMessage(fields, ...)
  fields.parameters = {}
  fields.usesDatabase = true
  return add(setmetatable(fields, meta), parametersOf(...))
end

function message.new(key, ...)
  if type(key) ~= 'string' then
    error("bad argument #1 to 'message.new' (string expected, got " .. type(key) .. ')', 2)
  end
  return newMessage({keys = {key}}, ...)
end

function message.newFallbackSequence(...)
  local keys = {...}
  if type(keys[1]) == 'table' then keys = keys[1] end
  for index, key in ipairs(keys) do
    if type(key) ~= 'string' then
      error('bad argument #' .. index .. " to 'message.newFallbackSequence' (string expected, got " .. type(key) .. ')', 2)
    end
  end
  return newMessage({keys = keys})
end

function message.newRawMessage(text, ...)
  if type(text) ~= 'string' then
    error("bad argument #1 to 'message.newRawMessage' (string expected, got " .. type(text) .. ')', 2)
  end
  return newMessage({keys = {}, rawText = text}, ...)
end

function message.rawParam(value) return {raw = value} end
function message.numParam(value) return {num = value} end
function message.getDefaultLanguage() return env.mw.language.getContentLanguage() end

function methods:params(...) return add(self, parametersOf(...)) end

function methods:rawParams(...)
  for _, value in ipairs(parametersOf(...)) do add(self, {{raw = value}}) end
  return self
end

function methods:numParams(...)
  for _, value in ipairs(parametersOf(...)) do add(self, {{num = value}}) end
  return self
end

function methods:inLanguage(language)
  self.language = type(language) == 'table' and language:getCode() or language
  return self
end

function methods:useDatabase(value)
  self.usesDatabase = value and true or false
  return self
end

local function textOf(self)
  if self.rawText then return self.rawText end
  for _, key in ipairs(self.keys) do
    local text = host.message(key, self.language, self.usesDatabase)
    if text then return text end
  end
end

local function textOfValue(value)
  return type(value) == 'number' and host.numberText(value) or tostring(value)
end

local function written(self, parameter)
  if type(parameter) == 'table' then
    if parameter.num ~= nil then
      local number = tonumber(parameter.num)
      return number and host.formatNumber(self.language or host.contentLanguage(), number) or tostring(parameter.num)
    end
    return textOfValue(parameter.raw)
  end
  return textOfValue(parameter)
end

function methods:plain()
  local text = textOf(self)
  if not text then return '⧼' .. (self.keys[#self.keys] or '') .. '⧽' end
  return (gsub(text, '%$(%d)', function (digit)
    local parameter = self.parameters[tonumber(digit)]
    if parameter ~= nil then return written(self, parameter) end
  end))
end

function methods:exists() return textOf(self) ~= nil end

function methods:isBlank()
  local text = textOf(self)
  return text == nil or text == ''
end

function methods:isDisabled()
  local text = textOf(self)
  return text == nil or text == '' or text == '-'
end

meta.__tostring = methods.plain

return message
`
