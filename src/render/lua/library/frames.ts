/** Frames. Part of the base chunk: see `base.ts`. */
export const FRAMES = String.raw`-- Frames

local frameIds = setmetatable({}, {__mode = 'k'})
local parentIds = setmetatable({}, {__mode = 'k'})
local methods = {}

local function idOf(frame, method)
  local id = frameIds[frame]
  if id then return id end
  error('frame:' .. method .. ': invalid frame object. Did you call ' .. method ..
    ' with a dot instead of a colon, i.e. frame.' .. method .. '() instead of frame:' .. method .. '()?', 3)
end

local function isInteger(text)
  return #text < 16 and (text == '0' or find(text, '^%-?[1-9][0-9]*$') ~= nil)
end

-- Asking the host for an argument takes a microsecond or two, and navigation boxes ask for dozens that are not there.
-- So after some misses the names are fetched, which tell the others.
local MISSES_BEFORE_NAMES = 3

local function setOf(list)
  local set = {}
  for _, name in rawipairs(list) do set[name] = true end
  return set
end

local function argumentsOf(id)
  local known, all, names, misses = {}, nil, nil, 0
  local function get(_, key)
    local kind = type(key)
    if kind == 'number' then key = rawtostring(key) elseif kind ~= 'string' then return nil end
    local value = known[key]
    if value == nil then
      if names and not names[key] then return nil end
      value = host.argument(id, key) or false
      known[key] = value
      if not value then
        misses = misses + 1
        if misses == MISSES_BEFORE_NAMES then names = setOf(host.argumentNames(id)) end
      end
    end
    return value or nil
  end
  return setmetatable({}, {
    __index = get,
    __pairs = function ()
      if not all then
        all = {}
        for _, name in rawipairs(host.argumentNames(id)) do
          all[isInteger(name) and tonumber(name) or name] = get(nil, name)
        end
      end
      return next, all, nil
    end,
    __ipairs = function (arguments)
      return function (_, index)
        index = index + 1
        local value = arguments[index]
        if value ~= nil then return index, value end
      end, arguments, 0
    end,
  })
end

local function newFrame(id, parentId)
  local frame = {
    args = argumentsOf(id),
    argumentPairs = methods.argumentPairs, callParserFunction = methods.callParserFunction,
    expandTemplate = methods.expandTemplate, extensionTag = methods.extensionTag, getArgument = methods.getArgument,
    getParent = methods.getParent, getTitle = methods.getTitle, newChild = methods.newChild,
    newParserValue = methods.newParserValue, newTemplateParserValue = methods.newTemplateParserValue,
    preprocess = methods.preprocess,
  }
  frameIds[frame] = id
  parentIds[frame] = parentId
  return frame
end

function methods.getParent(frame)
  idOf(frame, 'getParent')
  local parentId = parentIds[frame]
  return parentId and newFrame(parentId) or nil
end

function methods.getTitle(frame)
  return host.frameTitle(idOf(frame, 'getTitle'))
end

function methods.argumentPairs(frame)
  idOf(frame, 'argumentPairs')
  return pairs(frame.args)
end

function methods.preprocess(frame, text)
  local id = idOf(frame, 'preprocess')
  if type(text) == 'table' then text = text.text end
  return host.preprocess(id, tostring(text))
end

-- Names and values one after the other; true is 1, as in PHP.
local function flattened(name, args)
  local list, count = {}, 0
  for key, value in pairs(args) do
    local kind = type(value)
    if kind == 'boolean' then value = value and '1' or ''
    elseif kind ~= 'string' and kind ~= 'number' then
      error('frame:' .. name .. ": invalid type " .. kind .. " for arg '" .. tostring(key) .. "'", 3)
    end
    list[count + 1], list[count + 2] = tostring(key), value
    count = count + 2
  end
  return list
end

function methods.expandTemplate(frame, options)
  local id = idOf(frame, 'expandTemplate')
  if type(options) ~= 'table' then error('frame:expandTemplate: the first parameter must be a table') end
  local title = options.title
  if title == nil then error('frame:expandTemplate: a title is required') end
  if type(title) == 'table' then title = title.prefixedText and ':' .. title.prefixedText end
  local args = options.args
  if args == nil then return host.expandTemplate(id, title) end
  if type(args) ~= 'table' then error('frame:expandTemplate: args must be a table') end
  return host.expandTemplate(id, title, unpack(flattened('expandTemplate', args)))
end

function methods.callParserFunction(frame, name, args, ...)
  local id = idOf(frame, 'callParserFunction')
  if type(name) == 'table' then
    name, args = name.name, name.args
    if type(args) ~= 'table' then args = {args} end
  elseif type(args) ~= 'table' then
    args = {args, ...}
  end
  if name == nil then error('frame:callParserFunction: a function name is required', 2) end
  if type(name) ~= 'string' and type(name) ~= 'number' then
    error('frame:callParserFunction: function name must be a string or number', 2)
  end
  return host.callParserFunction(id, name, unpack(flattened('callParserFunction', args)))
end

function methods.extensionTag(frame, name, content, attributes)
  local id = idOf(frame, 'extensionTag')
  if type(name) == 'table' then name, content, attributes = name.name, name.content, name.args end
  if name == nil then error('frame:extensionTag: a function name is required', 2) end
  if type(attributes) ~= 'table' then attributes = {} end
  if content ~= nil then content = tostring(content) end
  return host.extensionTag(id, tostring(name), content, unpack(flattened('extensionTag', attributes)))
end

function methods.newChild(frame, options)
  local id = idOf(frame, 'newChild')
  if type(options) ~= 'table' then error('frame:newChild: the first parameter must be a table', 2) end
  local title, args = options.title, options.args
  if type(title) == 'table' then title = title.prefixedText end
  if args ~= nil and type(args) ~= 'table' then error('frame:newChild: args must be a table', 2) end
  return newFrame(host.newChild(id, title and tostring(title), unpack(flattened('newChild', args or {}))), id)
end

function methods.getArgument(frame, name)
  idOf(frame, 'getArgument')
  if type(name) == 'table' then name = name.name end
  return {expand = function () return frame.args[name] end}
end

local function expandedOnce(expand)
  local value
  return {expand = function ()
    if value == nil then value = expand() end
    return value
  end}
end

function methods.newParserValue(frame, text)
  idOf(frame, 'newParserValue')
  if type(text) == 'table' then text = text.text end
  return expandedOnce(function () return frame:preprocess(text) end)
end

function methods.newTemplateParserValue(frame, options)
  idOf(frame, 'newTemplateParserValue')
  if type(options) ~= 'table' then error('frame:newTemplateParserValue: the first parameter must be a table', 2) end
  if options.title == nil then error('frame:newTemplateParserValue: a title is required', 2) end
  return expandedOnce(function () return frame:expandTemplate(options) end)
end

`
