/** Titles in the letters of another variant of the wiki's language. */
import { MAIN } from '../../domain/namespaceIds.js'
import type { AppContext } from '../../context.js'
import type { Title } from '../../domain/title.js'
import type { PageAnswers } from './pageAnswers.js'

/** The page for each title; undefined if there is none. */
export async function pagesInVariants(
  titles: readonly Title[],
  language: string,
  { pool, store, pages }: Pick<AppContext, 'pool' | 'store'> & { readonly pages: Pick<PageAnswers, 'find'> },
): Promise<(Title | undefined)[]> {
  const spellings = await otherSpellings(titles, language, { pool, store })
  return spellings.map((others) => others.find((other) => pages.find(other) !== undefined))
}

/** A beginning of a title in the letters of each variant, without itself. */
export async function spellingsOf(
  text: string,
  language: string,
  context: Pick<AppContext, 'pool' | 'store'>,
): Promise<string[]> {
  const [spellings = []] = await otherSpellings([{ namespace: MAIN, dbkey: text }], language, context)
  return spellings.map(({ dbkey }) => dbkey.replaceAll('_', ' '))
}

/** A compute thread knows the letters. The store may have changed meanwhile. */
async function otherSpellings(
  titles: readonly Title[],
  language: string,
  { pool, store }: Pick<AppContext, 'pool' | 'store'>,
): Promise<readonly (readonly Title[])[]> {
  const spellings = await pool.run('titlesInVariants', { titles, language })
  store.refresh()
  return spellings
}
