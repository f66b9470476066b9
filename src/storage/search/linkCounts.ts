/** Estimates how many links lead to each page. It counts by hashes of keys, in a fixed amount of memory. */
import { setImmediate } from 'node:timers/promises'
import type { Namespaces } from '../../domain/namespaces.js'
import { prefixedKey } from '../../domain/title.js'
import { decodeRedirect } from '../../index/rows/completions.js'
import type { TitleKey } from '../rows/keys.js'
import { type IndexSet, type TableHolder, type Tables, WHOLE_TABLE } from '../tables/tables.js'

const MIN_BITS = 12
const MAX_BITS = 24
/** Longer targets are not titles. */
const MAX_TARGET_BYTES = 300
/** Further links of a page do not count. */
const MAX_LINKS = 2000
const OPEN = 0x5b
const COLON = 0x3a
const UNDERSCORE = 0x5f
const BLANK = 1
const END = 2
/**
 * Kinds of bytes. A link target ends at `]`, `|`, `#`, `{`, `[`, a line break, and the backslash of an escaped one in
 * JSON.
 */
const KINDS = new Uint8Array(256)
for (const byte of Buffer.from(' \t\v\f\r')) KINDS[byte] = BLANK
for (const byte of Buffer.from(']|#{[\\\n')) KINDS[byte] = END

export class LinkCounts {
  readonly #bits: number
  /** Each page has two counters, which it may share with other pages. The smaller one is closer to the truth. */
  readonly #first: Uint32Array
  readonly #second: Uint32Array
  /** Of the page that is being counted. */
  readonly #targets = new HashSet(MAX_LINKS)

  constructor(pages: number) {
    this.#bits = Math.min(MAX_BITS, Math.max(MIN_BITS, Math.ceil(Math.log2(4 * pages + 1))))
    this.#first = new Uint32Array(2 ** this.#bits)
    this.#second = new Uint32Array(2 ** this.#bits)
  }

  /** Counts the links of a page's wikitext, each target once. `source` may be JSON that contains the wikitext. */
  addLinksOf(source: Buffer): void {
    const targets = this.#targets
    targets.clear()
    const last = source.length - 1
    for (let at = 0; at < last && targets.size < MAX_LINKS; at++) {
      if (source[at] !== OPEN || source[at + 1] !== OPEN) continue
      const start = at + 2
      const limit = Math.min(source.length, start + MAX_TARGET_BYTES)
      let end = start
      let bits = 0
      while (end < limit && KINDS[source[end]!] !== END) bits |= source[end++]!
      at = end - 1
      if (end === start || end === limit) continue
      if (bits < 128) hashAscii(source, start, end)
      else hashKey(linkKey(source.toString('utf8', start, end)))
      if (targets.add(hashes[0]!, hashes[1]!)) this.#addHash(hashes[0]!, 1)
    }
  }

  add(key: string, links: number): void {
    hashKey(key)
    this.#addHash(hashes[0]!, links)
  }

  /** The counted links to a page. Too high if other pages share both of its counters. */
  of(key: string): number {
    hashKey(key)
    const hash = hashes[0]!
    return Math.min(this.#first[this.#firstPlace(hash)]!, this.#second[this.#secondPlace(hash)]!)
  }

  #addHash(hash: number, links: number): void {
    this.#first[this.#firstPlace(hash)]! += links
    this.#second[this.#secondPlace(hash)]! += links
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

/** Two independent hashes of the last key. The first one counts; both tell keys of a page apart. */
const hashes = new Int32Array(2)

const FNV_BASIS = 0x811c9dc5
const OTHER_BASIS = 0x3c6ef372

function hashKey(key: string): void {
  let [one, other] = [FNV_BASIS, OTHER_BASIS]
  for (let n = 0; n < key.length; n++) {
    const unit = key.charCodeAt(n)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x5bd1e995)
    other ^= other >>> 15
  }
  hashes[0] = one
  hashes[1] = other
}

/** Hashes the page key that an ASCII target most likely means, as `linkKey` has it. */
function hashAscii(source: Buffer, start: number, end: number): void {
  while (start < end && (KINDS[source[start]!] === BLANK || source[start] === COLON)) start++
  while (end > start && KINDS[source[end - 1]!] === BLANK) end--
  let [one, other] = [FNV_BASIS, OTHER_BASIS]
  let wasBlank = false
  for (let at = start; at < end; at++) {
    let byte = source[at]!
    const isBlank = byte === UNDERSCORE || KINDS[byte] === BLANK
    if (isBlank && wasBlank) continue
    wasBlank = isBlank
    if (isBlank) byte = UNDERSCORE
    else if (at === start && byte >= 0x61 && byte <= 0x7a) byte -= 0x20
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x5bd1e995)
    other ^= other >>> 15
  }
  hashes[0] = one
  hashes[1] = other
}

/** The page key that a link most likely means. */
function linkKey(target: string): string {
  const key = target
    .replace(/^[\s:]+/, '')
    .trim()
    .replace(/[\s_]+/g, '_')
  return key.charAt(0).toUpperCase() + key.slice(1)
}

/** A set of pairs of hashes, of a fixed size, that is empty again at once. */
class HashSet {
  size = 0
  readonly #ones: Int32Array
  readonly #others: Int32Array
  /** Number of the filling in which a place was taken. */
  readonly #fillings: Uint32Array
  #filling = 1

  constructor(most: number) {
    const places = 2 ** Math.ceil(Math.log2(2 * most))
    this.#ones = new Int32Array(places)
    this.#others = new Int32Array(places)
    this.#fillings = new Uint32Array(places)
  }

  clear(): void {
    this.size = 0
    if (++this.#filling < 2 ** 32) return
    this.#fillings.fill(0)
    this.#filling = 1
  }

  /** False if the set has the pair already. */
  add(one: number, other: number): boolean {
    const mask = this.#ones.length - 1
    for (let at = one & mask; ; at = (at + 1) & mask) {
      if (this.#fillings[at] !== this.#filling) {
        this.#fillings[at] = this.#filling
        this.#ones[at] = one
        this.#others[at] = other
        this.size++
        return true
      }
      if (this.#ones[at] === one && this.#others[at] === other) return false
    }
  }
}

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
