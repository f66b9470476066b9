/**
 * HTML as the reader of a variant sees it: texts, `alt` and `title` are converted, and elements of `mw:LanguageVariant`
 * become what they show. Walks over the HTML as the serialiser wrote it, in linear time, and builds no document.
 */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { escapeHtml, VOID_ELEMENTS, withoutTags } from '../../domain/html.js'
import { markupEnd, readMarkup, type VariantMarkup, withCodes } from '../../domain/variantMarkup.js'
import type { TextForm, VariantReading } from './reading.js'

/** One tag or comment. The serialiser quotes attributes, and escapes `<` in texts and attributes. */
const TAG = /<(?:!--[^]*?-->|(\/?)([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>)/y
/** Character references, and addresses. Both stay as they are. */
const KEPT =
  /(&[#\w]{1,32};|(?:[a-z][a-z+.-]{1,20}:\/\/|www\.)[^\s<>&]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+)/i
const MAY_KEEP = /&|:\/\/|www\.|@/
const SHOWN_ATTRIBUTE = /(\s(?:alt|title)=)(?:"([^"]*)"|'([^']*)')/g
const IS_VARIANT = /\stypeof=["'](?:[^"']* )?mw:LanguageVariant[ "']/
const DESCRIPTION = /\sdata-mw-variant=(?:"([^"]*)"|'([^']*)')/
/** Values of attributes that have markup are in the element's description. */
const EXPANDED = /\sdata-mw=(?:"([^"]*)"|'([^']*)')/
const LANGUAGE = /\slang="([^"]*)"/
const ORIGINS = /\sdata-parsoid=(?:"[^"]*"|'[^']*')/g
const LITERAL = 'typeof="mw:Nowiki"'
/** Whose content is no text of a language. */
const CODE: ReadonlySet<string> = new Set(['code', 'math', 'pre', 'script', 'style', 'svg'])

/** `isRaw`: only markup inside is read. */
export function readHtml(html: string, reading: VariantReading, isRaw = false): string {
  return new HtmlReader(html, reading, isRaw).run()
}

class HtmlReader {
  readonly #html: string
  readonly #reading: VariantReading
  readonly #isRaw: boolean
  #at = 0
  /** Name of the element around this place whose texts stay, and how many of its name are open. */
  #kept = ''
  #depth = 0
  #isLiteral = false
  /** Next place of markup that the engine may have left. One search of the whole HTML finds each. */
  #markup = -1
  readonly #lastClosing: number
  /** Alternative text of the next picture. */
  #alt: string | undefined

  constructor(html: string, reading: VariantReading, isRaw: boolean) {
    this.#html = html
    this.#reading = reading
    this.#isRaw = isRaw
    this.#lastClosing = html.lastIndexOf('}-')
  }

  run(): string {
    const html = this.#html
    let result = ''
    while (this.#at < html.length) {
      const tag = html.indexOf('<', this.#at)
      const end = tag < 0 ? html.length : tag
      if (end > this.#at) result += this.#stretch(end)
      else if (tag >= 0) result += this.#tag()
    }
    return result
  }

  get #converts(): boolean {
    return !this.#isRaw && this.#depth === 0
  }

  /** Text up to the next tag, or to markup that the engine left as it was written. */
  #stretch(end: number): string {
    const start = this.#at
    const markup = this.#nextMarkup(start)
    const closing = this.#isLiteral || markup >= end ? -1 : markupEnd(this.#html, markup + 2)
    this.#at = closing < 0 ? end : closing
    if (closing < 0) return this.#text(this.#html.slice(start, end))
    const before = this.#text(this.#html.slice(start, markup))
    // Its words alone: parts of elements would leave others without an end.
    const inside = this.#form.plain(this.#html.slice(markup + 2, closing - 2))
    return before + this.#reading.shown(readMarkup(inside, this.#reading.language), this.#wordsForm)
  }

