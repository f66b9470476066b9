/** `mw.site` */
import { copyOf } from './tables.js'

/** Of a namespace, as `host/site.ts` gives them. */
const FIELDS = `
  id name canonicalName aliases hasSubpages hasGenderDistinction isCapitalized isContent defaultContentModel isIncludable
  isMovable isSubject isTalk`

export const SITE = String.raw`
local host, tools = ...
local error, gsub, lower, rawget, rawset, setmetatable, tonumber, type =
  error, string.gsub, string.lower, rawget, rawset, setmetatable, tonumber, type
local checkType = tools.checkType

local site = host.site()

local all = tools.namespaces()
local byId, content, subjects, talks = {}, {}, {}, {}
for id, facts in next, all do
  local namespace = ${copyOf('facts', FIELDS)}
  namespace.aliases = tools.copied(facts.aliases)
  if id == 0 then namespace.displayName = host.message('blanknamespace') end
  byId[id] = namespace
end

for id, namespace in next, byId do
  local subjectId, talkId = all[id].subjectId, all[id].talkId
  namespace.subject = byId[subjectId] or namespace
  namespace.talk = talkId and byId[talkId] or nil
  if id >= 0 then
    if id == subjectId then namespace.associated = namespace.talk else namespace.associated = namespace.subject end
  end
  if namespace.isContent then content[id] = namespace end
  if namespace.isSubject then subjects[id] = namespace end
  if namespace.isTalk then talks[id] = namespace end
end

site.namespaces = setmetatable(byId, {
  __index = function (list, name)
    if type(name) ~= 'string' or tonumber(name) then return nil end
    local id = host.namespaceId(name)
    return id and rawget(list, id)
  end,
})
site.contentNamespaces, site.subjectNamespaces, site.talkNamespaces = content, subjects, talks

local stats = {
  pagesInCategory = function (category, which)
    checkType('pagesInCategory', 1, category, 'string')
    checkType('pagesInCategory', 2, which, 'string', true)
    return host.categorySize(category, which)
  end,
  pagesInNamespace = function (namespace)
    local id = tonumber(namespace) or host.namespaceId(tools.tostring(namespace))
    return id and host.pagesInNamespace(id) or 0
  end,
  usersInGroup = function (group)
    checkType('usersInGroup', 1, group, 'string')
    return host.usersInGroup(group)
  end,
}

-- Counts of the whole wiki are read when one of them is asked for.
local NAMES = {activeUsers = true, admins = true, articles = true, edits = true, files = true, pages = true, users = true}
local function readCounts()
  setmetatable(stats, nil)
  tools.hidden[stats] = nil
  for name, count in next, host.statistics() do rawset(stats, name, count) end
end
tools.hidden[stats] = true
site.stats = setmetatable(stats, {
  __index = function (_, name)
    if not NAMES[name] then return nil end
    readCounts()
    return rawget(stats, name)
  end,
  __pairs = function ()
    readCounts()
    return next, stats, nil
  end,
})

function site.interwikiMap(filter)
  checkType('interwikiMap', 1, filter, 'string', true)
  return host.interwikiMap(filter)
end

return site
`
