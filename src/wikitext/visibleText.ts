/** Finds the parts of a text that are wikitext, outside of comments, `nowiki` and similar tags. */
import { EXTENSION_TAG_FACTS } from '../domain/extensionTags.js'
import { WikitextElements } from '../domain/wikitextElements.js'
import { COMMENT, TagSigns } from './tagSigns.js'

/** Element whose content only other pages show. */
const FOR_OTHER_PAGES = 'includeonly'
const START = new RegExp(
  `<!--|<(?:${[FOR_OTHER_PAGES, ...EXTENSION_TAG_FACTS.keys()].join('|')})(?=[\\s/>])`,
  'gi',
)

/** Replaces an element in visible wikitext. No title, name or tag contains it. */
const PLACEHOLDER = '\x7f'

const LITERAL_TAGS = [...EXTENSION_TAG_FACTS].filter(([, { content }]) => content === 'literal')
/** Nothing else hides a part of a text. */
const HIDING = new TagSigns([COMMENT, FOR_OTHER_PAGES, ...LITERAL_TAGS.map(([name]) => name)])

/** Whether `visibleWikitext` surely changes nothing. `source`: the text, or the inside of its JSON string, in UTF-8. */
export const isSurelyVisible = (source: Buffer): boolean =>
  !HIDING.mayBeIn(source) && !source.includes(COMMENT)

/** The wikitext without comments. One control character replaces each element whose content is not wikitext. */
export function visibleWikitext(wikitext: string): string {
  return wikitext.includes('<') ? new VisibleText(wikitext).text() : wikitext
}

/** Tells which positions are wikitext, outside of comments and literal elements. Query positions in rising order. */
export class VisibleText {
  readonly #elements: WikitextElements
  readonly #wikitext: string
  readonly #starts = new RegExp(START)
  /**
   * Ends of the content of elements around `#end`, innermost last. An inner element ends no later than the outer one.
   */
  readonly #limits: number[] = []
  /** The next range that is not wikitext. */
  #start = 0
  #end = 0

  constructor(wikitext: string) {
    this.#wikitext = wikitext
    this.#elements = new WikitextElements(wikitext)
  }

  holds(at: number): boolean {
    while (this.#end <= at) this.#advance()
    return at < this.#start
  }

  /** The wikitext without comments, with a placeholder for each element. Call it on a fresh object only. */
  text(): string {
    let visible = ''
    let from = 0
    for (this.#advance(); this.#start < Infinity; this.#advance()) {
      visible += this.#wikitext.slice(from, this.#start)
      if (!this.#elements.isComment(this.#start)) visible += PLACEHOLDER
      from = this.#end
    }
    return visible + this.#wikitext.slice(from)
  }

  #advance(): void {
    this.#starts.lastIndex = this.#end
    for (;;) {
      const match = this.#starts.exec(this.#wikitext)
      if (match === null) {
        this.#start = this.#end = Infinity
        return
      }
      const end = this.#hiddenEnd(match.index)
      if (end === undefined) continue
      this.#start = match.index
      this.#end = end
      return
    }
  }

  /** End of the range that begins at a tag or comment; undefined when the range is wikitext. */
  #hiddenEnd(at: number): number | undefined {
    while ((this.#limits.at(-1) ?? Infinity) <= at) this.#limits.pop()
    const limit = this.#limits.at(-1) ?? this.#wikitext.length
    if (this.#elements.isComment(at)) return Math.min(this.#elements.commentEnd(at), limit)
    const name = this.#elements.nameAt(at)
    if (name === undefined) return undefined
    if (name === FOR_OTHER_PAGES) {
      const end = this.#elements.inclusionEnd(at, name)
      return end === undefined ? undefined : Math.min(end, limit)
    }
    const bounds = this.#elements.elementAt(at, name)
    if (bounds === undefined || bounds.end > limit) return undefined
    if (EXTENSION_TAG_FACTS.get(name)?.content === 'literal') return bounds.end
    if (bounds.contentEnd > bounds.contentStart) this.#limits.push(bounds.contentEnd)
    return undefined
  }
}
