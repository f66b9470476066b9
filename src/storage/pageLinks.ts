/**
 * `Store.links`: links in the latest texts of pages. They are parsed at each call: rows for them would take more room
 * than the texts, and a quarter of an import's time.
 */
import type { InterwikiMap } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import type { Site } from '../domain/site.js'
import type { Title } from '../domain/title.js'
import { languageLinks, languageLinksJson, type LinkRules, linkRules } from '../render/languageLinks.js'
import { mediaLinks } from '../render/mediaLinks.js'
import { titleRowWikitext } from './rows/rows.js'
import type { Tables } from './tables.js'

/** The parts of the store that this class needs. */
interface StoreOfTexts {
  readonly tables: Tables
  site(): Site
  namespaces(): Namespaces
  interwiki(): InterwikiMap
}

export class PageLinks {
  readonly #store: StoreOfTexts
  #rules: { readonly site: Site; readonly rules: LinkRules } | undefined

  constructor(store: StoreOfTexts) {
    this.#store = store
  }

  /**
   * Language links in a page's own text, as the JSON that clients get; an empty list for an unknown page. Links from
   * templates are not included. Takes about 1 µs a link.
   */
  languagesJson({ namespace, dbkey }: Title): Buffer {
    return Buffer.from(this.languagesJsonIn(this.#wikitext(namespace, dbkey) ?? ''))
  }

  /** The same for the links in a wikitext with expanded templates. */
  languagesJsonIn(wikitext: string): string {
    return languageLinksJson(languageLinks(wikitext, this.rules()))
  }

  /**
   * Names of at most `limit` files that a page's own text uses, in order, whether they exist or not. Files from
   * templates are not included.
   */
  files({ namespace, dbkey }: Title, limit: number): string[] {
    return mediaLinks(this.#wikitext(namespace, dbkey) ?? '', this.#store.namespaces(), limit)
  }

  /** The rules of the present site settings. */
  rules(): LinkRules {
    const site = this.#store.site()
    if (this.#rules?.site !== site) {
      const [namespaces, interwiki] = [this.#store.namespaces(), this.#store.interwiki()]
      this.#rules = { site, rules: linkRules({ namespaces, interwiki, language: site.language }) }
    }
    return this.#rules.rules
  }

  /** The latest text of a page; undefined if there is no such page, or its text is hidden or no wikitext. */
  #wikitext(namespace: number, dbkey: string): string | undefined {
    const row = this.#store.tables.title.getBinaryFast([namespace, dbkey])
    return row && titleRowWikitext(row)
  }
}
