/** Sections in which a search found its words, so that results lead into their pages. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { plainText } from '../../index/text/plainText.js'
import type { Store } from '../../storage/store.js'
import { pageSections } from './readerTexts.js'

/** A result of a search: `excerpt` as the search cut it out of the page's text. */
export interface SearchMatch {
  readonly pageId: number
  readonly excerpt: string
}

export interface MatchSection {
  /** As readers see it. */
  readonly heading: string
  /** Of the element in the page's HTML. */
  readonly id: string
}

/** Characters of all texts to look for headings in, which takes some 10 ms. */
const MAX_LENGTH = 4 * 2 ** 20
/** Headings that a text may lack, such as those with templates. Each takes a search through the text. */
const MAX_MISSED = 20
const MARK = '<span'
const CUT = '...'

/** In the order of the matches. Undefined for one in the title, before the first heading, or beside the shown text. */
export function matchSections(
  store: Store,
  matches: readonly SearchMatch[],
): readonly (MatchSection | undefined)[] {
  let left = MAX_LENGTH
  return matches.map(({ pageId, excerpt }) => {
    const page = excerpt.includes(MARK) ? store.search.indexedText(pageId) : undefined
    const source = page && store.getText(page.revisionId)
    if (page === undefined || source === undefined || left < source.length) return undefined
    left -= source.length
    const place = placeOf(excerpt, page.text)
    return place === undefined ? undefined : sectionAt(place, page.text, source, store.namespaces())
  })
}

/** Where the first marked word stands in a text; undefined if the excerpt comes from elsewhere. */
function placeOf(excerpt: string, text: string): number | undefined {
  const plain = (html: string): string => decodeCharacterReferences(html.replace(/<[^>]*>/g, ''))
  const shown = plain(excerpt)
  const start = shown.startsWith(CUT) ? CUT.length : 0
  // Excerpts are one line.
  const at = text
    .replaceAll('\n', ' ')
    .indexOf(shown.slice(start, shown.endsWith(CUT) ? -CUT.length : undefined))
  return at < 0 ? undefined : at + plain(excerpt.slice(0, excerpt.indexOf(MARK))).length - start
}

/** The last heading of the source whose line in the plain text comes before a place. */
function sectionAt(
  place: number,
  text: string,
  source: string,
  namespaces: Namespaces,
): MatchSection | undefined {
  const lines = `\n${text}\n`
  const uses = new Map<string, number>()
  let found: MatchSection | undefined
  let from = 0
  let missed = 0
  for (const { heading: line } of pageSections(source)) {
    const heading = plainText(line, namespaces).text
    const id = heading.replaceAll(' ', '_')
    const use = (uses.get(id) ?? 0) + 1
    uses.set(id, use)
    const at = lines.indexOf(`\n${heading}\n`, from)
    if (at > place || missed === MAX_MISSED) break
    if (at < 0) {
      missed++
      continue
    }
    found = { heading, id: use === 1 ? id : `${id}_${use}` }
    from = at + heading.length
  }
  return found
}
