/** What the reader of a variant sees: texts, and the markup of variants in them. Rules add up in the page's order. */
import { convert, type Conversion, PageRules } from '../../language/variants/conversion.js'
import { conversionOf } from '../../language/variants/conversions.js'
import { languageOf } from '../../language/language.js'
import { faultOf, type VariantWords, wordsOf } from '../../language/variants/words.js'
import { variantName } from '../../domain/variants.js'
import { markupEnd, readMarkup, type VariantMarkup } from '../../domain/variantMarkup.js'

/** How a text is written: as HTML, or plain. */
export interface TextForm {
  /** A plain text. */
  readonly write: (text: string) => string
  /** A text of the markup, of which nothing but markup inside is converted. */
  readonly raw: (text: string) => string
  /** A text of the markup that is converted. */
  readonly converted: (text: string) => string
  /** The words of a text of the markup. */
  readonly plain: (text: string) => string
  readonly error: (message: string) => string
  /** The words of what the other functions have written. */
  readonly wordsOf: (written: string) => string
}

/** Rules that a page may add. Further ones do not count. */
const MAX_RULES = 20_000
const TAG = /<(?:"[^"]*"|'[^']*'|[^'"<>])*>/g
const MARKUP = 'data-mw-variant'

export class VariantReading {
  readonly language: string
  readonly #variant: string
  readonly #conversion: Conversion
  readonly #rules = new PageRules()
  readonly #words: VariantWords
  #added = 0
  /** The title that the page gives itself, in plain text. */
  title: string | undefined
  /** Whether texts are converted; markup is read in any case. */
  converts = true

  constructor(language: string, variant: string) {
    this.language = language
    this.#variant = variant
    this.#conversion = conversionOf(variant)
    this.#words = wordsOf(language)
  }

  /** Whether a text is written as this variant is. */
  isWrittenSo(text: string): boolean {
    return this.#conversion.isWrittenSo?.(text) === true
  }

