/** The wiki of the recordings of languages: one page and no other, with the names of each language. */
import { DEFAULT_SITE, type Site } from '../../src/domain/site.js'
import { languageOf } from '../../src/language/language.js'

const PROJECT = 4
const NAME = 'Oracle Wiki'

export function recordedSite(language: string): Site {
  const names = new Map([...languageOf(language).namespaceNames, [PROJECT, NAME]])
  const namespaces = Array.from(names, ([id, name]) => ({ id, name: name.replace('$1', NAME) }))
  return {
    ...DEFAULT_SITE,
    name: NAME,
    language,
    base: 'http://wiki.example/wiki/Main_Page',
    namespaces: namespaces.map((namespace) => ({ ...namespace, case: 'first-letter' })),
  }
}
