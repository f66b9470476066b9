/** A page as the readers of a variant of its language see it: the inside of its body, its outline and its name. */
import type { Outline } from '../../domain/outline.js'
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
  /** HTML that the server shows below the page's own. */
  readonly below?: string | undefined
}

export interface ShownVariant extends Pick<VariantPage, 'name' | 'outline' | 'below'> {
  readonly html: string
}

const SWITCH = 'property="mw:PageProp/'

/** `html` is the inside of the body. */
export function readPage(
  html: string,
  { language, variant, name, outline, below }: VariantPage,
): ShownVariant {
  const reading = new VariantReading(language, variant)
  const keepsTitle = html.includes(`${SWITCH}notitleconvert"`)
  reading.converts = !html.includes(`${SWITCH}nocontentconvert"`) && !reading.isWrittenSo(html)
  const shown = readHtml(html, reading)
  const { displayTitle } = outline
  const { title } = reading
  return {
    html: shown,
    outline: {
      ...readOutline(outline, reading),
      ...(displayTitle !== undefined && { displayTitle: readHtml(displayTitle, reading) }),
    },
    name: title ?? (keepsTitle ? name : reading.words(name)),
    ...(below !== undefined && { below: readHtml(below, reading) }),
  }
}

function readOutline(outline: Outline, reading: VariantReading): Outline {
  const { headings, lead, categories } = outline
  return {
    ...outline,
    headings: headings.map(([level, id, text]) => [level, id, reading.text(text)]),
    lead: reading.text(lead),
    categoryNames: categories.map(([key]) =>
      reading.words(key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')),
    ),
  }
}
