/** The menu of other languages: from the imported table of links, else from links in the text. */
import { hash } from 'node:crypto'
import type { InterwikiMap } from '../../domain/interwiki.js'
import type { Site } from '../../domain/site.js'
import { linksOfTable, linksOfUrls } from '../../reader/parts/languages.js'
import { languageMenu } from '../../reader/parts/lists.js'
import { packedParts, packInParts, unpackParts } from '../../storage/html/packedHtml.js'
import type { ReadyMenu } from '../../storage/html/renderingRow.js'
import type { Store } from '../../storage/store.js'

const DIGITS = 16

/** The menu of languages of a page. */
export interface PageLanguages {
  /** Differs whenever the menu for the same links in the text differs: 16 hex digits. */
  readonly basis: string
  /** The menu as HTML, for URLs from the text; empty without languages. */
  readonly menu: (urls: readonly string[]) => string
}

/** Reads what the store has; links in the text may come later. */
export function pageLanguages(
  pageId: number,
  store: Pick<Store, 'site' | 'interwiki' | 'imported'>,
): PageLanguages {
  const interwiki = store.interwiki()
  const row = store.imported.languageRow(pageId)
  const settings = settingsDigest(store.site(), interwiki)
  return {
    basis: row === undefined ? settings : digest(settings + hash('sha256', row)),
    menu: (urls) => {
      const links =
        row === undefined
          ? linksOfUrls(urls, interwiki)
          : linksOfTable(store.imported.languageLinksIn(row), interwiki)
      return languageMenu(links)?.text ?? ''
    },
  }
}

/** The menu to keep with the HTML of a page, with the URLs from its text. */
export function packMenu(urls: readonly string[], { basis, menu }: PageLanguages): ReadyMenu {
  const html = Buffer.from(menu(urls))
  const bytes = Buffer.concat([html, Buffer.from(JSON.stringify(urls))])
  return { basis, packed: packInParts(bytes, [html.length]) }
}

/** The URLs that `packMenu` got. */
export function urlsOf({ packed }: ReadyMenu): string[] {
  return JSON.parse(unpackParts(packedParts(packed).slice(1)).toString()) as string[]
}

const digest = (text: string): string => hash('sha256', text).slice(0, DIGITS)

const SETTINGS = new WeakMap<InterwikiMap, string>()

/** A hash of what a menu depends on beside its links: settings of the wiki, and its template in this program. */
function settingsDigest(site: Site, interwiki: InterwikiMap): string {
  const known = SETTINGS.get(interwiki)
  if (known !== undefined) return known
  const { language, case: titleCase, namespaces } = site
  const samples = [1, 2].map((count) => languageMenu(Array<typeof SAMPLE>(count).fill(SAMPLE))!.text)
  const made = digest(JSON.stringify([samples, language, titleCase, namespaces, [...interwiki.values()]]))
  SETTINGS.set(interwiki, made)
  return made
}

const SAMPLE = { code: 'de', name: 'Deutsch', href: 'https://moon.example/', title: 'Mond' }
