/** Constructs that begin with `<`: comments, inclusion tags and extension tags. */
import { WikitextElements } from '../../domain/wikitextElements.js'
import { hasVariants } from '../../domain/variants.js'
import type { SiteFacts } from './source.js'
import type { TagNode, Hidden } from './tree.js'

export interface ParseOptions {
  /** True if the text is transcluded into another page: `noinclude` is left out, and `includeonly` counts. */
  readonly inclusion: boolean
  /** Names in lower case, such as `ref`. */
  readonly extensionTags: ReadonlySet<string>
  /** Keeps comments, inclusion tags and the text that they remove as hidden nodes. */
  readonly keepHidden: boolean
  /** Whether bars inside of `-{…}-` belong to it: the markup of language variants. */
  readonly variants?: boolean
}

/** The markup of a wiki beyond that of all wikis. */
export const markupOf = ({
  extensionTags,
  language,
}: Pick<SiteFacts, 'extensionTags' | 'language'>): Pick<ParseOptions, 'extensionTags' | 'variants'> => ({
  extensionTags,
  variants: hasVariants(language),
})

/** A construct that begins with `<` and ends before `end`. `node` is undefined when nothing of it is kept. */
export interface TagMatch {
  readonly end: number
  readonly node: TagNode | Hidden | undefined
  /** End of the text before it. It may take blanks with it. */
  readonly start: number
  /** True if a comment on its own line took the newline with it, so that a new line begins after it. */
  readonly endsLine: boolean
}

const BLANKS = /[ \t]*/y
const ONLY = '<onlyinclude>'
const ONLY_END = '</onlyinclude>'

/** Finds the tags of one text, in linear time. */
export class TagScanner {
  /** True for an inclusion with both tags: only the content of `onlyinclude` counts. */
  readonly onlyInclude: boolean
  readonly #text: string
  readonly #options: ParseOptions
  readonly #ignoredTags: ReadonlySet<string>
  readonly #ignoredElement: string
  readonly #elements: WikitextElements

  constructor(text: string, options: ParseOptions) {
    this.#text = text
    this.#options = options
    this.#elements = new WikitextElements(text)
    this.#ignoredElement = options.inclusion ? 'noinclude' : 'includeonly'
    const ignored = options.inclusion ? ['includeonly'] : ['noinclude', 'onlyinclude']
    this.#ignoredTags = new Set(ignored.flatMap((name) => [name, `/${name}`]))
    this.onlyInclude = options.inclusion && text.includes(ONLY) && text.includes(ONLY_END)
  }

  /** Start of the next content of `onlyinclude`, or the end of the text. */
  nextOnlyInclude(from: number): number {
    const at = this.#text.indexOf(ONLY, from)
    return at < 0 ? this.#text.length : at + ONLY.length
  }

  /** The construct at the `<` at `at`; undefined if it is only a character. */
  match(at: number): TagMatch | undefined {
    if (this.onlyInclude && this.#text.startsWith(ONLY_END, at)) {
      return { start: at, end: this.nextOnlyInclude(at + ONLY_END.length), node: undefined, endsLine: false }
    }
    if (this.#elements.isComment(at)) return this.#comment(at)
    const name = this.#elements.nameAt(at)
    if (name === undefined) return undefined
    if (this.#ignoredTags.has(name)) return this.#ignoredTag(at)
    if (name === this.#ignoredElement || this.#options.extensionTags.has(name)) return this.#element(at, name)
    return undefined
  }

  /** A comment that is alone on its line, or with other comments, takes the whole line. */
  #comment(at: number): TagMatch {
    const end = this.#elements.commentEnd(at)
    const start = this.#blanksBefore(at)
    if (this.#text[start - 1] !== '\n') return this.#hidden(at, end, true, false)
    let lineEnd = this.#blanksAfter(end)
    while (this.#elements.isComment(lineEnd)) lineEnd = this.#blanksAfter(this.#elements.commentEnd(lineEnd))
    return this.#text[lineEnd] === '\n'
      ? this.#hidden(start, lineEnd + 1, true, true)
      : this.#hidden(at, end, true, false)
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
    const end = this.#elements.tagEnd(at)
    return end === undefined ? undefined : this.#hidden(at, end, false, false)
  }

  #element(at: number, name: string): TagMatch | undefined {
    if (name === this.#ignoredElement) {
      const end = this.#elements.inclusionEnd(at, name)
      return end === undefined ? undefined : this.#hidden(at, end, false, false)
    }
    const end = this.#elements.elementAt(at, name)?.end
    if (end === undefined) return undefined
    return { start: at, end, node: { kind: 'tag', name, source: this.#text.slice(at, end) }, endsLine: false }
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
