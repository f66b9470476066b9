/** Sorts out texts that surely use no file, by their bytes. Most use none, and parsing one takes longer than a read. */
import { FILE, MEDIA } from '../domain/namespaceIds.js'
import type { Namespaces } from '../domain/namespaces.js'
import { LETTERS_AND_COLON, LinkTargets, NO_PREFIX, prefixHash } from './linkTargets.js'

const LESS = 0x3c

export class FileSigns {
  readonly #namespaces: Namespaces
  readonly #targets = new LinkTargets()
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
    const targets = this.#targets
    for (let from = 0; targets.find(source, from); from = targets.end) {
      if (this.#mayNameFile(targets)) return true
    }
    return false
  }

  #mayNameFile({ start, end, hash, kind }: LinkTargets): boolean {
    if (kind === NO_PREFIX) return false
    return kind !== LETTERS_AND_COLON || (end > start && this.#hashes.has(hash))
  }

  /** Hashes of the names of both namespaces. A hash of other signs than letters stands for no prefix. */
  get #hashes(): ReadonlySet<number> {
    return (this.#prefixes ??= new Set(
      [FILE, MEDIA].flatMap((id) => this.#namespaces.foldedNames(id)).map(prefixHash),
    ))
  }
}
