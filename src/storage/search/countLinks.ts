/** Counts the links in all latest texts. */
import { setImmediate } from 'node:timers/promises'
import type { Namespaces } from '../../domain/namespaces.js'
import { prefixedKey } from '../../domain/title.js'
import { decodeRedirect } from '../../index/titles/completions.js'
import type { TitleKey } from '../rows/keys.js'
import { type IndexSet, type TableHolder, type Tables, WHOLE_TABLE } from '../tables/tables.js'
import { LinkCounts } from './linkCounts.js'

/** Pages to read before other work gets its turn. */
const PAGES_AT_ONCE = 500

/** Links to redirects of an index count for their targets, too. After an abort signal, the counts are incomplete. */
export async function countLinks(
  tables: Tables,
  index: IndexSet,
  namespaces: Namespaces,
  signal: AbortSignal | undefined,
): Promise<LinkCounts> {
  const counts = await countLinksInTexts({ tables }, signal)
  if (signal?.aborted !== true) countForTargets(counts, index, namespaces)
  return counts
}

/** Counts links by the titles that they name. The store may be written meanwhile. */
export async function countLinksInTexts(
  { tables: { title } }: TableHolder,
  signal: AbortSignal | undefined,
): Promise<LinkCounts> {
  const counts = new LinkCounts(title.getKeysCount(WHOLE_TABLE))
  for (let start: TitleKey | undefined; ;) {
    let last: TitleKey | undefined
    for (const { key, value } of title.getRange({ start, limit: PAGES_AT_ONCE })) {
      counts.addLinksOf(value)
      last = key
    }
    if (last === undefined) return counts
    // The next key in order.
    start = [last[0], `${last[1]}\0`]
    await setImmediate()
    if (signal?.aborted) return counts
  }
}

/** Adds the links to each redirect of an index to those of its target. */
export function countForTargets(counts: LinkCounts, index: IndexSet, namespaces: Namespaces): void {
  for (const { key, value } of index.completion.getRange(WHOLE_TABLE)) {
    if (key[2] === 0) continue
    const { title, target } = decodeRedirect(value)
    counts.add(prefixedKey(target, namespaces), counts.of(title.replaceAll(' ', '_')))
  }
}
