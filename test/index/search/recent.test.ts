/** What searches keep in memory is as good as read now. */
import { describe, expect, test } from 'vitest'
import { encodeIndexedRow } from '../../../src/index/rows/indexedRow.js'
import { ChangeNotes, SearchChange } from '../../../src/index/rows/searchChange.js'
import { type ChangeHistory, Moment } from '../../../src/index/search/recent/moment.js'
import { Recent, Room } from '../../../src/index/search/recent/recent.js'
import { RecentPages } from '../../../src/index/search/recent/recentPages.js'
import { SearchIndex } from '../../../src/storage/search/searchIndex.js'
import { randomNumbers } from '../../support/random.js'
import { wikiWith } from '../../support/searchWiki.js'

const WORDS = 'apple apples apply banana cherry date elder fig grape hazel'.split(' ')

test('answers and completions after each edit are those of a search that has nothing in memory', () => {
  const random = randomNumbers(11)
  const pick = (): string => WORDS[Math.floor(random() ** 2 * WORDS.length)]!
  const textOf = (): string => Array.from({ length: 1 + Math.floor(random() * 12) }, pick).join(' ')
  const wiki = wikiWith({})
  const queries = [...WORDS, 'app', 'apple fig', 'fig ap', 'ap*', 'banana -apple', '"fig apple"', 'page 1']
  const answers = (search: SearchIndex): string[] =>
    queries.flatMap((text) => {
      const request = { text, limit: 5, namespaces: [0] }
      return [search.answer(search.parse(request), request.limit).toString(), search.complete(request)]
    })
  let different = 0
  for (let n = 0; n < 150; n++) {
    const isRedirect = random() < 0.2
    const text = isRedirect ? `#REDIRECT [[Page ${Math.floor(random() * 12)}]]` : textOf()
    wiki.write(`${random() < 0.5 ? 'Page' : pick()} ${Math.floor(random() * 12)}`, text)
    const before = answers(wiki.store.search)
    expect(before).toEqual(answers(new SearchIndex(wiki.store.tables, wiki.store)))
    different += new Set(before).size
  }
  // Empty answers would be equal, too.
  expect(different).toBeGreaterThan(2000)
})

/** A history without a row for the changes before the last `changes`. */
function historyOf(...changes: readonly ((notes: ChangeNotes) => void)[]): ChangeHistory & { now: number } {
  return {
    now: 0,
    generation() {
      return this.now
    },
    at(generation) {
      const change = changes[generation - 1]
      if (change === undefined) return undefined
      const notes = new ChangeNotes()
      change(notes)
      return new SearchChange(notes.encode(generation)!)
    },
  }
}

describe('a kept value', () => {
  const history = historyOf(
    (notes) => notes.addTerms(['fig']),
    (notes) => notes.addTerms(['apple']),
  )
  const moment = new Moment(history)
  const at = (generation: number): void => {
    history.now = generation
    moment.renew()
  }
  const keptAtStart = (): Recent<number> => {
    at(0)
    const recent = new Recent<number>(moment, new Room(100), {
      concerns: (change, key) => change.hasTerm(key),
      weigh: () => 1,
    })
    recent.set('apple', 1)
    return recent
  }
  const find = (recent: Recent<number>, key = 'apple'): number | undefined => recent.get(key)?.value

  test('survives changes that do not concern it, and ends with one that does', () => {
    const recent = keptAtStart()
    const found = [0, 1, 2].map((generation) => {
      at(generation)
      return find(recent)
    })
    expect(found).toEqual([1, 1, undefined])
  })

  test('ends with a change that left no row, and with a store of an earlier time', () => {
    const recent = keptAtStart()
    at(3)
    expect(find(recent)).toBeUndefined()
    recent.set('apple', 2)
    at(1)
    expect(find(recent)).toBeUndefined()
  })

  test('stays while it is used, and goes when others fill the memory', () => {
    const recent = keptAtStart()
    recent.set('fig', 2)
    for (let n = 0; n < 200; n++) {
      recent.set(`other ${n}`, n)
      expect(find(recent)).toBe(1)
    }
    expect(find(recent, 'fig')).toBeUndefined()
  })
})

describe('the row of a page', () => {
  const TEXT_BYTES = 50_000
  const rowOf = (pageId: number, letter: string, bytes = TEXT_BYTES): Buffer =>
    encodeIndexedRow({
      pageId,
      namespace: 0,
      latestId: 1,
      dbkey: 'Fig',
      key: 'Fig',
      title: 'Fig',
      description: undefined,
      redirect: undefined,
      files: [],
      text: letter.repeat(bytes),
      auxiliary: '',
      textHidden: false,
    })

  /** Pages over a table that counts its reads. As in LMDB, the next read overwrites a row. */
  function counted(rows: Map<number, Buffer>, history: ChangeHistory = historyOf()) {
    const moment = new Moment(history)
    moment.renew()
    const shared = Buffer.alloc(2 ** 20)
    const counts = { reads: 0 }
    const table = {
      getBinaryFast(page: number) {
        counts.reads++
        const row = rows.get(page)
        row?.copy(shared)
        return row && shared.subarray(0, row.length)
      },
    }
    return { pages: new RecentPages(moment, table as never), moment, counts }
  }

  test('is read again after a change of the page', () => {
    const history = historyOf(
      (notes) => notes.addPage(2),
      (notes) => notes.addPage(1),
    )
    const rows = new Map([[1, rowOf(1, 'a', 10)]])
    const { pages, moment, counts } = counted(rows, history)
    const body = (): string => pages.view(1)!.body
    // Pages that are read once are not kept.
    expect([body(), body(), body(), counts.reads]).toEqual([...Array<string>(3).fill('Fig\naaaaaaaaaa\n'), 2])
    rows.set(1, rowOf(1, 'b', 5))
    history.now = 1
    moment.renew()
    expect([body(), counts.reads]).toEqual(['Fig\naaaaaaaaaa\n', 2])
    history.now = 2
    moment.renew()
    expect([body(), counts.reads]).toEqual(['Fig\nbbbbb\n', 3])
    rows.delete(1)
    history.now = 3
    moment.renew()
    expect(pages.view(1)).toBeUndefined()
  })

  test('is right however many pages are read, in any order', () => {
    const random = randomNumbers(5)
    const letters = 'abcdefghij'
    const rows = new Map(
      Array.from({ length: 400 }, (_, page) => [page, rowOf(page, letters[page % 10]!)] as const),
    )
    const { pages, counts } = counted(rows)
    const read = (page: number): string => pages.view(page)!.body
    for (let n = 0; n < 2000; n++) {
      const page = Math.floor(random() ** 3 * 400)
      expect(read(page) === `Fig\n${letters[page % 10]!.repeat(TEXT_BYTES)}\n`).toBe(true)
    }
    // Rows in use stay.
    expect(counts.reads).toBeLessThan(1500)
    expect(counts.reads).toBeGreaterThan(400)
  })

  test('is not kept if it is long', () => {
    const { pages, counts } = counted(new Map([[1, rowOf(1, 'a', 2 ** 17)]]))
    const lengths = [1, 2, 3].map(() => pages.view(1)!.body.length)
    expect([...lengths, counts.reads]).toEqual([...Array<number>(3).fill(2 ** 17 + 5), 3])
  })
})
