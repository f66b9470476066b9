/** Applies entries that change site settings and the interwiki map. */
import { type InterwikiChanges, mergeInterwikiChanges } from '../../domain/interwiki.js'
import type { Site } from '../../domain/site.js'
import type { SettingsEntry, Verdict } from '../entries/entries.js'
import {
  interwikiVersion,
  readBots,
  readMeta,
  readOwnInterwikiChanges,
  siteInForce,
  writeMeta,
} from '../tables/meta.js'
import type { Tables } from '../tables/tables.js'
import type { WriteContext } from './writeContext.js'
import { findHiddenTitle, listRenamed, MAX_REWRITTEN_PAGES, namingOf, rewritePages } from './renamePages.js'
import { retagBots } from './retagBots.js'

/**
 * The verdict is `site-refused`, and nothing changes, if a page could not be found under the new name of the site, or
 * if too many pages would have to be rewritten.
 */
export function applySettings(context: WriteContext, { site, interwiki }: SettingsEntry): Verdict {
  const { tables, site: before } = context
  const kept = readMeta(tables, 'siteSettings')
  const after = siteInForce(tables, readMeta(tables, 'dumpSite'), { ...kept, ...site })
  const isRenaming = namingOf(before) !== namingOf(after)
  const renamed = isRenaming ? listRenamed(tables, before, after) : []
  const reason = isRenaming ? whyRefused(tables, renamed.length, before, after) : undefined
  if (reason !== undefined) return { result: 'site-refused', reason }
  const change = interwiki === undefined ? site : { ...site, interwiki: changeInterwiki(tables, interwiki) }
  writeMeta(tables, 'siteSettings', { ...kept, ...change })
  if (site.bots !== undefined) retagBots(context, readBots(tables))
  rewritePages(tables, renamed, { indexLater: false })
  return { result: 'done' }
}

function whyRefused(tables: Tables, renamed: number, before: Site, after: Site): string | undefined {
  if (renamed > MAX_REWRITTEN_PAGES) return `${renamed} pages would have to be renamed`
  const hidden = findHiddenTitle(tables, before, after)
  return hidden === undefined ? undefined : `the page "${hidden}" could not be found any more`
}

/** Returns the version of the map. */
function changeInterwiki(tables: Tables, changes: InterwikiChanges): string {
  writeMeta(tables, 'interwiki', mergeInterwikiChanges(readOwnInterwikiChanges(tables), changes))
  return interwikiVersion(tables)
}
