/** `mw.uri` */
export const URI = String.raw`
local host, tools, env = ...
local byte, char, error, find, format, gmatch, gsub, match, setmetatable, sort, sub, tonumber, type =
  string.byte, string.char, error, string.find, string.format, string.gmatch, string.gsub, string.match, setmetatable,
  table.sort, string.sub, tonumber, type
local concat, rawset, rawget, next = table.concat, rawset, rawget, next
local tostring, ipairs, pairs, checkType = tools.tostring, tools.ipairs, tools.pairs, tools.checkType
local privateLibrary = tools.privateLibrary

local uri = {}

local function percent(character)
  return format('%%%02X', byte(character))
end

local SPACES = {QUERY = '+', PATH = '%20', WIKI = '_'}
local ESCAPED = {QUERY = '[^%w%-_%.~ ]', PATH = '[^%w%-_%.~]', WIKI = '[^%w%-_%.!~%*%(%)@%$,;/: ]'}

local function kindOf(kind, name)
  if kind == nil then return 'QUERY' end
  if SPACES[kind] then return kind end
  error("bad argument #2 to '" .. name .. "' (expected QUERY, PATH, or WIKI)", 3)
end

function uri.encode(text, kind)
  checkType('encode', 1, text, 'string')
  kind = kindOf(kind, 'encode')
  local result = gsub(text, ESCAPED[kind], percent)
  if kind == 'PATH' then return result end
  return (gsub(result, ' ', SPACES[kind]))
end

function uri.decode(text, kind)
  checkType('decode', 1, text, 'string')
  kind = kindOf(kind, 'decode')
  if kind == 'QUERY' then text = gsub(text, '%+', ' ') elseif kind == 'WIKI' then text = gsub(text, '_', ' ') end
  return (gsub(text, '%%(%x%x)', function (hex) return char(tonumber(hex, 16)) end))
end

function uri.anchorEncode(text)
  checkType('anchorEncode', 1, text, 'string')
  return host.anchorEncode(text)
end

local function addPair(list, key, value)
  if value == true then error("bad argument #1 to 'gsub' (string expected, got boolean)", 3) end
  list[#list + 1] = uri.encode(key) .. (value == false and '' or '=' .. uri.encode(tostring(value)))
end

function uri.buildQueryString(query)
  checkType('buildQueryString', 1, query, 'table')
  local list = {}
  for key, value in pairs(query) do
    key = tostring(key)
    if type(value) == 'table' then
      for _, item in ipairs(value) do addPair(list, key, item) end
    else
      addPair(list, key, value)
    end
  end
  return concat(list, '&')
end

function uri.parseQueryString(text, from, to)
  checkType('parseQueryString', 1, text, 'string')
  text = gsub(sub(text, from or 1, to or -1), '^%?', '')
  local query = privateLibrary('query').ordered()
  for part in gmatch(text, '[^&]+') do
    local key, value = match(part, '^([^=]*)=(.*)$')
    if key then value = uri.decode(value) else key, value = part, false end
    key = uri.decode(key)
    local known = query[key]
    if known == nil then query[key] = value
    elseif type(known) == 'table' then known[#known + 1] = value
    else query[key] = {known, value} end
  end
  return query
end

-- Objects

local methods = {}
local computed = {}
local meta = {}

local function present(text, prefix)
  return text and prefix .. text or ''
end

function computed.userInfo(self)
  local user, password = self.user, self.password
  return user and user .. present(password, ':') or nil
end

function computed.hostPort(self)
  local name = self.host
  return name and name .. present(self.port, ':') or nil
end

function computed.authority(self)
  local hostPort, userInfo = computed.hostPort(self), computed.userInfo(self)
  return hostPort and (userInfo and userInfo .. '@' or '') .. hostPort or nil
end

function computed.queryString(self)
  return self.query and uri.buildQueryString(self.query) or nil
end

function computed.relativePath(self)
  return (self.path or '') .. present(computed.queryString(self), '?') .. present(self.fragment, '#')
end

local setters = {}

function setters.userInfo(self, text)
  local user, password = match(text or '', '^([^:]*):(.*)$')
  self.user, self.password = user or text, password
end

function setters.hostPort(self, text)
  local name, port = match(text or '', '^(.*):(%d*)$')
  port = tonumber(port)
  if not port and find(text or '', ':[^%]]*$') then error('Invalid port number in string', 0) end
  self.host, self.port = name or text, port
end

function setters.authority(self, text)
  local info, rest = match(text or '', '^([^@]*)@(.*)$')
  if info then setters.userInfo(self, info) else self.user, self.password = nil, nil end
  setters.hostPort(self, rest or text)
end

function setters.queryString(self, text)
  self.query = text and uri.parseQueryString(text) or nil
end

function setters.relativePath(self, text)
  text = text or ''
  local before, fragment = match(text, '^([^#]*)#(.*)$')
  local rest = before or text
  local path, query = match(rest, '^([^?]*)%?(.*)$')
  self.path, self.fragment = path or rest, fragment
  setters.queryString(self, query)
end

function meta.__index(self, name)
  if computed[name] then return computed[name](self) end
  return methods[name]
end

function meta.__newindex(self, name, value)
  if setters[name] then setters[name](self, value) else rawset(self, name, value) end
end

function meta.__tostring(self)
  local authority = computed.authority(self)
  return (self.protocol and self.protocol .. ':' or '') .. (authority and '//' .. authority or '') .. computed.relativePath(self)
end

function meta.__eq(left, right) return meta.__tostring(left) == meta.__tostring(right) end

local FIELDS = {'protocol', 'user', 'password', 'host', 'port', 'path', 'query', 'fragment'}

local function copied(value)
  if type(value) ~= 'table' then return value end
  local queries = privateLibrary('query')
  local copy = queries.isOrdered(value) and queries.ordered() or {}
  for key, item in pairs(value) do copy[key] = copied(item) end
  return copy
end

local function newUri()
  return setmetatable({}, meta)
end

function methods:clone()
  local copy = newUri()
  for _, name in ipairs(FIELDS) do rawset(copy, name, copied(rawget(self, name))) end
  return copy
end

function methods:extend(parameters)
  checkType('extend', 1, parameters, 'table')
  local query = self.query or {}
  for key, value in pairs(parameters) do query[key] = value end
  self.query = query
  return self
end

function methods:parse(text)
  for _, name in ipairs(FIELDS) do self[name] = nil end
  local rest = text
  local protocol, after = match(rest, '^([%a][%w+.-]*):(.*)$')
  if protocol then self.protocol, rest = protocol, after end
  local authority, path = match(rest, '^//([^/?#]*)(.*)$')
  if authority then
    setters.authority(self, authority)
    rest = path
  end
  setters.relativePath(self, rest)
  return self
end

local function isPath(path, name)
  if name then return path == '' or sub(path, 1, 1) == '/' end
  return sub(path, 1, 2) ~= '//'
end

function uri.validate(object)
  if type(object) ~= 'table' then error("bad argument #1 to 'validate' (table expected, got " .. type(object) .. ')', 2) end
  local faults = {}
  local function add(fault) faults[#faults + 1] = fault end
  local function checkText(name)
    local kind = type(object[name])
    if kind ~= 'string' and kind ~= 'nil' then add('.' .. name .. ' must be a string, not ' .. kind) end
  end
  for _, name in ipairs{'protocol', 'user', 'password', 'host'} do checkText(name) end
  local port, path, query = object.port, object.path, object.query
  if port and (type(port) ~= 'number' or port % 1 ~= 0) then add('.port must be an integer, not ' .. type(port))
  elseif port and (port < 1 or port > 65535) then add('invalid .port') end
  checkText('path')
  if not path then add('missing .path')
  elseif type(path) == 'string' and not isPath(path, object.host) then add('invalid .path') end
  if query and type(query) ~= 'table' then add('.query must be a table, not ' .. type(query)) end
  checkText('fragment')
  return #faults == 0, concat(faults, '; ')
end

function uri.new(from)
  local object = newUri()
  if from == nil then return object end
  if type(from) == 'string' then return object:parse(from) end
  if type(from) ~= 'table' then
    error("bad argument #1 to 'new' (string or table or nil expected, got " .. type(from) .. ')', 2)
  end
  for _, name in ipairs(FIELDS) do object[name] = copied(from[name]) end
  return object
end

local function pageUri(run)
  return function (page, query)
    if type(page) == 'table' then page = page.fullText end
    local text = query
    if type(query) == 'table' then text = privateLibrary('query').textOf(query) end
    local address = text and text ~= '' and run(tostring(page), text) or run(tostring(page))
    return address and uri.new(address) or nil
  end
end

uri.localUrl = pageUri(function (page, ...) return host.localUrl(match(page, '^[^#]*'), ...) end)
uri.fullUrl = pageUri(host.fullUrl)
uri.canonicalUrl = pageUri(host.fullUrl)

return uri
`
