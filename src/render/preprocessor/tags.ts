/** Comments, inclusion tags and extension tags: everything that begins with `<`. */
import type { ExtensionTag, Hidden } from './tree.js'

export interface ParseOptions {
  /** Whether the text is put into another page: what `noinclude` encloses is left out, and `includeonly` counts. */
  readonly inclusion: boolean
  /** Names in lower case, such as `ref`. */
  readonly extensionTags: ReadonlySet<string>
  /** Keeps comments, inclusion tags and what they take away as hidden nodes. */
  readonly keepHidden: boolean
}

/** What stands at a `<`: it ends before `end`, and `node` is undefined when nothing of it is kept. */
export interface TagMatch {
  readonly end: number
  readonly node: ExtensionTag | Hidden | undefined
  /** Where the text before it ends, if it takes blanks with it. */
  readonly start: number
  /** A comment that was a line of its own took its newline away: a line begins after it. */
  readonly endsLine: boolean
}

const NAME = /<(\/?[a-z][^\s/>]{0,40})(?=\s|\/>|>)/iy
const BLANKS = /[ \t]*/y
const ONLY = '<onlyinclude>'
const ONLY_END = '</onlyinclude>'
const ALL_INCLUSION_TAGS = ['noinclude', 'onlyinclude', 'includeonly']

/** Finds the tags of one text. Remembers what no longer follows, so that time is linear in the text. */
export class TagScanner {
  /** In an inclusion with both tags, only what `onlyinclude` encloses counts. */
  readonly onlyInclude: boolean
  readonly #text: string
  readonly #options: ParseOptions
  readonly #ignoredTags: ReadonlySet<string>
  readonly #ignoredElement: string
  readonly #endTags = new Map<string, RegExp>()
  readonly #unclosed = new Set<string>()
  #hasEnd = true

  constructor(text: string, options: ParseOptions) {
    this.#text = text
    this.#options = options
    this.#ignoredElement = options.inclusion ? 'noinclude' : 'includeonly'
    const ignored = options.inclusion ? ['includeonly'] : ['noinclude', 'onlyinclude']
    this.#ignoredTags = new Set(ignored.flatMap((name) => [name, `/${name}`]))
    this.onlyInclude = options.inclusion && text.includes(ONLY) && text.includes(ONLY_END)
  }

  /** Where the next part that `onlyinclude` encloses begins, or the end of the text. */
  nextOnlyInclude(from: number): number {
    const at = this.#text.indexOf(ONLY, from)
    return at < 0 ? this.#text.length : at + ONLY.length
  }

  /** What begins at the `<` at `at`; undefined if it is only a character. */
  match(at: number): TagMatch | undefined {
    if (this.onlyInclude && this.#text.startsWith(ONLY_END, at)) {
      return { start: at, end: this.nextOnlyInclude(at + ONLY_END.length), node: undefined, endsLine: false }
    }
    if (this.#text.startsWith('<!--', at)) return this.#comment(at)
    NAME.lastIndex = at
    const name = NAME.exec(this.#text)?.[1]?.toLowerCase()
    if (name === undefined) return undefined
    if (this.#ignoredTags.has(name)) return this.#ignoredTag(at)
    if (name === this.#ignoredElement || this.#options.extensionTags.has(name)) return this.#element(at, name)
    return undefined
  }

  /** A comment that is alone on its line, perhaps with other comments, is the whole line. */
  #comment(at: number): TagMatch {
    const end = this.#commentEnd(at)
    const start = this.#blanksBefore(at)
    if (this.#text[start - 1] !== '\n') return this.#hidden(at, end, true, false)
    let lineEnd = this.#blanksAfter(end)
    while (this.#text.startsWith('<!--', lineEnd)) lineEnd = this.#blanksAfter(this.#commentEnd(lineEnd))
    return this.#text[lineEnd] === '\n'
      ? this.#hidden(start, lineEnd + 1, true, true)
      : this.#hidden(at, end, true, false)
  }

  #commentEnd(at: number): number {
    const end = this.#text.indexOf('-->', at + 4)
    return end < 0 ? this.#text.length : end + 3
  }

  #blanksBefore(at: number): number {
    let start = at
    while (this.#text[start - 1] === ' ' || this.#text[start - 1] === '\t') start--
    return start
  }

  #blanksAfter(at: number): number {
    BLANKS.lastIndex = at
    BLANKS.test(this.#text)
    return BLANKS.lastIndex
  }

  #ignoredTag(at: number): TagMatch | undefined {
    const end = this.#tagEnd(at)
    return end === undefined ? undefined : this.#hidden(at, end, false, false)
  }

  #element(at: number, name: string): TagMatch | undefined {
    const tagEnd = this.#tagEnd(at)
    if (tagEnd === undefined) return undefined
    const end = this.#text[tagEnd - 2] === '/' ? tagEnd : this.#elementEnd(name, tagEnd)
    if (end === undefined) return undefined
    if (name === this.#ignoredElement) return this.#hidden(at, end, false, false)
    return { start: at, end, node: { kind: 'tag', name, source: this.#text.slice(at, end) }, endsLine: false }
  }

  /** After the `>` of a tag. */
  #tagEnd(at: number): number | undefined {
    const end = this.#hasEnd ? this.#text.indexOf('>', at) : -1
    if (end < 0) this.#hasEnd = false
    return end < 0 ? undefined : end + 1
  }

  /** After the end tag. An inclusion tag without one reaches to the end of the text, an extension tag is none. */
  #elementEnd(name: string, from: number): number | undefined {
    if (this.#unclosed.has(name)) return undefined
    const endTag = this.#endTags.get(name) ?? new RegExp(`</${escapeExpression(name)}\\s*>`, 'gi')
    this.#endTags.set(name, endTag)
    endTag.lastIndex = from
    if (endTag.test(this.#text)) return endTag.lastIndex
    if (ALL_INCLUSION_TAGS.includes(name)) return this.#text.length
    this.#unclosed.add(name)
    return undefined
  }

  #hidden(start: number, end: number, comment: boolean, endsLine: boolean): TagMatch {
    const source = this.#options.keepHidden ? this.#text.slice(start, end) : undefined
    return {
      start,
      end,
      endsLine,
      node: source === undefined ? undefined : { kind: 'hidden', comment, source },
    }
  }
}

function escapeExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
