/**
 * The markup of language variants: `-{zh-hans:…;zh-hant:…}-` and its flags, as HTML describes it in `data-mw-variant`,
 * and as attributes and plain texts still have it.
 */
import { languageOf } from '../language/language.js'
import { variantNamed, variantTag } from './variants.js'
import { decodeCharacterReferences } from './characterReferences.js'
import { withoutTags } from './html.js'

/** A text of one variant. */
interface VariantText {
  /** Code of the variant; `*` stands for all. */
  readonly l: string
  readonly t: string
}

/** As `data-mw-variant` has it. Texts are HTML, or plain if the markup comes from a plain text. */
export interface VariantMarkup {
  /** Texts that stand for each other. */
  readonly twoway?: readonly VariantText[]
  /** Texts for what other variants write as `f`. */
  readonly oneway?: readonly (VariantText & { readonly f: string })[]
  /** A text that is shown as it is written. */
  readonly disabled?: { readonly t: string }
  /** A code whose name is shown. */
  readonly name?: { readonly t: string }
  /** A text that is converted in some variants alone. */
  readonly filter?: { readonly l: readonly string[]; readonly t: string }
  /** Adds or removes rules for the text after it. */
  readonly add?: boolean
  readonly remove?: boolean
  /** Gives the page a title. */
  readonly title?: boolean
  /** Shows the rule itself. */
  readonly describe?: boolean
  /** Shows nothing. HTML has an element without content for it. */
  readonly isHidden?: boolean
}

const OPEN = '-{'
const CLOSE = '}-'
/** Deeper markup is text. */
const MAX_DEPTH = 10

/** Place after the `}-` that ends the markup whose inside begins at `from`; -1 if none does. */
export function markupEnd(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length;) {
    const close = text.indexOf(CLOSE, at)
    if (close < 0) return -1
    const open = text.indexOf(OPEN, at)
    if (open >= 0 && open < close) {
      if (++depth > MAX_DEPTH) return -1
      at = open + OPEN.length
      continue
    }
    at = close + CLOSE.length
    if (--depth === 0) return at
  }
  return -1
}

/** Flags of rules that show nothing. */
const HIDING: ReadonlySet<string> = new Set(['-', '+', 'H', 'T'])
const FLAGS = /^\s*([-+A-Z](?:\s*;\s*[-+A-Z])*)\s*$/
const CODES = /^\s*([a-z][a-z-]*(?:\s*;\s*[a-z][a-z-]*)*)\s*$/

/** Reads the inside of `-{…}-` in a plain text. */
export function readMarkup(inside: string, language: string): VariantMarkup {
  const bar = inside.indexOf('|')
  const head = bar < 0 ? '' : inside.slice(0, bar)
  const flags = FLAGS.exec(head)?.[1]?.split(/\s*;\s*/) ?? []
  const codes = CODES.exec(head)?.[1]?.split(/\s*;\s*/) ?? []
  const limited = codes.filter((code) => languageOf(language).variants.includes(code))
  if (flags.length === 0 && limited.length > 0) return { filter: { l: limited, t: inside.slice(bar + 1) } }
  const text = flags.length === 0 ? inside : inside.slice(bar + 1)
  if (flags.includes('R')) return { disabled: { t: text } }
  if (flags.includes('N')) return { name: { t: text } }
  const add = flags.includes('A') || flags.includes('H') || flags.includes('+')
  const isHidden = !flags.includes('A') && !flags.includes('D') && flags.some((flag) => HIDING.has(flag))
  return {
    ...textsOf(text, language),
    ...(add && { add }),
    ...(flags.includes('-') && { remove: true }),
    ...(flags.includes('T') && { title: true }),
    ...(flags.includes('D') && { describe: true }),
    ...(isHidden && { isHidden }),
  }
}

