import { copyOf } from './tables.js'

const METHODS = 'node wikitext newline tag attr getAttr addClass css cssText done allDone'

/** `mw.html`: builds elements, and writes them when they are converted to text. */
export const HTML = String.raw`
local host, tools, env = ...
local error, find, format, getmetatable, gsub, ipairs, select, setmetatable, type =
  error, string.find, string.format, getmetatable, string.gsub, ipairs, select, setmetatable, type
local concat, lower, remove = table.concat, string.lower, table.remove
local tostring, pairs, checkType = tools.tostring, tools.pairs, tools.checkType

local SELF_CLOSING = {}
for _, name in ipairs{
  'area', 'base', 'br', 'col', 'command', 'embed', 'hr', 'img', 'input', 'keygen', 'link', 'meta', 'param', 'source',
  'track', 'wbr',
} do SELF_CLOSING[name] = true end

local escaped = tools.escapeAttribute
local CSS = {[':'] = '\\3A ', [';'] = '\\3B '}

local function escapedCss(text)
  if not find(text, '[:;]') then return text end
  return (gsub(text, '[:;]', CSS))
end

local methods = {}

-- Elements of one call have one metatable.
local function isElement(value, other)
  return type(value) == 'table' and getmetatable(value) == getmetatable(other)
end

local function newElement(meta, tagName, options, parent)
  return setmetatable({
    tagName = tagName, parent = parent, nodes = {}, attributes = {}, styles = {},
    selfClosing = (options and options.selfClosing or SELF_CLOSING[lower(tagName or '')]) and true or false,
  }, meta)
end

local function written(value)
  return type(value) == 'string' and value or tostring(value)
end

local function write(element, pieces)
  local tagName = element.tagName
  if tagName then
    pieces[#pieces + 1] = '<' .. tagName
    for _, attribute in ipairs(element.attributes) do
      pieces[#pieces + 1] = ' ' .. attribute.name .. '="' .. escaped(written(attribute.value)) .. '"'
    end
    local styles = element.styles
    if #styles > 0 then
      local list = {}
      for index, style in ipairs(styles) do
        list[index] = style.text or escapedCss(style.name) .. ':' .. escapedCss(written(style.value))
      end
      pieces[#pieces + 1] = ' style="' .. escaped(concat(list, ';')) .. '"'
    end
    if element.selfClosing then
      pieces[#pieces + 1] = ' />'
      return
    end
    pieces[#pieces + 1] = '>'
  end
  for _, node in ipairs(element.nodes) do
    if type(node) == 'table' then write(node, pieces) else pieces[#pieces + 1] = node end
  end
  if tagName then pieces[#pieces + 1] = '</' .. tagName .. '>' end
end

local function text(element)
  local pieces = {}
  write(element, pieces)
  return concat(pieces)
end

local function add(element, node)
  if element.selfClosing then error("self-closing tags can't have child nodes", 3) end
  element.nodes[#element.nodes + 1] = node
end

function methods:node(node)
  if node == nil then return self end
  if not isElement(node, self) then
    if type(node) == 'table' then
      local inner = getmetatable(node)
      if type(inner) ~= 'table' or not inner.__tostring then
        error("bad argument #1 to 'node' (string, number or mw.html object expected, got table)", 2)
      end
    end
    node = written(node)
  end
  add(self, node)
  return self
end

function methods:wikitext(...)
  for index = 1, select('#', ...) do
    local text = select(index, ...)
    if text == nil then break end
    local kind = type(text)
    if kind ~= 'string' and kind ~= 'number' then
      error(format("bad argument #%d to 'wikitext' (string or number expected, got %s)", index, kind), 2)
    end
    add(self, kind == 'string' and text or tostring(text))
  end
  return self
end

function methods:newline()
  add(self, '\n')
  return self
end

local function isTagName(name)
  return find(name, '^[%w]+$') ~= nil
end

function methods:tag(tagName, options)
  checkType('tag', 1, tagName, 'string')
  checkType('tag', 2, options, 'table', true)
  if not isTagName(tagName) then error("invalid tag name '" .. tagName .. "'", 2) end
  local child = newElement(getmetatable(self), tagName, options, self)
  add(self, child)
  return child
end

local function indexOf(list, name)
  for index, entry in ipairs(list) do
    if entry.name == name then return index end
  end
end

local function setEntry(list, name, value)
  local index = indexOf(list, name)
  if value == nil then
    if index then remove(list, index) end
  elseif index then
    list[index].value = value
  else
    list[#list + 1] = {name = name, value = value}
  end
end

local function checkValue(name, value)
  local kind = type(value)
  if kind ~= 'string' and kind ~= 'number' and kind ~= 'nil' then
    error(format("bad argument #2 to '%s' (string, number or nil expected, got %s)", name, kind), 3)
  end
end

local function checkKeys(name, list, keyTypes)
  for key, value in pairs(list) do
    local kind = type(value)
    if not keyTypes[type(key)] or (kind ~= 'string' and kind ~= 'number') then
      local keys = keyTypes.number and 'strings or numbers' or 'strings'
      error("bad argument #1 to '" .. name .. "' (table keys must be " .. keys .. ', and values must be strings or numbers)', 3)
    end
  end
end

local function setAttribute(self, name, value)
  if name == 'style' then
    self.styles = {}
    if value ~= nil then self.styles[1] = {text = written(value)} end
  else
    setEntry(self.attributes, name, value)
  end
end

local function isAttributeName(name)
  return find(name, '^[^%s"\'<>/=%z\1-\31]+$') ~= nil
end

local ATTRIBUTE_KEYS = {string = true}

function methods:attr(name, value)
  if type(name) == 'table' then
    if value ~= nil then error("bad argument #2 to 'attr' (if argument #1 is a table, argument #2 must be left empty)", 2) end
    checkKeys('attr', name, ATTRIBUTE_KEYS)
    for key, item in pairs(name) do
      if not isAttributeName(key) then
        error("bad argument #1 to 'attr' (invalid attribute name '" .. key .. "')", 2)
      end
      setAttribute(self, key, item)
    end
    return self
  end
  checkType('attr', 1, name, 'string')
  checkValue('attr', value)
  if not isAttributeName(name) then
    error("bad argument #1 to 'attr' (invalid attribute name '" .. name .. "')", 2)
  end
  setAttribute(self, name, value)
  return self
end

function methods:getAttr(name)
  checkType('getAttr', 1, name, 'string')
  local index = indexOf(self.attributes, name)
  return index and self.attributes[index].value or nil
end

function methods:addClass(class)
  local kind = type(class)
  if kind == 'nil' then return self end
  if kind ~= 'string' and kind ~= 'number' then
    error("bad argument #1 to 'addClass' (string, number or nil expected, got " .. kind .. ')', 2)
  end
  local index = indexOf(self.attributes, 'class')
  if index then
    local attribute = self.attributes[index]
    attribute.value = attribute.value .. ' ' .. class
  else
    setAttribute(self, 'class', class)
  end
  return self
end

local CSS_KEYS = {string = true, number = true}

function methods:css(name, value)
  if type(name) == 'table' then
    if value ~= nil then error("bad argument #2 to 'css' (if argument #1 is a table, argument #2 must be left empty)", 2) end
    checkKeys('css', name, CSS_KEYS)
    for key, item in pairs(name) do setEntry(self.styles, written(key), item) end
    return self
  end
  local kind = type(name)
  if kind ~= 'string' and kind ~= 'number' then
    error("bad argument #1 to 'css' (string or number expected, got " .. kind .. ')', 2)
  end
  checkValue('css', value)
  setEntry(self.styles, written(name), value)
  return self
end

function methods:cssText(text)
  local kind = type(text)
  if kind == 'nil' then return self end
  if kind ~= 'string' and kind ~= 'number' then
    error("bad argument #1 to 'cssText' (string, number or nil expected, got " .. kind .. ')', 2)
  end
  self.styles[#self.styles + 1] = {text = written(text)}
  return self
end

function methods:done()
  return self.parent or self
end

function methods:allDone()
  local element = self
  while element.parent do element = element.parent end
  return element
end

-- The tables of one call.
return function ()
  local meta = {
    __index = ${copyOf('methods', METHODS)},
    __tostring = text,
  }
  return {
    create = function (tagName, options)
      if tagName ~= nil then
        checkType('mw.html.create', 1, tagName, 'string')
        if tagName == '' then tagName = nil
        elseif not isTagName(tagName) then error("invalid tag name '" .. tagName .. "'", 2) end
      end
      checkType('mw.html.create', 2, options, 'table', true)
      return newElement(meta, tagName, options)
    end,
  }
end
`
