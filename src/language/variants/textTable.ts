/** Replaces texts by a table: from left to right, the longest known text first. */

/** Longer texts of a table are not found. Lengths are bits of a number. */
const MAX_LENGTH = 30

export class TextTable {
  readonly #texts: ReadonlyMap<string, string>
  /** Lengths of the texts that begin with a UTF-16 unit, as bits. */
  readonly #lengths = new Uint32Array(0x10000)

  /** Earlier entries win over later ones. */
  constructor(entries: Iterable<readonly [from: string, to: string]>) {
    const texts = new Map<string, string>()
    for (const [from, to] of entries) {
      if (from === '' || from.length > MAX_LENGTH || texts.has(from)) continue
      texts.set(from, to)
      this.#lengths[from.charCodeAt(0)]! |= 1 << from.length
    }
    this.#texts = texts
  }

  get size(): number {
    return this.#texts.size
  }

  /** A text with all known texts in it replaced. */
  convert(text: string): string {
    const lengths = this.#lengths
    let result = ''
    let start = 0
    for (let at = 0; at < text.length;) {
      const possible = lengths[text.charCodeAt(at)]!
      const length = possible === 0 ? 0 : this.#match(text, at, possible)
      if (length === 0) {
        at++
        continue
      }
      result += text.slice(start, at) + this.#texts.get(text.slice(at, at + length))!
      at += length
      start = at
    }
    return start === 0 ? text : result + text.slice(start)
  }

  /** Length of the longest known text at a place; 0 if there is none. */
  #match(text: string, at: number, possible: number): number {
    for (let bits = possible; bits !== 0;) {
      const length = 31 - Math.clz32(bits)
      if (at + length <= text.length && this.#texts.has(text.slice(at, at + length))) return length
      bits ^= 1 << length
    }
    return 0
  }

  /** Length of the longest known text at a place; 0 if there is none. */
  matchAt(text: string, at: number): number {
    const possible = this.#lengths[text.charCodeAt(at)] ?? 0
    return possible === 0 ? 0 : this.#match(text, at, possible)
  }

  get(text: string): string | undefined {
    return this.#texts.get(text)
  }
}