/** Texts end at a semicolon before the next text. Without any code, all is one text. */
function textsOf(text: string, language: string): VariantMarkup {
  const names = languageOf(language)
    .variants.flatMap((code) => [code, variantTag(code)])
    .join('|')
  const next = String.raw`(?=\s*(?:[^;{}]*?=>\s*)?(?:${names})\s*:)`
  const option = new RegExp(String.raw`^\s*(?:([^]*?)=>\s*)?(${names})\s*:\s*([^]*?)\s*;?\s*$`, 'i')
  const twoway: VariantText[] = []
  const oneway: (VariantText & { f: string })[] = []
  for (const part of text.split(new RegExp(`;${next}`))) {
    const [, f, name = '', t] = option.exec(part) ?? []
    const l = variantNamed(name, language)
    if (l === undefined || t === undefined) continue
    if (f === undefined) twoway.push({ l, t })
    else oneway.push({ f: f.trim(), l, t })
  }
  if (twoway.length === 0 && oneway.length === 0) return { disabled: { t: text } }
  return { ...(twoway.length > 0 && { twoway }), ...(oneway.length > 0 && { oneway }) }
}

/** Markup of HTML, with codes in the place of tags of BCP 47. Filters know codes alone. */
export function withCodes(markup: VariantMarkup, language: string): VariantMarkup {
  const { twoway, oneway } = markup
  const codeOf = (name: string): string => variantNamed(name, language) ?? name
  const coded = <Text extends VariantText>(texts: readonly Text[]): Text[] =>
    texts.map((text) => ({ ...text, l: codeOf(text.l) }))
  return {
    ...markup,
    ...(twoway && { twoway: coded(twoway) }),
    ...(oneway && { oneway: coded(oneway) }),
  }
}

/** The texts of markup: the one that readers without a choice see, and the others. */
interface ResolvedMarkup {
  readonly text: string
  readonly others: readonly string[]
}

/** A wikitext without markup of variants, and the texts that it hides. */
export function resolveMarkup(wikitext: string, language: string): ResolvedMarkup {
  const others: string[] = []
  let text = ''
  let at = 0
  for (;;) {
    OPENING.lastIndex = at
    const open = OPENING.exec(wikitext)
    const end = open === null ? -1 : markupEnd(wikitext, OPENING.lastIndex)
    if (open === null || end < 0) return { text: text + wikitext.slice(at), others }
    const resolved = textsShown(
      readMarkup(wikitext.slice(OPENING.lastIndex, end - CLOSE.length), language),
      language,
    )
    text += wikitext.slice(at, open.index) + resolved.text
    others.push(...resolved.others)
    at = end
  }
}

/** Not before a template. */
const OPENING = /-\{(?!\{)/g

function textsShown(markup: VariantMarkup, language: string): ResolvedMarkup {
  const { disabled, filter, twoway = [], oneway = [], isHidden, title } = markup
  const only = disabled ?? filter
  if (only !== undefined) return { text: resolveMarkup(only.t, language).text, others: [] }
  const fallbacks = languageOf(language).variantFallbacks.get(language) ?? []
  const codes = [language, ...fallbacks]
  const rank = (code: string): number => (codes.indexOf(code) + codes.length + 1) % (codes.length + 1)
  const texts = [...twoway, ...oneway].toSorted((one, other) => rank(one.l) - rank(other.l)).map(({ t }) => t)
  return isHidden === true || title === true
    ? { text: '', others: texts }
    : { text: texts[0] ?? '', others: texts.slice(1) }
}

/** The markup as a plain text writes it, of what HTML describes: without the HTML of its texts. */
export function writeMarkup(markup: VariantMarkup): string {
  const { twoway = [], oneway = [], disabled, name, filter, add, remove, title, describe, isHidden } = markup
  if (disabled !== undefined) return `${OPEN}R|${plain(disabled.t)}${CLOSE}`
  if (name !== undefined) return `${OPEN}N|${plain(name.t)}${CLOSE}`
  if (filter !== undefined) return `${OPEN}${filter.l.join(';')}|${plain(filter.t)}${CLOSE}`
  const letters = [
    ...(add === true ? [isHidden === true ? 'H' : 'A'] : []),
    ...(remove === true ? ['-'] : []),
    ...(title === true ? ['T'] : []),
    ...(describe === true ? ['D'] : []),
  ]
  const texts = [
    ...twoway.map(({ l, t }) => `${l}:${plain(t)};`),
    ...oneway.map(({ f, l, t }) => `${plain(f)}=>${l}:${plain(t)};`),
  ]
  return OPEN + letters.join(';') + (letters.length > 0 ? '|' : '') + texts.join('') + CLOSE
}

const plain = (html: string): string => decodeCharacterReferences(withoutTags(html))
