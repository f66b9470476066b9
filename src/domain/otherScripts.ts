/** Texts in the other scripts and words of a language, for the search: it finds a page by words of each variant. */
import { conversionOf } from '../language/variants/conversions.js'
import { convert } from '../language/variants/conversion.js'
import { variantsOf } from './variants.js'

/** Variants that between them have all letters and words, where a language has more. */
const SEARCHED: Readonly<Record<string, readonly string[]>> = {
  kk: ['kk-cyrl', 'kk-latn', 'kk-arab'],
  zh: ['zh-cn', 'zh-tw'],
}

/** The text in each variant that writes it otherwise. Empty where the language has none. */
export function inOtherScripts(text: string, language: string): string[] {
  const codes = SEARCHED[language] ?? variantsOf(language)
  const texts = new Set<string>()
  for (const code of codes) {
    const conversion = conversionOf(code)
    if (conversion.isWrittenSo?.(text) !== true) texts.add(convert(text, conversion))
  }
  texts.delete(text)
  return [...texts]
}
