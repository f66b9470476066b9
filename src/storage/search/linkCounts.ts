/** Estimates how many links lead to each page. It counts by hashes of keys, in a fixed amount of memory. */

const MIN_BITS = 12
const MAX_BITS = 24
/** Longer targets are not titles. */
const MAX_TARGET_BYTES = 300
/** Further links of a page do not count. */
const MAX_LINKS = 2000
const OPEN = Buffer.from('[[')
/** Bytes that end a link target: `]`, `|`, `#`, `{`, `[`, a line break, and the backslash of an escaped one in JSON. */
const ENDS = new Set([0x5d, 0x7c, 0x23, 0x7b, 0x5b, 0x5c, 0x0a])

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

  /** Counts the links of a page's wikitext, each target once. `source` may be JSON that contains the wikitext. */
  addLinksOf(source: Buffer): void {
    const targets = new Set<string>()
    let at = source.indexOf(OPEN)
    while (at >= 0 && targets.size < MAX_LINKS) {
      const start = at + OPEN.length
      const limit = Math.min(source.length, start + MAX_TARGET_BYTES)
      let end = start
      while (end < limit && !ENDS.has(source[end]!)) end++
      if (end > start && end < limit) targets.add(linkKey(source.toString('utf8', start, end)))
      at = source.indexOf(OPEN, end)
    }
    for (const target of targets) this.add(target, 1)
  }

  add(key: string, links: number): void {
    const [a, b] = this.#places(key)
    this.#first[a]! += links
    this.#second[b]! += links
  }

  /** The counted links to a page. Too high if other pages share both of its counters. */
  of(key: string): number {
    const [a, b] = this.#places(key)
    return Math.min(this.#first[a]!, this.#second[b]!)
  }

  #places(key: string): readonly [number, number] {
    let hash = 0x811c9dc5
    for (let n = 0; n < key.length; n++) hash = Math.imul(hash ^ key.charCodeAt(n), 0x01000193)
    const again = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    return [this.#place(Math.imul(hash, 0x9e3779b1)), this.#place(again ^ (again >>> 12))]
  }

  #place(hash: number): number {
    return hash >>> (32 - this.#bits)
  }
}

/** The page key that a link most likely means. */
function linkKey(target: string): string {
  const key = target
    .replace(/^[\s:]+/, '')
    .trim()
    .replace(/[\s_]+/g, '_')
  return key.charAt(0).toUpperCase() + key.slice(1)
}
