/** Sorts out texts that surely use no file, by their bytes. Most use none, and parsing one takes longer than a read. */
import { FILE, MEDIA } from '../domain/namespaceIds.js'
import type { Namespaces } from '../domain/namespaces.js'
import { added, PREFIX, prefixHash } from './prefixBytes.js'

const COLON = 0x3a
const LESS = 0x3c
const OPEN = 0x5b
const BACKSLASH = 0x5c
const LETTER_N = 0x6e
/** By byte of a target: it ends, or escapes another sign. */
const END = 1
const ESCAPE = 2
const SIGNS = new Uint8Array(256)
for (const sign of '[]|{}<>') SIGNS[sign.charCodeAt(0)] = END
for (const sign of '&%') SIGNS[sign.charCodeAt(0)] = ESCAPE

export class FileSigns {
  readonly #namespaces: Namespaces
  #prefixes: ReadonlySet<number> | undefined

  constructor(namespaces: Namespaces) {
    this.#namespaces = namespaces
  }

  /**
   * False if `mediaLinks` surely finds no file in a text. `source` is the text as the inside of a JSON string in UTF-8,
   * as `JSON.stringify` writes it.
   */
  mayUseFiles(source: Buffer): boolean {
    // Galleries are tags.
    if (source.includes(LESS)) return true
    const last = source.length - 1
    for (let at = 0; at < last; at++) {
      if (source[at] === OPEN && source[at + 1] === OPEN && this.#mayNameFile(source, at + 2)) return true
    }
    return false
  }

  /** Whether the prefix of a target may be that of files. It is unknown if it has other signs than letters. */
  #mayNameFile(source: Buffer, from: number): boolean {
    let hash = 0
    let isKnown = true
    for (let at = from; at < source.length; at++) {
      const byte = source[at]!
      if (byte === COLON) return at > from && (!isKnown || this.#hashes.has(hash))
      const sign = SIGNS[byte]
      if (sign === END || (byte === BACKSLASH && source[at + 1] === LETTER_N)) return false
      if (sign === ESCAPE) return true
      const letter = PREFIX[byte]!
      hash = added(hash, letter)
      isKnown &&= letter !== 0
    }
    return false
  }

  /** Hashes of the names of both namespaces. A hash of other signs than letters stands for no prefix. */
  get #hashes(): ReadonlySet<number> {
    return (this.#prefixes ??= new Set(
      [FILE, MEDIA].flatMap((id) => this.#namespaces.foldedNames(id)).map(prefixHash),
    ))
  }
}
