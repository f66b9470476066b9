/** Which parts of a wikitext are wikitext: comments, `nowiki` and its like are not. */
import { LITERAL_TAGS } from '../domain/extensionTags.js'

/** Elements whose content is no wikitext, or is not part of the page itself. */
const OPAQUE_ELEMENTS = ['includeonly', ...LITERAL_TAGS]

/** The start of a comment or opaque element. Every repetition stops at a character that begins the next match. */
const OPAQUE_START = new RegExp(`<!--|<(${OPAQUE_ELEMENTS.join('|')})(?=[\\s/>])[^<>]*>`, 'gi')
const END_TAGS: ReadonlyMap<string, RegExp> = new Map(
  OPAQUE_ELEMENTS.map((name) => [name, new RegExp(`</${name}\\s*>`, 'gi')]),
)

/** Which places of a text are wikitext, and not inside comments or opaque elements. Asked from front to back. */
export class VisibleText {
  readonly #wikitext: string
  readonly #starts = new RegExp(OPAQUE_START)
  /** The next stretch that is not wikitext. */
  #start = 0
  #end = 0

  constructor(wikitext: string) {
    this.#wikitext = wikitext
  }

  holds(at: number): boolean {
    while (this.#end <= at) this.#advance()
    return at < this.#start
  }

  #advance(): void {
    this.#starts.lastIndex = this.#end
    const match = this.#starts.exec(this.#wikitext)
    this.#start = match?.index ?? Infinity
    if (match === null) this.#end = Infinity
    else if (match[0].endsWith('/>')) this.#end = this.#starts.lastIndex
    else this.#end = endOf(this.#wikitext, match[1], this.#starts.lastIndex) ?? Infinity
  }
}

/** Where the comment or element ends whose content starts at `from`; undefined: never, it swallows the rest. */
function endOf(wikitext: string, element: string | undefined, from: number): number | undefined {
  const endTag = element && END_TAGS.get(element.toLowerCase())
  if (!endTag) {
    const end = wikitext.indexOf('-->', from)
    return end < 0 ? undefined : end + 3
  }
  endTag.lastIndex = from
  return endTag.test(wikitext) ? endTag.lastIndex : undefined
}
