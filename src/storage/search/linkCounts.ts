/** Estimates how many pages link to each page. It counts by hashes of keys, in a fixed amount of memory. */
import { setImmediate } from 'node:timers/promises'
import { MAIN } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { prefixedKey } from '../../domain/title.js'
import { decodeRedirect } from '../../index/rows/completions.js'
import { LINK_KINDS, nameIn, namespaceIn, targetOf } from '../../wikitext/pageTargets.js'
import { countSources, type LinkKey } from '../rows/linkRows.js'
import { type IndexSet, WHOLE_TABLE } from '../tables/tables.js'

const MIN_BITS = 12
const MAX_BITS = 24
const LINK = LINK_KINDS.indexOf('link')
/** Before all targets of a kind. */
const NO_TARGET = targetOf(MAIN, '')

export class LinkCounts {
  readonly #bits: number
  /** Each page has two counters, which it may share with other pages. The smaller one is closer to the truth. */
  readonly #first: Uint32Array
  readonly #second: Uint32Array

  constructor(pages: number) {
    this.#bits = Math.min(MAX_BITS, Math.max(MIN_BITS, Math.ceil(Math.log2(4 * pages + 1))))
    this.#first = new Uint32Array(2 ** this.#bits)
    this.#second = new Uint32Array(2 ** this.#bits)
  }

  add(key: string, links: number): void {
    const hash = hashOf(key)
    this.#first[this.#firstPlace(hash)]! += links
    this.#second[this.#secondPlace(hash)]! += links
  }

  /** The counted links to a page. Too high if other pages share both of its counters. */
  of(key: string): number {
    const hash = hashOf(key)
    return Math.min(this.#first[this.#firstPlace(hash)]!, this.#second[this.#secondPlace(hash)]!)
  }

  #firstPlace(hash: number): number {
    return this.#place(Math.imul(hash, 0x9e3779b1))
  }

  #secondPlace(hash: number): number {
    const again = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    return this.#place(again ^ (again >>> 12))
  }

  #place(hash: number): number {
    return hash >>> (32 - this.#bits)
  }
}

const FNV_BASIS = 0x811c9dc5

function hashOf(key: string): number {
  let hash = FNV_BASIS
  for (let n = 0; n < key.length; n++) hash = Math.imul(hash ^ key.charCodeAt(n), 0x01000193)
  return hash
}

/** Rows to read before other work gets its turn. */
const ROWS_AT_ONCE = 1000

/**
 * Counts the pages that link to each title, by the index of links. Links to a redirect count for its target, too. After
 * an abort signal, the counts are incomplete. The store may be written meanwhile.
 */
export async function countLinks(
  index: IndexSet,
  namespaces: Namespaces,
  signal: AbortSignal | undefined,
): Promise<LinkCounts> {
  const { linkSource, completion } = index
  const counts = new LinkCounts(completion.getKeysCount(WHOLE_TABLE))
  const end: LinkKey = [LINK + 1, NO_TARGET, 0]
  for (let start: LinkKey | undefined = [LINK, NO_TARGET, 0]; start !== undefined;) {
    let last: LinkKey | undefined
    for (const { key, value } of linkSource.getRange({ start, end, limit: ROWS_AT_ONCE })) {
      const [, target] = (last = key)
      const title = { namespace: namespaceIn(target), dbkey: nameIn(target) }
      counts.add(prefixedKey(title, namespaces), countSources(value))
    }
    // The next key in order.
    start = last && [last[0], last[1], last[2] + 1]
    await setImmediate()
    if (signal?.aborted) return counts
  }
  for (const { key, value } of completion.getRange(WHOLE_TABLE)) {
    if (key[2] === 0) continue
    const { title, target } = decodeRedirect(value)
    counts.add(prefixedKey(target, namespaces), counts.of(title.replaceAll(' ', '_')))
  }
  return counts
}
