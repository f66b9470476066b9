/** Sorts out texts that surely use no file, by their bytes. Most use none, and parsing one takes longer than a read. */
import { FILE, MEDIA } from '../domain/namespaceIds.js'
import type { Namespaces } from '../domain/namespaces.js'
import { added, END, isNewline, PREFIX, prefixHash, TARGET, UNCLEAR } from './prefixBytes.js'

const COLON = 0x3a
const LESS = 0x3c
const OPEN = 0x5b

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

  /** Whether the prefix of a target may be that of files. Unknown if it has other signs than letters. */
  #mayNameFile(source: Buffer, from: number): boolean {
    let hash = 0
    let isKnown = true
    for (let at = from; at < source.length; at++) {
      const byte = source[at]!
      if (byte === COLON) return at > from && (!isKnown || this.#hashes.has(hash))
      if (TARGET[byte] === END || isNewline(source, at)) return false
      if (TARGET[byte] === UNCLEAR) return true
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
