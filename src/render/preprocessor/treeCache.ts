/** Cache of template trees, kept between pages. It serves one wiki only, since revision ids are the keys. */
import type { Tree } from './tree.js'

interface Entry {
  readonly text: string
  readonly tree: Tree
}

const DEFAULT_MAX_CHARACTERS = 8_000_000

/** Evicts the least recently used tree. */
export class TreeCache {
  readonly #maxCharacters: number
  readonly #entries = new Map<number, Entry>()
  #characters = 0

  constructor(maxCharacters = DEFAULT_MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters
  }

  /** The tree of a revision. Parses it when it is missing or belongs to another text. */
  get(revisionId: number, text: string, parse: () => Tree): Tree {
    const known = this.#take(revisionId)
    const entry = known?.text === text ? known : { text, tree: parse() }
    if (text.length <= this.#maxCharacters) {
      this.#entries.set(revisionId, entry)
      this.#characters += text.length
    }
    for (const [oldest] of this.#entries) {
      if (this.#characters <= this.#maxCharacters) break
      this.#take(oldest)
    }
    return entry.tree
  }

  #take(revisionId: number): Entry | undefined {
    const entry = this.#entries.get(revisionId)
    if (entry === undefined) return undefined
    this.#entries.delete(revisionId)
    this.#characters -= entry.text.length
    return entry
  }
}
