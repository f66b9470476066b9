/** Makes site, bots and interwiki map equal to states. */
import type { Interwiki } from '../../../domain/interwiki.js'
import { DEFAULT_SITE, type Site } from '../../../domain/site.js'
import type { UpstreamStates } from '../../../domain/upstream.js'
import { interwikiVersion, readBots, readMeta, siteInForce, writeMeta } from '../../tables/meta.js'
import type { Tables } from '../../tables/tables.js'
import type { WriteContext } from '../writeContext.js'
import { listRenamed, MAX_REWRITTEN_PAGES, namingOf, rewritePages } from '../renamePages.js'
import { retagBots } from '../retagBots.js'

type Settings = Pick<UpstreamStates, 'site' | 'bots' | 'interwiki'>

/** Reason why names of namespaces cannot change; undefined if they can. */
export function settingsRefusal(
  { tables, site: before }: WriteContext,
  states: Settings,
): string | undefined {
  const after = siteInForce(tables, siteOf(tables, states))
  if (namingOf(before) === namingOf(after)) return undefined
  const renamed = listRenamed(tables, before, after).length
  return renamed > MAX_REWRITTEN_PAGES ? `${renamed} pages would have to be renamed` : undefined
}

/** Returns how many of the three changed. */
export function mirrorSettings(context: WriteContext, states: Settings): number {
  const { tables, site: before } = context
  const known = readMeta(tables, 'dumpSite')
  const site = siteOf(tables, states)
  const isNewBots = states.bots !== undefined && !isSame(site?.bots, known?.bots ?? DEFAULT_SITE.bots)
  const isNewSite =
    states.site !== undefined && !isSame({ ...site, bots: [] }, known && { ...known, bots: [] })
  if (site !== undefined && (isNewBots || isNewSite)) {
    writeMeta(tables, 'dumpSite', site)
    const after = siteInForce(tables, site)
    const isRenaming = namingOf(before) !== namingOf(after)
    if (isRenaming) rewritePages(tables, listRenamed(tables, before, after), { indexLater: false })
    retagBots(context, readBots(tables))
  }
  const isNewMap = states.interwiki !== undefined && changeMap(tables, states.interwiki)
  return Number(isNewBots) + Number(isNewSite) + Number(isNewMap)
}

/** The site to write; undefined: as before. */
function siteOf(tables: Tables, { site, bots }: Settings): Site | undefined {
  const known = readMeta(tables, 'dumpSite')
  if (site === undefined && bots === undefined) return known
  const base = site ?? known ?? DEFAULT_SITE
  return { ...base, bots: bots === undefined ? (known?.bots ?? base.bots) : [...bots].sort() }
}

function changeMap(tables: Tables, map: readonly Interwiki[]): boolean {
  const sorted = [...map].sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
  if (isSame(sorted, readMeta(tables, 'upstreamInterwiki'))) return false
  writeMeta(tables, 'upstreamInterwiki', sorted)
  writeMeta(tables, 'siteSettings', {
    ...readMeta(tables, 'siteSettings'),
    interwiki: interwikiVersion(tables),
  })
  return true
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
