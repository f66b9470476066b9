/** Pages that the wiki has under the letters of another variant of its language. */
import type { AppContext } from '../../context.js'
import type { Title } from '../../domain/title.js'
import type { PageAnswers } from './pageAnswers.js'

/** The page for each title; undefined if there is none. A compute thread knows the letters. */
export async function pagesInVariants(
  titles: readonly Title[],
  language: string,
  { pool, store, pages }: Pick<AppContext, 'pool' | 'store'> & { readonly pages: Pick<PageAnswers, 'find'> },
): Promise<(Title | undefined)[]> {
  const spellings = await pool.run('titlesInVariants', { titles, language })
  store.refresh()
  return spellings.map((others) => others.find((other) => pages.find(other) !== undefined))
}
