// @module-tag slow
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Applier } from '../../../src/storage/apply/applier.js'
import { logKey } from '../../../src/storage/entries/logReader.js'
import {
  type CreateEntry,
  decodeEntry,
  type EditEntry,
  encodeEntry,
  type Entry,
} from '../../../src/storage/entries/entries.js'
import { readCounters, writeMeta } from '../../../src/storage/tables/meta.js'
import { readStats } from '../../../src/storage/stats.js'
import { type Store, StoreError } from '../../../src/storage/store.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { randomNumbers } from '../../support/random.js'
import {
  type DumpApplier,
  history,
  page,
  problems,
  revision,
  source,
  START,
  temporaryStore,
} from '../../support/store.js'

const entryId = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32)

const change = {
  time: START,
  editor: { id: 1, name: 'Ann' },
  comment: '',
  minor: false,
  contentModel: 'wikitext',
}

function creation(dbkey: string, text: string, parts: Partial<CreateEntry> = {}): CreateEntry {
  return {
    ...change,
    kind: 'create',
    id: entryId(`create ${dbkey} ${text}`),
    namespace: 0,
    dbkey,
    text,
    ...parts,
  }
}

function edit(
  pageId: number,
  baseRevisionId: number,
  text: string,
  parts: Partial<EditEntry> = {},
): EditEntry {
  return {
    ...change,
    kind: 'edit',
    id: entryId(`edit ${pageId} ${baseRevisionId} ${text}`),
    pageId,
    baseRevisionId,
    text,
    ...parts,
  }
}

const apply = (applier: Applier, entry: Entry) => applier.submit(entry)

/** Plays the log of one store into another. */
function replay(from: Store, into: DumpApplier): void {
  for (let n = 1; n <= readStats(from).logEntries; n++) into.replay(from.tables.log.getBinary(logKey(n))!)
}

