/** What readers of each variant see, as MediaWiki shows it. */
import { expect, test } from 'vitest'
import { readPage } from '../../src/render/variants/readPage.js'
import { elementsOf } from '../../src/render/html/dom.js'
import { parsoid, TestWiki } from '../render/support/engine.js'
import { describeShared, readRows } from '../support/shared.js'
import { recordedSite } from './recordedWiki.js'

interface Recorded {
  readonly id: string
  readonly lang: string
  readonly variant: string
  readonly wikitext: string
  readonly parsed: string
}

/** Texts that readers here see otherwise, with the reason. */
const OTHERWISE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // MediaWiki writes the sign before a first vowel after the word before: `کوردانئە .`.
    'ku-arab Kurdistan welatê kurdan e.': 'کوردستان وەلاتێ کوردان ئە.',
    'ku-arab -{H|ku-arab:xxone;ku-latn:xxtwo}- then xxone and xxtwo': 'تهەن خخۆنە ئاند xxone',
    // And leaves it out at the beginning of a text.
    'ku-arab a -{}- b': 'ئا ب',
    // In a title MediaWiki shows the HTML of the error.
    'tg <span title="-{tg-latn:one;tg-latn:two}-">s</span>':
      's Error detected in manual language conversion rule',
  }),
)
const NO_OUTLINE = { body: [0, 0], headings: [], categories: [], styles: [], lead: '' } as const

/** Text, and titles of elements other than links, whose titles name MediaWiki's own messages. */
function shownBy(html: string): string {
  const { body } = parsoid.parseHtml(html)
  const titles = [...elementsOf(body)]
    .filter(({ localName }) => localName !== 'a')
    .map((element) => element.getAttribute('title') ?? '')
  return [body.textContent, ...titles].join(' ').replace(/\s+/g, ' ').trim()
}

describeShared('texts for readers of variants', 'oracle/languages/variants.jsonl.gz', (path) => {
  const rows = readRows<Recorded>(path)
  const languages = [...new Set(rows.map(({ lang }) => lang))]
  test.each(languages)('of %s are equal', async (language) => {
    const wiki = new TestWiki({}, recordedSite(language))
    const different: object[] = []
    for (const { lang, variant, wikitext, parsed } of rows) {
      if (lang !== language) continue
      const html = await wiki.body(wikitext, { title: 'Sample page' })
      const page = { language, variant, name: 'Sample page', outline: NO_OUTLINE }
      const got = shownBy(readPage(html, page).html)
      const wanted = OTHERWISE.get(`${variant} ${wikitext}`) ?? shownBy(parsed)
      if (got !== wanted) different.push({ variant, wikitext, wanted, got })
    }
    expect(different).toEqual([])
  })
})
