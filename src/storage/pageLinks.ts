/**
 * `Store.links`: links in the latest texts of pages. They are parsed at each call: rows for them would take more room
 * than the texts, and a quarter of an import's time.
 */
import type { InterwikiMap } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import type { Site } from '../domain/site.js'
import type { Title } from '../domain/title.js'
import { FileSigns } from '../render/fileSigns.js'
import { LanguageLinkReader } from '../render/languageLinkReader.js'
import { type LinkRules, linkRules } from '../render/languageLinks.js'
import { mediaLinks } from '../render/mediaLinks.js'
import { SOURCE_FIELD, viewTitleRow } from './rows/rows.js'
import type { Tables } from './tables.js'

/** The parts of the store that this class needs. */
interface StoreOfTexts {
  readonly tables: Tables
  site(): Site
  namespaces(): Namespaces
  interwiki(): InterwikiMap
}

/** What follows from the settings of a site. */
interface Prepared {
  readonly site: Site
  readonly rules: LinkRules
  readonly reader: LanguageLinkReader
  readonly fileSigns: FileSigns
}

const NOTHING = Buffer.alloc(0)
/** How the object `meta` of a title row ends. */
const WIKITEXT_END = ',"content_model":"wikitext"'

export class PageLinks {
  readonly #store: StoreOfTexts
  #prepared: Prepared | undefined

  constructor(store: StoreOfTexts) {
    this.#store = store
  }

  /**
   * Language links in a page's own text, as the JSON that clients get, valid until the next call; an empty list for an
   * unknown page. Links from templates are not included.
   */
  languagesJson(title: Title): Uint8Array {
    return this.#present().reader.listOf(this.#wikitext(title) ?? NOTHING)
  }

  /** The same for the links in a wikitext with expanded templates. */
  languagesJsonIn(wikitext: string): Uint8Array {
    return this.#present().reader.listIn(wikitext)
  }

  /**
   * Names of at most `limit` files that a page's own text uses, in order, whether they exist or not. Files from
   * templates are not included.
   */
  files(title: Title, limit: number): string[] {
    const inside = this.#wikitext(title)
    if (inside === undefined || !this.#present().fileSigns.mayUseFiles(inside)) return []
    return mediaLinks(JSON.parse(`"${inside.toString()}"`) as string, this.#store.namespaces(), limit)
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
        reader: new LanguageLinkReader(rules),
        fileSigns: new FileSigns(namespaces),
      }
    }
    return this.#prepared
  }

  /**
   * The inside of the JSON string that is the latest text of a page: a view. Undefined if there is no such page, or its
   * text is hidden or no wikitext.
   */
  #wikitext({ namespace, dbkey }: Title): Buffer | undefined {
    const row = this.#store.tables.title.getBinaryFast([namespace, dbkey])
    if (row === undefined) return undefined
    const { meta, source, textHidden } = viewTitleRow(row)
    const isWikitext = meta.toString('latin1', meta.length - WIKITEXT_END.length) === WIKITEXT_END
    if (textHidden || !isWikitext) return undefined
    return source.subarray(meta.length + SOURCE_FIELD.length + 1, source.length - 1)
  }
}
