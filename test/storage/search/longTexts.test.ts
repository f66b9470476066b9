/** Texts longer than any that an edit saves: dumps can have them. */
// @module-tag slow
import { describe, expect, test } from 'vitest'
import { reindex } from '../../../src/cli/reindex/reindex.js'
import { encodeTitleRow, titleRowTextStart } from '../../../src/storage/rows/rows.js'
import { encodeQueued } from '../../../src/storage/indexing/indexQueue.js'
import { MAX_INDEXED_LENGTH } from '../../../src/storage/search/indexedPage.js'
import type { Store } from '../../../src/storage/store.js'
import { wikiWith } from '../../support/searchWiki.js'
import { page, problems, revision, temporaryStore } from '../../support/store.js'

function titles(store: Store, text: string): string[] {
  const request = { text, limit: 10, namespaces: [0] }
  const answer = store.search.answer(store.search.parse(request), 10).toString()
  return (JSON.parse(answer) as { pages: { title: string }[] }).pages.map(({ title }) => title)
}

/** A text of so many UTF-16 units, with the word `sunrise` at its start and `sunset` at its end; no pair is cut. */
const longText = (length: number, filling = '-'): string => {
  const start = `sunrise ${filling.repeat(length)}`.slice(0, length - ' sunset'.length)
  return `${start.isWellFormed() ? start : `${start.slice(0, -1)}.`} sunset`
}

describe('the beginning of a text in a title row', () => {
  const row = (text: string) =>
    encodeTitleRow({
      pageId: 1,
      latestId: 2,
      latestTimestamp: 3,
      redirect: false,
      run: 0,
      metaJson: '{"id":1',
      text,
    })

  test.each([
    ['letters', 'abcdef'],
    ['letters of several bytes', 'aé漢ü字b'],
    ['pairs', 'a😀b😀😀c'],
    ['escapes', 'a"\\\\"\n\t\u0001\\u0041\u2028"'],
    ['halves of pairs', 'a\ud83db\ude00\ude00\ud83d'],
  ])('is what slicing gives: %s', (_case, text) => {
    for (let length = 0; length <= text.length + 1; length++) {
      const cut = text.slice(0, length)
      const cutsPair = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(length - 1, length + 1))
      expect(titleRowTextStart(row(text), length)).toBe(cutsPair ? cut.slice(0, -1) : cut)
    }
  })
})

describe('a text that is too long to be indexed whole', () => {
  test('is found by its beginning, and by all of it when it is not longer', () => {
    const wiki = wikiWith({
      Whole: longText(MAX_INDEXED_LENGTH),
      Cut: longText(MAX_INDEXED_LENGTH + 1),
      Pairs: longText(MAX_INDEXED_LENGTH + 8, '😀'),
      'Other pairs': longText(MAX_INDEXED_LENGTH + 9, '-😀'),
    })
    expect(titles(wiki.store, 'sunrise').toSorted()).toEqual(['Cut', 'Other pairs', 'Pairs', 'Whole'])
    expect(titles(wiki.store, 'sunset')).toEqual(['Whole'])
    // `verify` derives the same index from the stored pages as the edits did.
    expect(problems(wiki.store)).toEqual([])
    wiki.write('Cut', 'moonrise')
    expect(titles(wiki.store, 'sunrise').toSorted()).toEqual(['Other pairs', 'Pairs', 'Whole'])
    expect(problems(wiki.store)).toEqual([])
  })

  test('is indexed with few others at a time', async () => {
    const { store, applier, dataDir } = temporaryStore()
    const long = longText(MAX_INDEXED_LENGTH + 100)
    const pages = Array.from({ length: 230 }, (_, n) =>
      page(n + 1, `Page_${n + 1}`, [revision(n + 1, n % 50 < 2 ? long : `noon ${n}`)]),
    )
    applier.importPages('dump', pages)
    applier.finishImport(null)
    const { chunk, rest } = encodeQueued(store, 'a', store.search.queuedPages('a', 0, 230))
    expect(chunk.pages.map(({ pageId }) => pageId)).toEqual([1])
    expect(rest).toHaveLength(229)
    let done = 0
    const onProgress = (count: number): void => void (done = count)
    expect(await reindex(store, { dataDir, threads: 2, missing: true, onProgress })).toBe(230)
    expect(done).toBe(230)
    expect(store.search.countIndexed()).toBe(230)
    expect(problems(store)).toEqual([])
  })
})
