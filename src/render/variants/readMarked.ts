/** The marked titles and texts of pages around the articles, such as lists and results of searches. */
import { readMarks } from '../../domain/variantMarks.js'
import { readHtml } from './readHtml.js'
import { readName } from './readPage.js'
import { VariantReading } from './reading.js'

export interface MarkedTexts {
  /** HTML with marks. */
  readonly texts: readonly string[]
  /** Of the wiki. */
  readonly language: string
  /** Code of the variant. */
  readonly variant: string
}

/** The same texts, without marks. No text has rules for another one. */
export function readMarked({ texts, language, variant }: MarkedTexts): string[] {
  const titles = new VariantReading(language, variant)
  const read = {
    name: (name: string) => readName(name, titles, variant),
    html: (html: string) => {
      const reading = new VariantReading(language, variant)
      reading.converts = !reading.isHtmlWrittenSo(html)
      return readHtml(html, reading)
    },
  }
  return texts.map((text) => readMarks(text, read))
}
