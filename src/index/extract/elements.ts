/** Elements of wikitext by what becomes of their content, and the search for where they end. */

/** Content that is no text for readers, or that a plain text cannot show. */
export const DROPPED_ELEMENTS: ReadonlySet<string> = new Set([
  'gallery',
  'math',
  'chem',
  'ce',
  'score',
  'timeline',
  'graph',
  'hiero',
  'imagemap',
  'mapframe',
  'templatedata',
  'templatestyles',
  'style',
  'script',
])

/** Content that is text as it stands, markup and all. */
export const KEPT_ELEMENTS: ReadonlySet<string> = new Set([
  'nowiki',
  'pre',
  'source',
  'syntaxhighlight',
  'code',
])

/** Elements whose tags alone are markup. A tag of any other name is text, as in `a <b and c> d`. */
export const TRANSPARENT_ELEMENTS: ReadonlySet<string> = new Set(
  `abbr b bdi bdo big blockquote br caption center cite data dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i
   includeonly inputbox ins kbd li mark noinclude ol onlyinclude p poem q rb ref references rp rt rtc ruby s samp
   section small span strike strong sub sup table td th time tr translate tt tvar u ul var wbr`.split(/\s+/),
)

/**
 * Finds the ends of elements. What has no end is remembered, so that a text with thousands of beginnings and no end is
 * not searched thousands of times.
 */
export class ClosingTags {
  readonly #source: string
  #lower: string | undefined
  readonly #missing = new Set<string>()

  constructor(source: string) {
    this.#source = source
  }

  /** Where the content of an element ends, and where the text goes on; undefined when it is never closed. */
  contentEnd(name: string, from: number): { readonly end: number; readonly after: number } | undefined {
    if (this.#missing.has(name)) return undefined
    this.#lower ??= lowerAscii(this.#source)
    const end = this.#lower.indexOf(`</${name}`, from)
    const close = end < 0 ? -1 : this.#source.indexOf('>', end)
    if (close < 0) {
      this.#missing.add(name)
      return undefined
    }
    return { end, after: close + 1 }
  }

  /** Where the text goes on after a comment; a comment that is never closed takes the rest. */
  afterComment(from: number): number {
    const end = this.#source.indexOf('-->', from)
    return end < 0 ? this.#source.length : end + 3
  }
}

/** Lower case for A to Z alone: other letters might change the length, and so the places. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
