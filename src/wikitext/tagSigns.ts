/** Finds tags in the bytes of a text, without strings. */
import { prefixHash, wordHash } from './linkTargets.js'

const LESS = 0x3c
/** Begins no name of a tag. */
export const COMMENT = '!'

/** Some names of tags. */
export class TagSigns {
  readonly #hashes: ReadonlySet<number>
  /** By byte: 1 for the first letters of names. A look there spares most hashes. */
  readonly #firstLetters = new Uint8Array(256)

  /** Names of letters, in any case. `COMMENT` stands for comments. */
  constructor(names: readonly string[]) {
    this.#hashes = new Set(names.map(prefixHash))
    for (const name of names)
      for (const letter of [name.toLowerCase(), name.toUpperCase()])
        this.#firstLetters[letter.charCodeAt(0)] = 1
  }

  /** False if a text in UTF-8, or the inside of its JSON string, surely has no start tag with one of these names. */
  mayBeIn(source: Buffer): boolean {
    const first = source.indexOf(LESS)
    if (first < 0) return false
    // Searches from tag to tag would take milliseconds for a text of "<" alone.
    for (let at = first; at < source.length; at++) {
      if (source[at] !== LESS || this.#firstLetters[source[at + 1]!] !== 1) continue
      if (this.#hashes.has(wordHash(source, at + 1))) return true
    }
    return false
  }
}
