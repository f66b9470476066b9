/** Other spellings of a title: one that the wiki has under the letters of another variant is found all the same. */
import type { Title } from '../../domain/title.js'
import { variantsOf } from '../../domain/variants.js'
import { convert } from '../../language/variants/conversion.js'
import { conversionOf } from '../../language/variants/conversions.js'

/** The title in each variant of the language, without itself. Empty where the language has no variants. */
export function titlesInVariants({ namespace, dbkey }: Title, language: string): Title[] {
  const text = dbkey.replaceAll('_', ' ')
  const keys = new Set<string>()
  for (const code of variantsOf(language)) keys.add(convert(text, conversionOf(code)).replaceAll(' ', '_'))
  keys.delete(dbkey)
  return Array.from(keys, (key) => ({ namespace, dbkey: key }))
}
