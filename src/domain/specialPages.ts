/** Names of special pages. Pages that this server lacks count too: links and clients name them. */
import { languageOf } from '../language/language.js'
import type { Site } from './site.js'

type SiteOfSpecialPages = Pick<Site, 'language' | 'specialPages'>

/** Pages of extensions and of later versions, which the recording of languages lacks. */
const FURTHER = ['CiteThisPage', 'Interwiki', 'MyLog', 'RenameUser', 'RunJavaScript'].map(
  (name) => [name, [name]] as const,
)

export class SpecialPages {
  /** The names of each page in the wiki, by MediaWiki's name for it. The first one is that in links. */
  readonly names: ReadonlyMap<string, readonly string[]>
  readonly #byName = new Map<string, string>()

  private constructor({ language, specialPages = {} }: SiteOfSpecialPages) {
    const stated = Object.entries(specialPages)
    // The wiki's own names come first, since a name may be that of two pages.
    this.names = new Map([...stated, ...FURTHER, ...languageOf(language).specialPages, ...stated])
    for (const [page, names] of this.names)
      for (const name of [page, ...names])
        if (!this.#byName.has(fold(name))) this.#byName.set(fold(name), page)
  }

  static of(site: SiteOfSpecialPages): SpecialPages {
    const known = KNOWN.get(site) ?? new SpecialPages(site)
    KNOWN.set(site, known)
    return known
  }

  /** MediaWiki's name for the page that a title of the namespace Special names, maybe with a part after a slash. */
  named(dbkey: string): string | undefined {
    return this.#byName.get(fold(dbkey.replace(/\/.*$/s, '')))
  }
}

/** Requests come one after the other for the same site. */
const KNOWN = new WeakMap<SiteOfSpecialPages, SpecialPages>()

const fold = (name: string): string => name.replaceAll('_', '').toLowerCase()
