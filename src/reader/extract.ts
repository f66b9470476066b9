/**
 * A page as running text: its HTML without tables, boxes, notes and references. The HTML is that of the store, whose
 * attributes are quoted. Time is linear in its length.
 */
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { VOID_ELEMENTS } from '../domain/html.js'

export interface ExtractOptions {
  /** Only what comes before the first heading. */
  readonly isIntro: boolean
  /** Text, or else clean HTML. */
  readonly isPlain: boolean
  readonly sectionFormat: 'plain' | 'wiki' | 'raw'
  /** End at a word after so many characters. */
  readonly characters?: number | undefined
  readonly sentences?: number | undefined
}

const TOKEN = /<!--[^]*?-->|<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>|[^<]+|</g
const FIRST_HEADING = /<h[1-6][\s>]/
/** Left out with all that they hold. */
const DROPPED: ReadonlySet<string> = new Set(
  'audio button canvas div figure figure-inline form iframe map math object script select style svg table template textarea video'.split(
    ' ',
  ),
)
const DROPPED_CLASS =
  /class="(?:[^"]* )?(?:mw-ref|reference|references|mw-references|mw-editsection|error|noexcerpt|noprint|gallery|navigation-not-searchable)(?: [^"]*)?"/
/** Their insides stay. */
const UNWRAPPED: ReadonlySet<string> = new Set('a section span font center abbr bdi'.split(' '))
const BLOCKS: ReadonlySet<string> = new Set('p ul ol dl blockquote pre h1 h2 h3 h4 h5 h6 hr'.split(' '))

/** `html` is the inside of a body. */
export function extractOf(html: string, options: ExtractOptions): string {
  const heading = options.isIntro ? FIRST_HEADING.exec(html)?.index : undefined
  const clean = new Cleaner(options.isPlain).clean(heading === undefined ? html : html.slice(0, heading))
  if (!options.isPlain) return shortened(clean, options, closed)
  return shortened(plainText(clean, options.sectionFormat), options, (text) => text)
}

/** The beginning of a page, for services that show it beside a link. */
export interface PageLead {
  readonly text: string
  /** The same in clean HTML. */
  readonly html: string
}

/** Coordinates, which stand above the text of many pages. */
const COORDINATES = 'id="coordinates"|class="(?:[^"]* )?(?:coordinates|geo-inline-hidden)(?: [^"]*)?"'
/** Shorter paragraphs are coordinates and the like, unless there is no other. */
const MIN_LEAD_LENGTH = 20
const MAX_LEAD_LENGTH = 5000

/**
 * The first paragraph before the first heading, with the list that belongs to it. `html` is the inside of a body.
 * `templates`: prefix of titles of templates in URL form. Links to missing ones are left out.
 */
export function leadOf(html: string, templates: string): PageLead {
  const prefix = templates.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const drops = new RegExp(`${COORDINATES}|href="\\./${prefix}[^"]*"[^]*class="new"`)
  const heading = FIRST_HEADING.exec(html)?.index
  const clean = new Cleaner(false, drops).clean(heading === undefined ? html : html.slice(0, heading))
  const leads = clean
    .split(/(?=<p>)/)
    .filter((part) => part.startsWith('<p>'))
    .map(withoutGaps)
    .map((part) => ({
      html: part.replace(/(?<!\s)\s+<\/p>/g, '</p>').trim(),
      text: plainText(part, 'plain'),
    }))
    .filter(({ text }) => text !== '')
  const lead = leads.find(({ text }) => text.length >= MIN_LEAD_LENGTH) ?? leads[0]
  if (lead === undefined) return { text: '', html: '' }
  return {
    text: shortened(lead.text, { characters: MAX_LEAD_LENGTH }, (text) => text),
    html: shortened(lead.html, { characters: MAX_LEAD_LENGTH }, closed),
  }
}

/** Without the brackets and blanks that parts left behind which were left out. */
const withoutGaps = (html: string): string =>
  html.replace(/[ \u00a0]{0,9}\([\s,;]{0,9}\)/g, '').replace(/ {1,9}(?=[,;.](?:\s|$))/g, '')

class Cleaner {
  readonly #isPlain: boolean
  /** Attributes of further elements to leave out. */
  readonly #drops: RegExp | undefined
  readonly #parts: string[] = []
  /** The last sign so far: to look at the end of a text that grows takes as long as the text. */
  #last = ''
  /** Name of a dropped element, and how many of that name are open. */
  #dropped: { name: string; depth: number } | undefined
  /** Open blocks. */
  readonly #open: string[] = []
  #previous: string | undefined
  /** Whether the last paragraph ended before its line did, since a block begins there. */
  #endsInLine = false

  constructor(isPlain: boolean, drops?: RegExp) {
    this.#isPlain = isPlain
    this.#drops = drops
  }

  clean(html: string): string {
    for (const [token, slash, tag, attributes = ''] of html.matchAll(TOKEN)) {
      if (tag === undefined) this.#text(token)
      else if (slash === '/') this.#close(tag.toLowerCase())
      else this.#start(tag.toLowerCase(), attributes)
    }
    return this.#parts.join('').trim()
  }

  #text(token: string): void {
    if (this.#dropped !== undefined || token.startsWith('<!--')) return
    if (token === '<') return this.#put('&lt;')
    // Between blocks, the separators of `#separate` stand.
    // An element that left nothing behind leaves its line breaks.
    if (this.#open.length > 0) this.#put(this.#last === '\n' ? token.replace(/^\n+/, '') : token)
    else if (token.trim() !== '') this.#put(token.trim())
  }

  #start(name: string, attributes: string): void {
    const isVoid = VOID_ELEMENTS.has(name) || attributes.endsWith('/')
    if (this.#dropped !== undefined) {
      if (name === this.#dropped.name && !isVoid) this.#dropped.depth++
      return
    }
    if (DROPPED.has(name) || DROPPED_CLASS.test(attributes) || this.#drops?.test(attributes) === true) {
      if (this.#open.length === 0 && !isVoid) this.#separate('dropped')
      if (!isVoid) this.#dropped = { name, depth: 1 }
      return
    }
    if (name === 'br' || name === 'hr') this.#put(this.#isPlain && name === 'br' ? '\n' : `<${name}>`)
    if (isVoid || UNWRAPPED.has(name)) return
    if (BLOCKS.has(name)) {
      if (this.#open.length === 0) this.#separate(name)
      this.#open.push(name)
    }
    this.#put(`<${name}>`)
  }

  #close(name: string): void {
    if (this.#dropped !== undefined) {
      if (name === this.#dropped.name && --this.#dropped.depth === 0) this.#dropped = undefined
      return
    }
    if (UNWRAPPED.has(name) || VOID_ELEMENTS.has(name) || DROPPED.has(name)) return
    if (BLOCKS.has(name)) this.#open.pop()
    const isParagraph = name === 'p' && this.#open.length === 0
    this.#endsInLine = isParagraph && this.#last !== '\n' && /\s/.test(this.#last)
    this.#put(isParagraph && !/\s/.test(this.#last) ? `\n</p>` : `</${name}>`)
  }

  #put(text: string): void {
    if (text === '') return
    this.#parts.push(text)
    this.#last = text.at(-1)!
  }

  /** Paragraphs end with a line break of their own; other blocks have one between them. */
  #separate(name: string): void {
    const isPair = this.#previous === 'p' && name === 'p'
    const isSameLine = this.#previous === 'p' && name === 'dropped' && this.#endsInLine
    if (this.#previous !== undefined && !isPair && !isSameLine) this.#put('\n')
    this.#previous = name
  }
}

const RAW_MARK = '\ufffd\ufffd'
const HEADING_ELEMENT = /\n{0,9}<h([1-6])>([^]*?)<\/h\1>\n?/g

function plainText(html: string, format: ExtractOptions['sectionFormat']): string {
  const marked = html.replace(HEADING_ELEMENT, (_all, level: string, title: string) => {
    const heading = title.replace(/<[^>]*>/g, '').trim()
    if (format === 'plain') return `\n\n\n${heading}\n`
    // MediaWiki marks them with control characters, and its JSON has U+FFFD in place of each.
    if (format === 'raw') return `\n\n${RAW_MARK}${level}${RAW_MARK}${heading}\n`
    const marks = '='.repeat(Number(level))
    return `\n\n\n${marks} ${heading} ${marks}\n`
  })
  const text = decodeCharacterReferences(marked.replace(/<[^>]*>/g, ''))
  return text
    .replace(/(?<![ \t\u00a0])[ \t\u00a0]+\n/g, '\n')
    .replace(/\n{4,}/g, '\n\n\n')
    .replace(/\n{3}(?=\ufffd\ufffd\d)/g, '\n\n')
    .trim()
}

function shortened(
  text: string,
  { characters, sentences }: Pick<ExtractOptions, 'characters' | 'sentences'>,
  close: (text: string) => string,
): string {
  if (characters !== undefined && text.length > characters) {
    const rest = /^[\p{L}\p{N}\p{M}]*/u.exec(text.slice(characters))?.[0] ?? ''
    const cut = text.slice(0, characters) + rest
    return cut.length < text.length ? close(`${cut.trimEnd()}...`) : text
  }
  return sentences === undefined ? text : close(firstSentences(text, sentences))
}

const SENTENCE_END = /[.!?。！？]+(?=\s|<|$|\p{Lo})/gu

function firstSentences(text: string, count: number): string {
  let left = count
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) {
    // Not within a tag.
    if (--left === 0) return text.slice(0, index + mark.length)
  }
  return text
}

/** HTML that was cut, with the tags that are missing. */
function closed(html: string): string {
  const lastOpen = html.lastIndexOf('<')
  const whole = lastOpen > html.lastIndexOf('>') ? html.slice(0, lastOpen) : html
  const open: string[] = []
  for (const [, slash, name] of whole.matchAll(/<(\/?)([a-z][\w-]*)>/g)) {
    if (name === undefined || VOID_ELEMENTS.has(name)) continue
    if (slash === '') open.push(name)
    else if (open.at(-1) === name) open.pop()
  }
  return (
    whole +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  )
}