  /** Its length for none. */
  #nextMarkup(start: number): number {
    if (this.#markup >= start) return this.#markup
    const found = this.#lastClosing < start ? -1 : this.#html.indexOf('-{', start)
    return (this.#markup = found < 0 || found > this.#lastClosing ? this.#html.length : found)
  }

  #text(text: string): string {
    if (!this.#converts || this.#isLiteral) return text
    if (!MAY_KEEP.test(text)) return escaped(this.#reading.words(text))
    return text
      .split(KEPT)
      .map((part, n) => (n % 2 === 1 ? part : escaped(this.#reading.words(part))))
      .join('')
  }

  #tag(): string {
    TAG.lastIndex = this.#at
    const match = TAG.exec(this.#html)
    if (match === null) {
      this.#at++
      return '<'
    }
    this.#at += match[0].length
    const [whole, slash, name, attributes] = match
    if (name === undefined || attributes === undefined) return whole
    this.#isLiteral = attributes.includes(LITERAL)
    this.#count(name, slash === '', attributes)
    if (attributes === '') return whole
    if (IS_VARIANT.test(attributes)) return this.#variant(name, attributes)
    return `<${slash}${name}${this.#attributes(name, attributes)}>`
  }

  #count(name: string, opens: boolean, attributes: string): void {
    if (
      this.#depth === 0 &&
      opens &&
      !VOID_ELEMENTS.has(name) &&
      (CODE.has(name) || this.#isForeign(attributes))
    )
      this.#kept = name
    else if (this.#kept !== name) return
    this.#depth = Math.max(0, this.#depth + (opens ? 1 : -1))
    if (this.#depth === 0) this.#kept = ''
  }

  #isForeign(attributes: string): boolean {
    const [, language = ''] = LANGUAGE.exec(attributes) ?? []
    return language !== '' && baseOf(language) !== baseOf(this.#reading.language)
  }

  #attributes(name: string, attributes: string): string {
    const own =
      this.#isRaw && attributes.includes('data-parsoid') ? attributes.replace(ORIGINS, '') : attributes
    const values = own.includes('mw:ExpandedAttrs') ? this.#expanded(own) : undefined
    if (values?.alt !== undefined && name !== 'img') this.#alt = values.alt
    const alt = name === 'img' ? this.#alt : undefined
    if (name === 'img') this.#alt = undefined
    if (!own.includes(' alt=') && !own.includes(' title=')) return own
    return own.replace(SHOWN_ATTRIBUTE, (all, start: string, double?: string, single?: string) => {
      const given = start.includes('alt=') ? (alt ?? values?.alt) : values?.title
      if (given !== undefined) return `${start}"${escapeHtml(given)}"`
      const plain = decodeCharacterReferences(double ?? single ?? '')
      if (plain.includes('://')) return all
      const shown = this.#reading.text(plain, !this.#converts)
      return shown === plain ? all : `${start}"${escapeHtml(shown)}"`
    })
  }

  /** Values of attributes as this reader sees them. */
  #expanded(attributes: string): { readonly alt?: string; readonly title?: string } {
    const [, double, single] = EXPANDED.exec(attributes) ?? []
    const described: { readonly attribs?: unknown } | undefined = parsed(double ?? single ?? '')
    const values: { alt?: string; title?: string } = {}
    for (const pair of Array.isArray(described?.attribs) ? (described.attribs as unknown[]) : []) {
      const [key, value] = pair as readonly [{ readonly txt?: string } | string, { readonly html?: string }]
      const name = typeof key === 'string' ? key : key?.txt
      const html = value?.html
      if ((name !== 'alt' && name !== 'title') || html?.includes('mw:LanguageVariant') !== true) continue
      const shown = readHtml(html.replace(/^\s*alt\s*=/, ''), this.#reading, !this.#converts)
      values[name] = this.#form.plain(shown)
    }
    return values
  }

  /** The element has no content: its end tag follows. */
  #variant(name: string, attributes: string): string {
    const end = `</${name}>`
    const isHidden = !this.#html.startsWith(end, this.#at)
    if (!isHidden) this.#at += end.length
    if (!isHidden) this.#count(name, false, '')
    const [, double, single] = DESCRIPTION.exec(attributes) ?? []
    const markup: VariantMarkup | undefined = parsed(double ?? single ?? '')
    const { language } = this.#reading
    return markup === undefined
      ? ''
      : this.#reading.shown({ ...withCodes(markup, language), isHidden }, this.#form)
  }

  readonly #form: TextForm = {
    write: escapeHtml,
    raw: (text) => readHtml(text, this.#reading, true),
    converted: (text) => readHtml(text, this.#reading),
    plain: (text) => decodeCharacterReferences(withoutTags(text)),
    error: (message) => `<span class="error">${escapeHtml(message)}</span>`,
    wordsOf: (written) => decodeCharacterReferences(withoutTags(written)),
  }

  /** Of markup in plain text. */
  readonly #wordsForm: TextForm = {
    ...this.#form,
    raw: (text) => escapeHtml(this.#reading.text(text, true)),
    converted: (text) => escapeHtml(this.#reading.text(text)),
    plain: (text) => text,
  }
}

/** Rules of a page have plain texts. A text between tags and references has none of these signs itself. */
const escaped = (text: string): string =>
  text.includes('<') || text.includes('&') ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text

const baseOf = (code: string): string => code.split('-', 1)[0]!.toLowerCase()

/** JSON in an attribute; undefined if it cannot be read. */
function parsed(attribute: string): object | undefined {
  try {
    return JSON.parse(decodeCharacterReferences(attribute)) as object
  } catch {
    return undefined
  }
}
