/**
 * `mw.wikibase` as on a page without an item: functions exist and find nothing, so that modules use their fallback for
 * such pages.
 */
export const WIKIBASE = String.raw`
local host, tools = ...
local find, gsub, type = string.find, string.gsub, type

local function none() return nil end
local function no() return false end
local function list() return {} end
local function empty() return '' end

local function isProperty(id) return type(id) == 'string' and find(id, '^P[1-9]%d*$') ~= nil end

local function isEntity(id)
  return type(id) == 'string' and (find(id, '^[QPLM][1-9]%d*$') or find(id, '^L[1-9]%d*%-[FS][1-9]%d*$')) ~= nil
end

-- Items of Wikipedias are those of Wikidata, and its sites are named by language.
local function urlOf(id)
  return isEntity(id) and 'https://www.wikidata.org/wiki/Special:EntityPage/' .. id or nil
end

local function siteId()
  return gsub(host.contentLanguage(), '-', '_') .. 'wiki'
end

local wikibase = {
  getEntityIdForCurrentPage = none,
  getEntityIdForTitle = none,
  getEntity = none,
  getEntityObject = none,
  getEntityUrl = urlOf,
  getBadges = list,
  getBestStatements = list,
  getAllStatements = list,
  getLabel = none,
  getLabelWithLang = none,
  getLabelByLang = none,
  label = none,
  getDescription = none,
  getDescriptionWithLang = none,
  getDescriptionByLang = none,
  description = none,
  getSitelink = none,
  sitelink = none,
  getGlobalSiteId = siteId,
  getReferencedEntityId = none,
  entityExists = no,
  isValidEntityId = isEntity,
  resolvePropertyId = function (id) return isProperty(id) and id or nil end,
  renderSnak = empty,
  renderSnaks = empty,
  formatValue = empty,
  formatValues = empty,
  orderProperties = function (properties) return properties end,
  getPropertyOrder = none,
}
wikibase.entity = {
  create = none,
  claimRanks = {RANK_TRUTH = 3, RANK_PREFERRED = 2, RANK_NORMAL = 1, RANK_DEPRECATED = 0},
}
wikibase.lexeme = {getLanguage = none, getLemmas = none, getLexicalCategory = none}
return wikibase
`
