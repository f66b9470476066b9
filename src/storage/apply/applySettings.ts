/** Applies entries that change site settings and the interwiki map. */
import { hash } from 'node:crypto'
import { type InterwikiChanges, mergeInterwikiChanges } from '../../domain/interwiki.js'
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { parseTitle, titleId } from '../../domain/title.js'
import type { SettingsEntry, Verdict } from '../entries.js'
import { readBots, readInterwikiChanges, readMeta, siteInForce, writeMeta } from '../meta.js'
import { decodePageRow } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables.js'
import type { WriteContext } from './context.js'
import { findHiddenTitle, MAX_REWRITTEN_PAGES, namingOf, rewritePages } from './renamePages.js'
import { retagBots } from './retagBots.js'

const INTERWIKI_VERSION_DIGITS = 16

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

/**
 * Ids of the pages that get another name, and of redirects whose unchanged target then means another page. Reads every
 * page, some microseconds each.
 */
function listRenamed(tables: Tables, before: Site, after: Site): number[] {
  const [old, renamed] = [new Namespaces(before), new Namespaces(after)]
  const target = (link: string, namespaces: Namespaces): string => {
    const parsed = parseTitle(link, namespaces)
    return parsed.ok ? titleId(parsed.title) : ''
  }
  const ids: number[] = []
  for (const { key, value } of tables.page.getRange({ ...WHOLE_TABLE })) {
    const { deleted, namespace, redirectTarget: link } = decodePageRow(value)
    if (deleted) continue
    const isRenamed = old.nameOf(namespace) !== renamed.nameOf(namespace)
    const leadsElsewhere = link !== undefined && target(link, old) !== target(link, renamed)
    if (isRenamed || leadsElsewhere) ids.push(key)
  }
  return ids
}

/** Returns the version of the map, which is part of everything that depends on the map. */
function changeInterwiki(tables: Tables, changes: InterwikiChanges): string {
  const all = mergeInterwikiChanges(readInterwikiChanges(tables), changes)
  writeMeta(tables, 'interwiki', all)
  return hash('sha256', JSON.stringify(all)).slice(0, INTERWIKI_VERSION_DIGITS)
}
