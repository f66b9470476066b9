/** Counts the links in all latest texts. */
import { setImmediate } from 'node:timers/promises'
import type { Namespaces } from '../../domain/namespaces.js'
import { prefixedKey } from '../../domain/title.js'
import { decodeRedirect } from '../../index/titles/completions.js'
import { type IndexSet, type Tables, WHOLE_TABLE } from '../tables.js'
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
  const counts = new LinkCounts(index.indexed.getKeysCount({ ...WHOLE_TABLE }))
  let pages = 0
  for (const { value } of tables.title.getRange({ ...WHOLE_TABLE })) {
    counts.addLinksOf(value)
    if (++pages % PAGES_AT_ONCE > 0) continue
    await setImmediate()
    if (signal?.aborted) return counts
  }
  // Links to a redirect count for its target.
  for (const { key, value } of index.completion.getRange({ ...WHOLE_TABLE })) {
    if (key[2] === 0) continue
    const { title, target } = decodeRedirect(value)
    counts.add(prefixedKey(target, namespaces), counts.of(title.replaceAll(' ', '_')))
  }
  return counts
}
