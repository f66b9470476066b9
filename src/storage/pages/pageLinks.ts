/**
 * `Store.links`: links in the latest texts of pages. They are parsed at each call: rows for them would take more room
 * than the texts, and a quarter of an import's time.
 */
import type { InterwikiMap } from '../../domain/interwiki.js'
import type { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { FileLinkReader } from '../../wikitext/fileLinkReader.js'
import { LanguageLinkReader } from '../../wikitext/languageLinkReader.js'
import { hidesCategory, statedProperties } from '../../wikitext/statedProperties.js'
import { type LinkRules, linkRules } from '../../wikitext/languageLinks.js'
import { type PageRow, SOURCE_FIELD } from '../rows/rows.js'
import { decodeSqlRow, type NamedValues, readSqlRow } from '../sqlTables/sqlTables.js'
import { readMeta } from '../tables/meta.js'
import type { TableHolder } from '../tables/tables.js'
import { isLatestImported } from './history.js'

/** The parts of the store that this class needs. */
interface StoreOfTexts extends TableHolder {
  site(): Site
  namespaces(): Namespaces
  interwiki(): InterwikiMap
}

/** What follows from the settings of a site. */
interface Prepared {
  readonly site: Site
  readonly rules: LinkRules
  readonly languageLinks: LanguageLinkReader
  readonly fileLinks: FileLinkReader
}

const NOTHING = Buffer.alloc(0)
/** Longer texts are not searched for properties: that would take the event loop a millisecond. */
const MAX_SEARCHED = 128 * 1024
/** Names of imported properties that no text states. */
const NOT_OF_TEXTS = /^(?:wikibase|page_image)/
const NO_PROPERTIES: ReadonlyMap<string, string> = new Map()
/** How the object `meta` of a title row ends. */
const WIKITEXT_END = ',"content_model":"wikitext"'

export class PageLinks {
  readonly #store: StoreOfTexts
  #prepared: Prepared | undefined

  constructor(store: StoreOfTexts) {
    this.#store = store
  }

  /**
   * Language links in a page's own text, as the JSON that clients get, valid until the next call. Links from templates
   * are not included. The row must still be valid.
   */
  languagesJson(page: PageRow): Uint8Array {
    const inside = this.#wikitext(page) ?? NOTHING
    return this.#present().languageLinks.listOf(inside)
  }

  /** The same for the links in a wikitext with expanded templates. */
  languagesJsonIn(wikitext: string): Uint8Array {
    return this.#present().languageLinks.listIn(wikitext)
  }

  /**
   * Names of at most `limit` files that a page's own text uses, in order, whether they exist or not. Files from
   * templates are not included. The row must still be valid.
   */
  files(page: PageRow, limit: number): string[] {
    const inside = this.#wikitext(page)
    return inside === undefined ? [] : this.#present().fileLinks.namesIn(inside, limit)
  }

  /**
   * Properties that the page's own text states, such as its sort key. Those of templates are not included. Empty for a
   * text of more than `MAX_SEARCHED` bytes. The row must still be valid.
   */
  properties(page: PageRow): ReadonlyMap<string, string> {
    const { source } = page
    // Most texts have none, and to read one takes longer than this.
    const mayState = source.length <= MAX_SEARCHED && (source.includes('__') || source.includes('{{'))
    const inside = mayState ? this.#wikitext(page) : undefined
    return inside === undefined
      ? NO_PROPERTIES
      : statedProperties(JSON.parse(`"${inside.toString()}"`) as string)
  }

  /**
   * Properties of a page from the imported table `page_props`. What texts state, such as `displaytitle`, is left out
   * where the text may have changed since the import.
   */
  importedProperties(pageId: number): NamedValues {
    const { tables } = this.#store
    const row = readSqlRow(tables, 'page_props', pageId)
    if (row === undefined) return []
    const all = decodeSqlRow(row)
    const isCurrent = readMeta(tables, 'upstream') === undefined && isLatestImported(tables, pageId)
    return isCurrent ? all : all.filter(([name]) => NOT_OF_TEXTS.test(name))
  }

  /** Whether the page of a category says, in the words of any language of the wiki, that it is hidden. */
  hidesCategory(page: PageRow): boolean {
    const mayState = page.source.includes('__') || page.source.includes('＿＿')
    const inside = mayState ? this.#wikitext(page) : undefined
    if (inside === undefined) return false
    return hidesCategory(JSON.parse(`"${inside.toString()}"`) as string, this.rules().language)
  }

  /** The rules of the present site settings. */
  rules(): LinkRules {
    return this.#present().rules
  }

  #present(): Prepared {
    const site = this.#store.site()
    if (this.#prepared?.site !== site) {
      const [namespaces, interwiki] = [this.#store.namespaces(), this.#store.interwiki()]
      const rules = linkRules({ namespaces, interwiki, language: site.language })
      this.#prepared = {
        site,
        rules,
        languageLinks: new LanguageLinkReader(rules),
        fileLinks: new FileLinkReader(namespaces),
      }
    }
    return this.#prepared
  }

  /** The inside of the JSON string that is the latest text of a page. Undefined if it is hidden or no wikitext. */
  #wikitext({ meta, source, textHidden }: PageRow): Buffer | undefined {
    const isWikitext = meta.toString('latin1', meta.length - WIKITEXT_END.length) === WIKITEXT_END
    if (textHidden || !isWikitext) return undefined
    const inside = source.subarray(meta.length + SOURCE_FIELD.length + 1, source.length - 1)
    // `#present` may read the store, which overwrites the row.
    return this.#prepared?.site === this.#store.site() ? inside : Buffer.from(inside)
  }
}
