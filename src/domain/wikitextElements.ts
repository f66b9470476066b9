/** Finds the ends of comments and of extension tags. All modules that skip these elements use this search. */

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

/** The name of an extension or inclusion tag, with a slash before it in an end tag. */
const NAME = /<(\/?[a-z][^\s/>]{0,40})(?=\s|\/>|>)/iy
const COMMENT = '<!--'
const COMMENT_END = '-->'

/**
 * Finds ends within one text, by MediaWiki's rules. A start tag ends at the first `>`, and an element at the first end
 * tag of its name. A start tag without an end tag is text. The object remembers its findings and its failures, so the
 * whole search takes time linear in the text.
 */
export class WikitextElements {
  readonly #text: string
  readonly #patterns = new Map<string, RegExp>()
  readonly #found = new Map<string, Found>()
  /** Position of the first `>` at or after `from`; -1: none follows. */
  #bracket = { from: Infinity, at: -1 }

  constructor(text: string) {
    this.#text = text
  }

  /** Name of the tag whose `<` is at `at`, in lower case; an end tag's name begins with a slash. */
  nameAt(at: number): string | undefined {
    NAME.lastIndex = at
    return NAME.exec(this.#text)?.[1]?.toLowerCase()
  }

  isComment(at: number): boolean {
    return this.#text.startsWith(COMMENT, at)
  }

  /** Index after the comment whose `<` is at `at`. An unclosed comment takes the rest of the text. */
  commentEnd(at: number): number {
    const { end } = this.#first(COMMENT_END, at + COMMENT.length)
    return Math.min(end, this.#text.length)
  }

  /** Index after the `>` of the tag whose `<` is at `at`; undefined when no `>` follows. */
  tagEnd(at: number): number | undefined {
    const known = this.#bracket
    if (at < known.from || (at > known.at && known.at >= 0)) {
      this.#bracket = { from: at, at: this.#text.indexOf('>', at) }
    }
    return this.#bracket.at < 0 ? undefined : this.#bracket.at + 1
  }

  /** The element whose `<` is at `at`; `name` is in lower case. Undefined when it has no end and thus is text. */
  elementAt(at: number, name: string): ElementBounds | undefined {
    const contentStart = this.tagEnd(at)
    if (contentStart === undefined) return undefined
    if (this.#text[contentStart - 2] === '/') {
      return { contentStart, contentEnd: contentStart, end: contentStart }
    }
    const found = this.#first(name, contentStart)
    return found.end === Infinity ? undefined : { contentStart, contentEnd: found.start, end: found.end }
  }

  /** End of the element of an inclusion tag. Without an end tag it is the end of the text. */
  inclusionEnd(at: number, name: string): number | undefined {
    const bounds = this.elementAt(at, name)
    if (bounds !== undefined) return bounds.end
    return this.tagEnd(at) === undefined ? undefined : this.#text.length
  }

  /** First end at or after `from`: an end tag by name, or the end of a comment. Infinity when there is no end. */
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
