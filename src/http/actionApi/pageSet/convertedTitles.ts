/** `converttitles`: pages that the wiki has under the letters of another variant of its language. */
import { parseTitle, type Title, titleId } from '../../../domain/title.js'
import { hasVariants } from '../../../domain/variants.js'
import type { ActionCall } from '../frame/call.js'
import { usualText } from '../frame/input.js'

/** Titles of existing pages, by the id of the title that was asked for. A compute thread knows the letters. */
export async function convertedTitles(
  texts: readonly string[],
  { context: { pages, pool, store }, wiki: { namespaces, site } }: ActionCall,
): Promise<ReadonlyMap<string, Title>> {
  const { language } = site
  if (!hasVariants(language)) return new Map()
  const missing = texts.flatMap((text) => {
    const parsed = parseTitle(usualText(text).text, namespaces)
    return parsed.ok && parsed.title.namespace >= 0 && pages.find(parsed.title) === undefined
      ? [parsed.title]
      : []
  })
  if (missing.length === 0) return new Map()
  const others = await pool.run('titlesInVariants', { titles: missing, language })
  store.refresh()
  const found = new Map<string, Title>()
  for (const [n, titles] of others.entries()) {
    const page = titles.find((title) => pages.find(title) !== undefined)
    if (page !== undefined) found.set(titleId(missing[n]!), page)
  }
  return found
}
