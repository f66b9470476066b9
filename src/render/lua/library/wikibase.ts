/**
 * `mw.wikibase` as on a page without an item: functions exist and find nothing, so that modules use their fallback for
 * such pages.
 */
export const WIKIBASE = String.raw`
local host, tools = ...
local find, type = string.find, type

local function none() return nil end
local function no() return false end
local function list() return {} end
local function empty() return '' end

local function isItem(id) return type(id) == 'string' and find(id, '^[QPLM][1-9]%d*$') ~= nil end

local wikibase = {
  getEntityIdForCurrentPage = none,
  getEntityIdForTitle = none,
  getEntity = none,
  getEntityObject = none,
  getEntityUrl = none,
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
  getGlobalSiteId = none,
  getReferencedEntityId = none,
  entityExists = no,
  isValidEntityId = isItem,
  resolvePropertyId = function (id) return isItem(id) and id or nil end,
  renderSnak = empty,
  renderSnaks = empty,
  formatValue = empty,
  formatValues = empty,
  orderProperties = function (properties) return properties end,
  getPropertyOrder = list,
}
wikibase.entity = {
  create = none,
  claimRanks = {RANK_PREFERRED = 2, RANK_NORMAL = 1, RANK_DEPRECATED = 0},
}
return wikibase
`
