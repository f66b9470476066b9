/** Where comments and the elements of extension tags end: the one search for all who pass over them. */

/** Offsets count UTF-16 units. */
export interface ElementBounds {
  /** After the `>` of the start tag. */
  readonly contentStart: number
  /** Before the end tag; equal to `contentStart` for `<name/>`. */
  readonly contentEnd: number
  /** After the end tag. */
  readonly end: number
}

interface Found {
  readonly from: number
  readonly start: number
  readonly end: number
}

/** A name, or a slash and a name, as it must stand for a tag of an extension or an inclusion tag. */
const NAME = /<(\/?[a-z][^\s/>]{0,40})(?=\s|\/>|>)/iy
const COMMENT = '<!--'
const COMMENT_END = '-->'

/**
 * Finds the ends in one text. As in MediaWiki a start tag ends at the first `>`, an element at the first end tag of its
 * name, and what has no end tag is text. Remembers what it found, and what no longer follows, so that time is linear in
 * the text.
 */
export class WikitextElements {
  readonly #text: string
  readonly #patterns = new Map<string, RegExp>()
  readonly #found = new Map<string, Found>()
  /** Where the first `>` after a place stands. */
  #bracket = { from: Infinity, at: -1 }

  constructor(text: string) {
    this.#text = text
  }

  /** The name in lower case of the tag whose `<` is at `at`, an end tag's with its slash. */
  nameAt(at: number): string | undefined {
    NAME.lastIndex = at
    return NAME.exec(this.#text)?.[1]?.toLowerCase()
  }

  isComment(at: number): boolean {
    return this.#text.startsWith(COMMENT, at)
  }

  /** After the comment whose `<` is at `at`; one that is never closed takes the rest of the text. */
  commentEnd(at: number): number {
    const { end } = this.#first(COMMENT_END, at + COMMENT.length)
    return Math.min(end, this.#text.length)
  }

  /** After the `>` of the tag whose `<` is at `at`; undefined: it has none. */
  tagEnd(at: number): number | undefined {
    const known = this.#bracket
    if (at < known.from || (at > known.at && known.at >= 0)) {
      this.#bracket = { from: at, at: this.#text.indexOf('>', at) }
    }
    return this.#bracket.at < 0 ? undefined : this.#bracket.at + 1
  }

  /** The element of that name, in lower case, whose `<` is at `at`; undefined: it has no end, and is text. */
  elementAt(at: number, name: string): ElementBounds | undefined {
    const contentStart = this.tagEnd(at)
    if (contentStart === undefined) return undefined
    if (this.#text[contentStart - 2] === '/') {
      return { contentStart, contentEnd: contentStart, end: contentStart }
    }
    const found = this.#first(name, contentStart)
    return found.end === Infinity ? undefined : { contentStart, contentEnd: found.start, end: found.end }
  }

  /** Where the element of an inclusion tag ends, which without an end tag is the end of the text. */
  inclusionEnd(at: number, name: string): number | undefined {
    const bounds = this.elementAt(at, name)
    if (bounds !== undefined) return bounds.end
    return this.tagEnd(at) === undefined ? undefined : this.#text.length
  }

  /** Where an end stands first from `from` on: the end tag of a name, or of a comment; at infinity when nowhere. */
  #first(what: string, from: number): Found {
    const known = this.#found.get(what)
    if (known !== undefined && known.from <= from && from <= known.start) return known
    const pattern = this.#pattern(what)
    pattern.lastIndex = from
    const match = pattern.exec(this.#text)
    const found =
      match === null
        ? { from, start: Infinity, end: Infinity }
        : { from, start: match.index, end: pattern.lastIndex }
    this.#found.set(what, found)
    return found
  }

  #pattern(what: string): RegExp {
    let pattern = this.#patterns.get(what)
    if (pattern === undefined) {
      pattern = what === COMMENT_END ? /-->/g : new RegExp(`</${escapeExpression(what)}\\s*>`, 'gi')
      this.#patterns.set(what, pattern)
    }
    return pattern
  }
}

function escapeExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