  /** The same for HTML. Texts of markup count. */
  isHtmlWrittenSo(html: string): boolean {
    if (this.#conversion.isWrittenSo === undefined) return false
    return this.isWrittenSo(html.replace(TAG, (tag) => (tag.includes(MARKUP) ? tag : ' ')))
  }

  /** A title, which the page around it does not concern. */
  titleWords(title: string): string {
    return this.isWrittenSo(title) ? title : convert(title, this.#conversion, this.#rules)
  }

  /** A plain text without markup. */
  words(text: string): string {
    return this.converts ? convert(text, this.#conversion, this.#rules) : text
  }

  /** A plain text with markup. Markup without an end ends the text. */
  text(text: string, isRaw = false): string {
    let result = ''
    let at = 0
    for (let open = text.indexOf('-{'); open >= 0; open = text.indexOf('-{', at)) {
      const end = markupEnd(text, open + 2)
      const before = text.slice(at, open)
      result += isRaw ? before : this.words(before)
      if (end < 0) return result
      result += this.shown(readMarkup(text.slice(open + 2, end - 2), this.language), this.#plainForm)
      at = end
    }
    const rest = text.slice(at)
    return result + (isRaw ? rest : this.words(rest))
  }

  readonly #plainForm: TextForm = {
    write: (text) => text,
    raw: (text) => this.text(text, true),
    converted: (text) => this.text(text),
    plain: (text) => text,
    error: (message) => message,
    wordsOf: (written) => written,
  }

  /** Takes markup in, and returns what is shown in its place. */
  shown(markup: VariantMarkup, form: TextForm): string {
    this.#takeRules(markup, form)
    if (markup.title === true && this.#givesTitle(markup))
      this.title = form.wordsOf(this.#chosen(markup, form))
    if (markup.isHidden === true || markup.title === true) return ''
    const { disabled, name, filter } = markup
    if (disabled !== undefined) return form.raw(disabled.t)
    if (name !== undefined) return form.write(this.#nameOf(form.plain(name.t).trim()))
    if (filter !== undefined) return this.#filtered(filter, form)
    return markup.describe === true ? this.#description(markup, form) : this.#chosen(markup, form)
  }

  /** Readers without a variant see the page's own title, unless markup has one for them. */
  #givesTitle(markup: VariantMarkup): boolean {
    return this.#variant !== this.language || this.#textsOf(markup).has(this.language)
  }

  /** A text that some variants convert. Others see it as the nearest of those that stand in for them. */
  #filtered({ l, t }: NonNullable<VariantMarkup['filter']>, form: TextForm): string {
    if (l.includes(this.#variant)) return form.converted(t)
    const stand = this.#fallbacks.find((code) => l.includes(code))
    return stand === undefined ? form.raw(t) : form.write(convert(form.plain(t), conversionOf(stand)))
  }

  get #fallbacks(): readonly string[] {
    return languageOf(this.language).variantFallbacks.get(this.#variant) ?? []
  }

  #nameOf(code: string): string {
    return languageOf(this.language).variants.includes(code) ? variantName(code) : ''
  }

  /** The text for this variant: its own, or that of the nearest that stands in for it. */
  #chosen(markup: VariantMarkup, form: TextForm): string {
    const { disabled, twoway = [], oneway = [] } = markup
    if (disabled !== undefined) return form.raw(disabled.t)
    const { variants } = languageOf(this.language)
    const texts = this.#textsOf(markup)
    const isOfNone = ![...twoway, ...oneway].some(({ l }) => l === '*' || variants.includes(l))
    if (isOfNone) return form.raw(sourceOf(markup))
    for (const code of [this.#variant, ...this.#fallbacks]) {
      const text = texts.get(code)
      if (text !== undefined) return form.raw(text)
    }
    const own = oneway.find(({ l }) => l === this.#variant)
    const any = this.#words.anyOneWay.has(this.#variant) ? oneway[0] : undefined
    const text = own ?? any
    return text === undefined ? form.error(faultOf(this.language)) : form.raw(text.t)
  }

  /** Texts by variant; the last one of a variant counts. */
  #textsOf({ twoway = [] }: VariantMarkup): Map<string, string> {
    const { variants } = languageOf(this.language)
    const texts = new Map<string, string>()
    for (const { l, t } of twoway) {
      if (t === '') continue
      if (l === '*') for (const code of variants) texts.set(code, t)
      else if (variants.includes(l)) texts.set(l, t)
    }
    return texts
  }

  #description(markup: VariantMarkup, form: TextForm): string {
    const { betweenNameAndText, afterText } = this.#words
    const { oneway = [] } = markup
    const twoway = Array.from(
      this.#textsOf(markup),
      ([code, text]) => form.write(variantName(code) + betweenNameAndText) + form.raw(text) + afterText,
    )
    return [
      ...twoway,
      ...oneway.map(
        ({ f, l, t }) =>
          form.raw(f) + form.write(`⇒${variantName(l)}${betweenNameAndText}`) + form.raw(t) + afterText,
      ),
    ].join('')
  }

  #takeRules(markup: VariantMarkup, form: TextForm): void {
    const { add, remove } = markup
    if (add !== true && remove !== true) return
    for (const [from, to] of this.#pairs(markup)) {
      if (++this.#added > MAX_RULES) return
      if (add === true) this.#rules.add(form.plain(from), form.plain(to))
      else this.#rules.remove(form.plain(from))
    }
  }

  /** What the markup replaces in this variant, and by what. */
  *#pairs(markup: VariantMarkup): Generator<readonly [from: string, to: string]> {
    const { noRules: off, oneWayOnly } = this.#words
    if (off.has(this.#variant)) return
    for (const { f, l, t } of markup.oneway ?? []) if (l === this.#variant) yield [f, t]
    if (oneWayOnly.has(this.#variant)) return
    const { variants, variantFallbacks } = languageOf(this.language)
    const texts = this.#textsOf(markup)
    const withFallbacks = new Map(texts)
    for (const code of variants) {
      const stand = (variantFallbacks.get(code) ?? []).find((other) => texts.has(other))
      if (!texts.has(code) && stand !== undefined) withFallbacks.set(code, texts.get(stand)!)
    }
    const to = withFallbacks.get(this.#variant)
    if (to === undefined) return
    for (const [code, from] of withFallbacks) if (code !== this.#variant) yield [from, to]
  }
}

/** What was written, of markup that names no variant of the language. */
function sourceOf({ twoway = [], oneway = [] }: VariantMarkup): string {
  return [...twoway.map(({ l, t }) => `${l}:${t}`), ...oneway.map(({ f, l, t }) => `${f}=>${l}:${t}`)].join(
    ';',
  )
}
