/** Texts in many languages as MediaWiki expands them, and as Parsoid writes them. */
import { expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { Preprocessor } from '../../src/render/preprocessor/preprocessor.js'
import type { SiteFacts } from '../../src/render/preprocessor/source.js'
import { siteFacts } from '../../src/workers/html/pageExpander.js'
import { pageNamed, wikiWith } from '../render/preprocessor/memoryWiki.js'
import { TestWiki } from '../render/support/engine.js'
import { describeShared, readRows } from '../support/shared.js'
import { meaningOf } from './htmlMeaning.js'
import { recordedSite } from './recordedWiki.js'

interface Expanded {
  readonly id: string
  readonly lang: string
  readonly wikitext: string
  readonly expanded: string
}

interface Rendered {
  readonly id: string
  readonly lang: string
  readonly wikitext: string
  readonly html: string
}

const TITLE = 'Sample page'
const PAGES = { [TITLE]: 'text' }

/** MediaWiki raises Georgian letters in titles. Wikimedia's wikis do not. */
const OTHER_EXPANSIONS: ReadonlySet<string> = new Set(['{{#სპეციალური:Search}}'])

function factsOf(language: string): SiteFacts {
  const site = recordedSite(language)
  return { ...siteFacts(site, new Namespaces(site)), stringFunctions: true, version: '1.39.17' }
}

function grouped<Row extends { readonly lang: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.lang, [...(groups.get(row.lang) ?? []), row])
  return groups
}

describeShared('recorded expansions', 'oracle/languages/cases.jsonl.gz', (path) => {
  const byLanguage = grouped(readRows<Expanded>(path))
  test.each([...byLanguage.keys()])('of %s are equal', (language) => {
    const site = factsOf(language)
    const different = byLanguage
      .get(language)!
      .map(({ wikitext, expanded }) => ({
        wikitext,
        expanded,
        got: new Preprocessor(pageNamed(TITLE), wikiWith(PAGES, site)).expandForReaders(wikitext).wikitext,
      }))
      .filter(({ wikitext, expanded, got }) => got !== expanded && !OTHER_EXPANSIONS.has(wikitext))
    expect(different).toEqual([])
  })
})

describeShared('recorded HTML', 'oracle/languages/html.jsonl.gz', (path) => {
  const byLanguage = grouped(readRows<Rendered>(path))
  test.each([...byLanguage.keys()])('of %s means the same', async (language) => {
    const wiki = new TestWiki({}, recordedSite(language))
    const different: object[] = []
    for (const { wikitext, html } of byLanguage.get(language)!) {
      const [got, wanted] = [meaningOf(await wiki.body(wikitext, { title: TITLE })), meaningOf(html)]
      if (got.join('\n') !== wanted.join('\n')) different.push({ wikitext, wanted, got })
    }
    expect(different).toEqual([])
  })
})
