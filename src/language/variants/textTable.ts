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

  /** A text with all known texts in it replaced. */
  convert(text: string): string {
    let result = ''
    let start = 0
    for (let at = 0; at < text.length;) {
      const length = this.matchAt(text, at)
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
  matchAt(text: string, at: number): number {
    for (let bits = this.#lengths[text.charCodeAt(at)] ?? 0; bits !== 0;) {
      const length = 31 - Math.clz32(bits)
      if (at + length <= text.length && this.#texts.has(text.slice(at, at + length))) return length
      bits ^= 1 << length
    }
    return 0
  }

  get(text: string): string | undefined {
    return this.#texts.get(text)
  }
}
