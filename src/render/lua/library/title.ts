/** `mw.title` */
export const TITLE = String.raw`
local host, tools = ...
local error, find, gsub, match, setmetatable, sub, type = error, string.find, string.gsub, string.match, setmetatable, string.sub, type
local format, next, rawset, rawget, concat = string.format, next, rawset, rawget, table.concat
local tostring, ipairs, pairs = tools.tostring, tools.ipairs, tools.pairs
local namespaces = tools.namespaces()

local dataOf = setmetatable({}, {__mode = 'k'})
local FILE, MEDIA, SPECIAL = 6, -2, -1

-- Objects of one call have one metatable, which its modules can reach.
local function newObject(meta, namespace, text, fragment, interwiki)
  if not namespace then return nil end
  local object = {}
  dataOf[object] = {meta = meta, namespace = namespace, text = text, fragment = fragment, interwiki = interwiki}
  return setmetatable(object, meta)
end

local function namespaceOf(data)
  return namespaces[data.namespace] or {id = data.namespace, name = tostring(data.namespace), subjectId = data.namespace}
end

-- Numbers are rounded down, and texts may be numbers.
local function namespaceId(value, name, index)
  local kind = type(value)
  if kind == 'nil' then return nil end
  if kind == 'string' then
    if value == '' then return 0 end
    local id = not tonumber(value) and host.namespaceId(value)
    if id then return id end
  elseif kind ~= 'number' then
    error(format("bad argument #%d to '%s' (namespace number or name expected, got %s)", index, name, kind), 3)
  end
  local id = tonumber(value)
  id = id and id - id % 1
  if id and namespaces[id] then return id end
  local what = kind == 'number' and 'number' or 'name'
  error(format("bad argument #%d to '%s' (unrecognized namespace %s '%s')", index, name, what, tostring(value)), 3)
end

local function withPrefix(data, text)
  local prefix = data.interwiki ~= '' and data.interwiki .. ':' or ''
  local name = namespaceOf(data).name
  if name ~= '' then prefix = prefix .. name .. ':' end
  return prefix .. (text or data.text)
end

local function hasSubpages(data)
  return data.interwiki == '' and namespaceOf(data).hasSubpages or false
end

local function baseText(data)
  return hasSubpages(data) and match(data.text, '^(.*)/[^/]*$') or data.text
end

local function rootText(data)
  return hasSubpages(data) and match(data.text, '^([^/]+)/') or data.text
end

local function subpageText(data)
  return hasSubpages(data) and match(data.text, '/([^/]*)$') or data.text
end

local function facts(data)
  if not data.facts then
    if data.interwiki ~= '' then
      data.facts = {0, false, false, 'wikitext'}
    else
      data.facts = {host.pageFacts(data.namespace, data.text)}
    end
  end
  return data.facts
end

local getters = {}
function getters.basePageTitle(data) return newObject(data.meta, host.makeTitle(data.namespace, baseText(data), '', data.interwiki)) end
getters.baseText = baseText
function getters.canTalk(data) return data.interwiki == '' and namespaceOf(data).talkId ~= nil end
function getters.cascadingProtection(data)
  host.countExpensive('protection:' .. data.namespace .. ':' .. data.text)
  return {restrictions = {}, sources = {}}
end
function getters.contentModel(data) return facts(data)[4] end
function getters.exists(data) return facts(data)[2] end
function getters.file(data)
  if data.namespace ~= FILE and data.namespace ~= MEDIA then return nil end
  data.file = data.file or host.fileFacts(data.text)
  return data.file
end
function getters.fileExists(data)
  local file = getters.file(data)
  if file then return file.exists end
  return nil
end
function getters.fragment(data) return data.fragment end
function getters.fullText(data)
  local text = withPrefix(data)
  return data.fragment == '' and text or text .. '#' .. data.fragment
end
function getters.id(data) return facts(data)[1] end
function getters.interwiki(data) return data.interwiki end
function getters.isContentPage(data) return data.interwiki == '' and namespaceOf(data).isContent or false end
function getters.isExternal(data) return data.interwiki ~= '' end
function getters.isLocal(data) return data.interwiki == '' end
function getters.isRedirect(data) return facts(data)[3] end
function getters.isSpecialPage(data) return data.namespace == SPECIAL end
function getters.isSubpage(data) return hasSubpages(data) and find(data.text, '/', 1, true) ~= nil end
function getters.isTalkPage(data) return namespaceOf(data).isTalk or false end
function getters.namespace(data) return data.namespace end
function getters.nsText(data) return (gsub(namespaceOf(data).name, ' ', '_')) end
function getters.prefixedText(data) return withPrefix(data) end
function getters.protectionLevels(data)
  if data.interwiki ~= '' then return {} end
  if data.text == '' then return nil end
  local exists, edit, create, move = host.protection(data.namespace, data.text)
  if exists then return {edit = {edit}, move = {move}} end
  return {create = {create}}
end
function getters.redirectTarget(data)
  local text = data.interwiki == '' and host.redirectTarget(data.namespace, data.text)
  return text and newObject(data.meta, host.newTitle(text)) or false
end
function getters.rootPageTitle(data) return newObject(data.meta, host.makeTitle(data.namespace, rootText(data), '', data.interwiki)) end
getters.rootText = rootText
function getters.subjectNsText(data)
  local subject = namespaces[namespaceOf(data).subjectId] or namespaceOf(data)
  return (gsub(subject.name, ' ', '_'))
end
function getters.subjectPageTitle(data)
  return newObject(data.meta, namespaceOf(data).subjectId, data.text, '', data.interwiki)
end
getters.subpageText = subpageText
function getters.talkPageTitle(data)
  if data.text == '' then return nil end
  local talkId = namespaceOf(data).talkId
  return talkId and newObject(data.meta, talkId, data.text, '', data.interwiki) or nil
end
function getters.text(data) return data.text end
function getters.thePartialUrl(data) return host.encodeTitle((gsub(data.text, ' ', '_'))) end

local methods = {}
local METHOD_NAMES = {}

local function method(name, run)
  methods[name] = function (self, ...)
    local data = dataOf[self]
    if not data then
      error('mw.title: invalid title object. Did you call ' .. name ..
        ' with a dot instead of a colon, i.e. title.' .. name .. '() instead of title:' .. name .. '()?', 2)
    end
    return run(data, ...)
  end
end

local function urlOf(run, getText)
  return function (data, query)
    if type(query) == 'table' then query = tools.privateLibrary('query').textOf(query) end
    local text = getText(data)
    if data.interwiki == '' and data.namespace == 0 then text = ':' .. text end
    if query == nil or query == '' then return run(text) end
    return run(text, tostring(query))
  end
end

method('fullUrl', urlOf(host.fullUrl, getters.fullText))
method('canonicalUrl', urlOf(host.fullUrl, getters.fullText))
method('localUrl', urlOf(host.localUrl, getters.prefixedText))
method('partialUrl', function (data) return getters.thePartialUrl(data) end)
method('getContent', function (data)
  if data.interwiki ~= '' then return nil end
  return host.pageContent(data.namespace, data.text)
end)

local function isIn(data, namespace)
  return data.namespace == namespaceId(namespace, 'inNamespace', 1)
end

method('inNamespace', isIn)
method('inNamespaces', function (data, ...)
  for _, namespace in ipairs{...} do
    if isIn(data, namespace) then return true end
  end
  return false
end)
method('hasSubjectNamespace', function (data, namespace)
  return namespaceOf(data).subjectId == namespaceId(namespace, 'hasSubjectNamespace', 1)
end)
method('isSubpageOf', function (data, other)
  local outer = dataOf[other]
  if not outer then error("bad argument #1 to 'isSubpageOf' (title object expected)", 3) end
  return data.interwiki == outer.interwiki and data.namespace == outer.namespace and hasSubpages(data)
    and sub(data.text, 1, #outer.text + 1) == outer.text .. '/'
end)
method('subPageTitle', function (data, text)
  return newObject(data.meta, host.makeTitle(data.namespace, data.text .. '/' .. tostring(text), '', data.interwiki))
end)

local function index(object, name)
  local data = dataOf[object]
  local getter = getters[name]
  if getter then return getter(data) end
  return methods[name]
end

local function newIndex(object, name, value)
  local data = dataOf[object]
  if name == 'fragment' then
    if type(value) ~= 'string' then
      error("value for index 'fragment' must be string, " .. type(value) .. ' given', 2)
    end
    data.fragment = gsub(value, '_', ' ')
  elseif getters[name] or methods[name] then
    error("index '" .. name .. "' is read only", 2)
  else
    rawset(object, name, value)
  end
end

local NOT_LISTED = {file = true, fileExists = true}

local function listed(object)
  local data = dataOf[object]
  local all = {}
  for name, value in next, methods do all[name] = value end
  for name, getter in next, getters do
    local isFile = data.namespace == FILE or data.namespace == MEDIA
    if isFile or not NOT_LISTED[name] then all[name] = getter(data) end
  end
  return next, all, nil
end

local function written(object) return withPrefix(dataOf[object]) end

local function isSame(left, right)
  return left.interwiki == right.interwiki and left.namespace == right.namespace and left.text == right.text
end

local function equals(left, right) return isSame(dataOf[left], dataOf[right]) end

local function compared(left, right)
  if left.interwiki ~= right.interwiki then return left.interwiki < right.interwiki and -1 or 1 end
  if left.namespace ~= right.namespace then return left.namespace < right.namespace and -1 or 1 end
  if left.text ~= right.text then return left.text < right.text and -1 or 1 end
  return 0
end

local function isBefore(left, right) return compared(dataOf[left], dataOf[right]) < 0 end
local function isNotBehind(left, right) return compared(dataOf[left], dataOf[right]) <= 0 end

local function compare(left, right) return compared(dataOf[left], dataOf[right]) end

-- The tables of one call.
return function ()
  local meta = {
    __index = index, __newindex = newIndex, __pairs = listed, __tostring = written, __eq = equals, __lt = isBefore,
    __le = isNotBehind,
  }
  return {
    equals = equals,
    compare = compare,
    new = function (text, namespace)
      if type(text) == 'number' then return newObject(meta, host.titleById(text)) end
      if type(text) ~= 'string' then
        error("bad argument #1 to 'title.new' (number or string expected, got " .. type(text) .. ')', 2)
      end
      return newObject(meta, host.newTitle(text, namespaceId(namespace, 'title.new', 2)))
    end,
    makeTitle = function (namespace, text, fragment, interwiki)
      local id = namespaceId(namespace, 'makeTitle', 1)
      if id == nil then error("bad argument #1 to 'makeTitle' (namespace number or name expected, got nil)", 2) end
      if type(text) ~= 'string' then
        error("bad argument #2 to 'makeTitle' (string expected, got " .. type(text) .. ')', 2)
      end
      return newObject(meta, host.makeTitle(id, text, fragment, interwiki))
    end,
    getCurrentTitle = function () return newObject(meta, host.currentTitle()) end,
  }
end
`