describe('an entry', () => {
  test('is its own bytes again after decoding', () => {
    const entry = creation('Moon', 'text with é and 日本', { comment: '"quoted"' })
    expect(decodeEntry(encodeEntry(entry))).toEqual(entry)
  })

  test('creates a page with ids from the counters', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(41, 'Sea', [revision(900, 'old')])])
    const saved = { result: 'saved', pageId: 42, revisionId: 901, timestamp: START }
    expect(apply(applier, creation('Moon', 'a'))).toEqual(saved)
    expect(source(store, 'Moon')).toBe('a')
    expect(problems(store)).toEqual([])
  })

  test('does not create a page that exists', () => {
    const { store, applier } = temporaryStore()
    apply(applier, creation('Moon', 'a'))
    expect(apply(applier, creation('Moon', 'b'))).toEqual({ result: 'exists', pageId: 1 })
    expect(source(store, 'Moon')).toBe('a')
  })

  test('edits the latest revision, and no other', () => {
    const { store, applier } = temporaryStore()
    apply(applier, creation('Moon', 'a'))
    expect(apply(applier, edit(1, 1, 'b'))).toMatchObject({ result: 'saved', revisionId: 2 })
    expect(apply(applier, edit(1, 1, 'c'))).toEqual({ result: 'conflict', latestId: 2 })
    expect(apply(applier, edit(7, 1, 'c'))).toEqual({ result: 'missing' })
    expect(history(store, 1).map(({ id, delta }) => [id, delta])).toEqual([
      [1, null],
      [2, 0],
    ])
    expect(problems(store)).toEqual([])
  })

  test('with the text of the latest revision makes none', () => {
    const { store, applier } = temporaryStore()
    apply(applier, creation('Moon', 'a'))
    expect(apply(applier, edit(1, 1, 'a'))).toEqual({ result: 'unchanged', pageId: 1, revisionId: 1 })
    expect(history(store, 1)).toHaveLength(1)
  })

  test('applied twice has one effect and the same verdict', () => {
    const { store, applier } = temporaryStore()
    const entry = creation('Moon', 'a')
    const verdict = apply(applier, entry)
    const digest = digestStore(store)
    expect(apply(applier, entry)).toEqual(verdict)
    expect(digestStore(store)).toBe(digest)
    expect(readStats(store).logEntries).toBe(1)
  })

  test('never lets time run backwards', () => {
    const { store, applier } = temporaryStore()
    apply(applier, creation('Moon', 'a', { time: START + 100 }))
    expect(apply(applier, edit(1, 1, 'b', { time: START }))).toMatchObject({ timestamp: START + 100 })
    expect(apply(applier, creation('Sea', 's', { time: START }))).toMatchObject({ timestamp: START + 100 })
    applier.importPages('d', [page(9, 'Sky', [revision(99, 'x', { timestamp: START + 500 })])])
    expect(apply(applier, edit(9, 99, 'y', { time: START }))).toMatchObject({ timestamp: START + 500 })
    expect(problems(store)).toEqual([])
  })

  test('takes the time of a revision of the future for its page alone', () => {
    const { store, applier } = temporaryStore()
    const future = START + 79 * 365 * 86_400
    const ahead = page(1, 'Ahead', [revision(1, 'x', { timestamp: future })])
    applier.importPages('d', [ahead, page(2, 'Sea', [revision(2, 's')])])
    const time = START + 1000
    expect(apply(applier, edit(1, 1, 'y', { time }))).toMatchObject({ timestamp: future })
    expect(apply(applier, edit(2, 2, 't', { time: time + 1 }))).toMatchObject({ timestamp: time + 1 })
    expect(apply(applier, creation('Moon', 'm', { time }))).toMatchObject({ timestamp: time + 1 })
    expect(apply(applier, edit(1, 3, 'z', { time: time + 2 }))).toMatchObject({ timestamp: future })
    expect(history(store, 1).map(({ id }) => id)).toEqual([1, 3, 6])
    expect(problems(store)).toEqual([])
  })

  test.each([
    ['a revision id', { nextRevisionId: 2 }],
    ['a page id', { nextPageId: 1 }],
  ])('is not said to be saved when the counters allot %s that is taken', (_case, counters) => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a'), revision(2, 'b')])])
    store.transact(() => writeMeta(store.tables, 'counters', { ...readCounters(store.tables), ...counters }))
    const digest = digestStore(store)
    expect(() => apply(applier, creation('Sea', 's'))).toThrow(StoreError)
    if ('nextRevisionId' in counters)
      expect(() => apply(applier, edit(1, 2, 'c'))).toThrow(/palimpsest verify/)
    expect(digestStore(store)).toBe(digest)
    expect(source(store, 'Moon')).toBe('b')
  })

  test.each<[string, object, string]>([
    ['a namespace that no row holds', { namespace: 70_000 }, 'namespace is missing or malformed'],
    ['no title', { dbkey: '' }, 'dbkey is missing or malformed'],
    ['a title longer than a key', { dbkey: 'x'.repeat(256) }, 'dbkey is missing or malformed'],
    ['half of a surrogate pair', { text: 'a\ud83d' }, 'text is missing or malformed'],
    ['an editor without a name', { editor: { id: 1 } }, 'editor is missing or malformed'],
    ['a time that is none', { time: -1 }, 'time is missing or malformed'],
    ['a kind of its own', { kind: 'constructor' }, 'kind "constructor" is not known'],
    ['another action', { kind: 'user', action: 'toString' }, 'action is not known'],
  ])('with %s is invalid: it is logged and changes nothing', (_case, parts, reason) => {
    const { store, applier } = temporaryStore()
    apply(applier, creation('Moon', 'a'))
    const wiki = digestStore(store, { withLog: false })
    const impossible = { ...creation('Sea', 's'), ...parts, id: 'd'.repeat(32) } as Entry
    const verdict = { result: 'invalid', reason }
    expect(apply(applier, impossible)).toEqual(verdict)
    expect(apply(applier, impossible)).toEqual(verdict)
    expect(readStats(store).logEntries).toBe(2)
    expect(digestStore(store, { withLog: false })).toBe(wiki)
    expect(apply(applier, creation('Sea', 's'))).toMatchObject({ result: 'saved', pageId: 2 })
    expect(problems(store)).toEqual([])
  })

  test('with an id of another form is invalid and leaves nothing behind', () => {
    const { store, applier } = temporaryStore()
    const digest = digestStore(store)
    const reason = 'id is missing or malformed'
    expect(apply(applier, { ...creation('Moon', 'a'), id: 'x' })).toEqual({ result: 'invalid', reason })
    expect(digestStore(store)).toBe(digest)
  })
})

describe('replaying the log', () => {
  test('into an empty store gives the same store', () => {
    const { store, applier } = temporaryStore()
    const random = randomNumbers(4)
    for (let n = 0; n < 300; n++) {
      const pageId = 1 + Math.floor(random() * 12)
      const latest = store.getPageById(pageId)?.latestId
      const editor =
        random() < 0.3 ? { id: null, name: `192.0.2.${n % 5}` } : { id: 1 + (n % 4), name: `Editor ${n % 4}` }
      const text = Array.from({ length: 5 }, (_, line) => `line ${line} ${Math.floor(random() * 3)}`).join(
        '\n',
      )
      const parts = {
        id: entryId(`${n}`),
        time: START + n,
        editor,
        minor: random() < 0.2,
        comment: `edit ${n}`,
      }
      // Some edits conflict, some create pages that exist: their verdicts belong to the log as well.
      const base = random() < 0.9 ? (latest ?? 1) : 1
      if (latest === undefined || random() < 0.05) apply(applier, creation(`Page_${pageId}`, text, parts))
      else apply(applier, edit(pageId, base, text, parts))
    }
    const bots = {
      kind: 'settings',
      id: entryId('bots'),
      time: START + 999,
      site: { bots: ['Editor 2'] },
    } as const
    apply(applier, bots)
    store.reloadSite()
    expect(problems(store)).toEqual([])

    const copy = temporaryStore()
    replay(store, copy.applier)
    copy.store.reloadSite()
    expect(digestStore(copy.store)).toBe(digestStore(store))
    expect(problems(copy.store)).toEqual([])
    // And once more: every entry is known by its id.
    replay(store, copy.applier)
    expect(digestStore(copy.store)).toBe(digestStore(store))
  })
})
