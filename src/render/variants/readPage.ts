/** A page as the readers of a variant of its language see it: the inside of its body, its outline and its name. */
import type { Outline } from '../../domain/outline.js'
import { languageOf } from '../../language/language.js'
import { readHtml } from './readHtml.js'
import { VariantReading } from './reading.js'

export interface VariantPage {
  /** Of the wiki. */
  readonly language: string
  /** Code of the variant; the language itself for texts as they are written. */
  readonly variant: string
  /** Of the page, in reading form. */
  readonly name: string
  /** Undefined if the page shows none. */
  readonly outline: Outline
}

export interface ShownVariant extends Pick<VariantPage, 'name' | 'outline'> {
  readonly html: string
}

const SWITCH = 'property="mw:PageProp/'

/** `html` is the inside of the body. */
export function readPage(html: string, { language, variant, name, outline }: VariantPage): ShownVariant {
  const reading = new VariantReading(language, variant)
  const isSwitchedOff = html.includes(`${SWITCH}nocontentconvert"`)
  const keepsTitle = isSwitchedOff || html.includes(`${SWITCH}notitleconvert"`)
  reading.converts = !isSwitchedOff && !reading.isHtmlWrittenSo(html)
  const shown = readHtml(html, reading)
  const { displayTitle } = outline
  const { title } = reading
  return {
    html: shown,
    outline: {
      ...readOutline(outline, reading),
      ...(displayTitle !== undefined && { displayTitle: readHtml(displayTitle, reading) }),
    },
    name: title ?? (keepsTitle ? name : readName(name, reading, variant)),
  }
}

/** A title in reading form. The variant has names of namespaces of its own. */
export function readName(name: string, reading: VariantReading, variant: string): string {
  const colon = name.indexOf(':')
  const prefix = name.slice(0, Math.max(0, colon))
  const [id] = Array.from(languageOf(reading.language).namespaceNames).find(([, own]) => own === prefix) ?? []
  const own = id === undefined || prefix === '' ? undefined : languageOf(variant).namespaceNames.get(id)
  return own === undefined ? reading.titleWords(name) : `${own}:${reading.titleWords(name.slice(colon + 1))}`
}

function readOutline(outline: Outline, reading: VariantReading): Outline {
  const { headings, lead, categories } = outline
  return {
    ...outline,
    headings: headings.map(([level, id, text]) => [level, id, reading.text(text)]),
    lead: reading.text(lead),
    categoryNames: categories.map(([key]) =>
      reading.titleWords(key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')),
    ),
  }
}
