import { describe, expect, test } from 'vitest'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { history, page, problems, revision, source, START, temporaryStore } from '../../support/store.js'

const HIDDEN = undefined

describe('an imported page', () => {
  test('is found by title and id with its latest text', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(7, 'Moon', [revision(1, 'a'), revision(2, 'a\nb')])])
    expect(source(store, 'Moon')).toBe('a\nb')
    expect(store.getPageById(7)).toMatchObject({ dbkey: 'Moon', latestId: 2, latestTimestamp: START + 120 })
    expect(JSON.parse(`${store.getPage(0, 'Moon')!.meta.toString()}}`)).toEqual({
      id: 7,
      key: 'Moon',
      title: 'Moon',
      latest: { id: 2, timestamp: '2020-01-01T00:02:00Z' },
      content_model: 'wikitext',
    })
    expect(problems(store)).toEqual([])
  })

  test('keeps every text of a long history', () => {
    const { store, applier } = temporaryStore()
    const texts = Array.from(
      { length: 60 },
      (_, n) => `intro\n${'line\n'.repeat(n % 7)}edit ${n}\nend ${'é'.repeat(n)}`,
    )
    applier.importPages('d', [
      page(
        1,
        'Long',
        texts.map((text, n) => revision(n + 1, text)),
      ),
    ])
    expect(texts.map((_, n) => store.getText(n + 1))).toEqual(texts)
    expect(problems(store)).toEqual([])
  })

  test('gives the same store whether its revisions come at once or in parts', () => {
    const texts = Array.from({ length: 50 }, (_, n) => `head\nline ${n % 5}\n${'tail '.repeat(n % 9)}`)
    const revisions = texts.map((text, n) =>
      revision(n + 1, text, { editor: { id: null, name: `192.0.2.${n % 4}` } }),
    )
    const whole = temporaryStore()
    whole.applier.importPages('d', [page(1, 'P', revisions)])
    const parts = temporaryStore()
    for (let n = 0; n < 50; n += 7) parts.applier.importPages('d', [page(1, 'P', revisions.slice(n, n + 7))])
    const wikiOf = ({ store }: typeof whole) => digestStore(store, { withLog: false })
    expect(wikiOf(parts)).toBe(wikiOf(whole))
    expect(problems(parts.store)).toEqual([])
  })

  test('changes nothing when it comes again', () => {
    const { store, applier } = temporaryStore()
    const same = [page(1, 'P', [revision(1, 'a'), revision(2, 'b')])]
    applier.importPages('d', same)
    const before = digestStore(store)
    expect(applier.importPages('d', same)).toMatchObject([
      { newPage: false, addedRevisions: 0, changedRevisions: 0 },
    ])
    expect(digestStore(store)).toBe(before)
  })

  test('takes revisions that come before and between those it has', () => {
    const { store, applier } = temporaryStore()
    const all = ['zero', 'one', 'two', 'zero', 'four', 'two', 'six'].map((text, n) => revision(n + 1, text))
    applier.importPages('d', [page(1, 'P', [all[1]!, all[4]!])])
    applier.importPages('d', [page(1, 'P', all)])
    const whole = temporaryStore()
    whole.applier.importPages('d', [page(1, 'P', all)])
    expect(history(store, 1)).toEqual(history(whole.store, 1))
    expect(store.pageCounts(1)).toEqual(whole.store.pageCounts(1))
    expect(all.map(({ id }) => store.getText(id))).toEqual(all.map(({ text }) => text))
    expect(problems(store)).toEqual([])
  })

  test('orders revisions by time before id', () => {
    const { store, applier } = temporaryStore()
    const late = revision(1, 'restored from an old server', { timestamp: START + 9000 })
    applier.importPages('d', [page(1, 'P', [late, revision(2, 'first'), revision(3, 'second')])])
    expect(history(store, 1).map(({ id }) => id)).toEqual([2, 3, 1])
    expect(source(store, 'P')).toBe('restored from an old server')
    expect(problems(store)).toEqual([])
  })

  test('leaves a revision alone that belongs to another page', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'P', [revision(1, 'a')])])
    const [outcome] = applier.importPages('d', [page(2, 'Q', [revision(1, 'a'), revision(2, 'b')])])
    expect(outcome).toMatchObject({ foreignRevisions: [1], addedRevisions: 1 })
    expect(store.getRevision(1)?.pageId).toBe(1)
    expect(problems(store)).toEqual([])
  })
})

describe('byte changes', () => {
  test('are counted against the stated parent, or else the revision before', () => {
    const { store, applier } = temporaryStore()
    const revisions = [
      revision(1, 'aa'),
      revision(2, 'aaaa', { parentId: 1 }),
      revision(3, 'a', { parentId: 1 }),
      revision(4, 'aaa'),
    ]
    applier.importPages('d', [page(1, 'P', revisions)])
    expect(history(store, 1).map(({ delta }) => delta)).toEqual([null, 2, -1, 2])
  })

  test('are unknown while the parent is missing, and known once it comes', () => {
    const { store, applier } = temporaryStore()
    const [first, second] = [revision(1, 'aa'), revision(2, 'aaa', { parentId: 1 })]
    applier.importPages('d', [page(1, 'P', [second])])
    expect(history(store, 1)).toMatchObject([{ delta: null }])
    applier.importPages('d', [page(1, 'P', [first])])
    expect(history(store, 1)).toMatchObject([{ delta: null }, { delta: 1 }])
    expect(problems(store)).toEqual([])
  })

  test('do not count a parent that stands later in the history', () => {
    const { store, applier } = temporaryStore()
    const early = revision(1, 'a', { parentId: 2 })
    applier.importPages('d', [
      page(1, 'P', [early, revision(2, 'aaa'), revision(3, 'aaaa', { parentId: 1 })]),
    ])
    expect(history(store, 1).map(({ delta }) => delta)).toEqual([null, 2, 3])
    applier.importPages('d', [page(1, 'P', [revision(4, 'b', { parentId: 5 })])])
    applier.importPages('d', [page(1, 'P', [revision(5, 'bb', { parentId: 99 })])])
    expect(history(store, 1).map(({ delta }) => delta)).toEqual([null, 2, 3, null, null])
    expect(problems(store)).toEqual([])
  })

  test('are unknown beside a hidden text of unknown size', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'P', [revision(1, 'a'), revision(2, HIDDEN), revision(3, 'aaa')])])
    expect(history(store, 1)).toMatchObject([
      { delta: null },
      { delta: null, size: 0 },
      { delta: null, size: 3 },
    ])
    expect(problems(store)).toEqual([])
  })
})

describe('tags', () => {
  const filtered = (
    store: ReturnType<typeof temporaryStore>['store'],
    filter: 'minor' | 'anonymous' | 'bot' | 'reverted',
  ) =>
    store
      .listRevisions(1, { filter, limit: 20 })
      .revisions.map((json) => (JSON.parse(json.toString()) as { id: number }).id)

  test('mark an edit that restores one of the last 15 texts as a revert, but not a repetition', () => {
    const { store, applier } = temporaryStore()
    const texts = ['a', 'b', 'a', 'a', ...Array.from({ length: 14 }, (_, n) => `x${n}`), 'b', 'x13']
    applier.importPages('d', [
      page(
        1,
        'P',
        texts.map((text, n) => revision(n + 1, text)),
      ),
    ])
    // 3 restores 1; 4 repeats 3; 19 restores 2, which is 17 back; 20 restores 18.
    expect(filtered(store, 'reverted')).toEqual([20, 3])
    expect(store.pageCounts(1).reverted).toBe(2)
  })

  test('follow the list of bots when it changes', () => {
    const { store, applier } = temporaryStore()
    const bot = { id: 9, name: 'HelperBot' }
    applier.importPages('d', [
      page(1, 'P', [revision(1, 'a'), revision(2, 'b', { editor: bot, minor: true })]),
    ])
    expect(filtered(store, 'bot')).toEqual([])
    const settings = (bots: string[], id: string) =>
      ({ kind: 'settings', id: id.repeat(32), time: START, site: { bots } }) as const
    applier.submit(settings(['HelperBot'], 'a'))
    store.reloadSite()
    expect(filtered(store, 'bot')).toEqual([2])
    expect(store.pageCounts(1).bot).toBe(1)
    expect(problems(store)).toEqual([])
    applier.submit(settings([], 'b'))
    store.reloadSite()
    expect(filtered(store, 'bot')).toEqual([])
    expect(problems(store)).toEqual([])
  })

  test('list minor and anonymous edits newest first', () => {
    const { store, applier } = temporaryStore()
    const anonymous = { editor: { id: null, name: '192.0.2.1' } }
    const revisions = [
      revision(1, 'a', anonymous),
      revision(2, 'b', { minor: true }),
      revision(3, 'c', { ...anonymous, minor: true }),
    ]
    applier.importPages('d', [page(1, 'P', revisions)])
    expect(filtered(store, 'minor')).toEqual([3, 2])
    expect(filtered(store, 'anonymous')).toEqual([3, 1])
  })
})

describe('hidden parts', () => {
  test('stay in the history without being shown', () => {
    const { store, applier } = temporaryStore()
    const hidden = revision(2, HIDDEN, { editor: undefined, comment: undefined, statedSizeBytes: 123 })
    applier.importPages('d', [page(1, 'P', [revision(1, 'a'), hidden, revision(3, 'c')])])
    expect(history(store, 1)[1]).toMatchObject({ user: null, comment: null, size: 123, delta: 122 })
    expect(store.getText(2)).toBeUndefined()
    expect(store.pageCounts(1)).toMatchObject({ edits: 2, editors: 1 })
    expect(problems(store)).toEqual([])
  })

  test('of the latest revision leave the page without source and older texts readable', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'P', [revision(1, 'a'), revision(2, 'b'), revision(3, HIDDEN)])])
    expect(store.getPage(0, 'P')?.textHidden).toBe(true)
    expect([1, 2, 3].map((id) => store.getText(id))).toEqual(['a', 'b', undefined])
    expect(problems(store)).toEqual([])
  })

  test('follow a newer dump in both directions', () => {
    const { store, applier } = temporaryStore()
    const shown = [1, 2, 3, 4].map((id) => revision(id, `text ${id}\n${'same line\n'.repeat(30)}`))
    const hidden = shown.map((r) =>
      r.id % 2 === 0 ? { ...r, text: HIDDEN, editor: undefined, comment: undefined } : r,
    )
    applier.importPages('d', [page(1, 'P', shown)])
    const before = digestStore(store)
    expect(applier.importPages('d', [page(1, 'P', hidden)])).toMatchObject([{ changedRevisions: 2 }])
    expect([1, 2, 3, 4].map((id) => store.getText(id) === undefined)).toEqual([false, true, false, true])
    expect(store.getPage(0, 'P')?.textHidden).toBe(true)
    expect(problems(store)).toEqual([])
    applier.importPages('d', [page(1, 'P', [...hidden, revision(5, 'newest')])])
    expect(source(store, 'P')).toBe('newest')
    expect(problems(store)).toEqual([])
    applier.importPages('d', [page(1, 'P', shown)])
    expect([1, 2, 3, 4].map((id) => store.getText(id))).toEqual(shown.map(({ text }) => text))
    expect(problems(store)).toEqual([])
    expect(digestStore(store)).not.toBe(before)
  })

  test('that come back give the store of before', () => {
    const { store, applier } = temporaryStore()
    const shown = [1, 2, 3].map((id) => revision(id, `text ${id}`))
    applier.importPages('d', [page(1, 'P', shown)])
    const before = history(store, 1)
    applier.importPages('d', [
      page(
        1,
        'P',
        shown.map((r) => ({ ...r, text: HIDDEN })),
      ),
    ])
    expect(problems(store)).toEqual([])
    applier.importPages('d', [page(1, 'P', shown)])
    expect(history(store, 1)).toEqual(before)
    expect(source(store, 'P')).toBe('text 3')
    expect(problems(store)).toEqual([])
  })
})

describe('titles', () => {
  test('follow a page that was renamed, and leave room for a redirect at the old one', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'Old', [revision(1, 'text')])])
    applier.importPages('d', [
      page(1, 'New', [revision(1, 'text')]),
      page(2, 'Old', [revision(2, '#REDIRECT [[New]]')]),
    ])
    expect(source(store, 'New')).toBe('text')
    expect(store.getPage(0, 'Old')).toMatchObject({ pageId: 2, redirect: true })
    expect(store.getPageById(2)?.redirectTarget).toBe('New')
    expect(problems(store)).toEqual([])
  })

  test('that two pages swapped lead to the right ones afterwards', () => {
    const { store, applier } = temporaryStore()
    const one = [revision(1, 'one'), revision(2, 'one more')]
    const two = [revision(3, 'two'), revision(4, 'two more')]
    applier.importPages('d', [page(1, 'A', one), page(2, 'B', two)])
    applier.importPages('d', [page(1, 'B', one), page(2, 'A', two)])
    expect([source(store, 'A'), source(store, 'B')]).toEqual(['two more', 'one more'])
    expect([1, 2, 3, 4].map((id) => store.getText(id))).toEqual(['one', 'one more', 'two', 'two more'])
    expect(problems(store)).toEqual([])
  })

  test('of a page that another one took hide its revisions until it has a title again', () => {
    const { store, applier } = temporaryStore()
    const lost = [revision(1, 'a'), revision(2, '#REDIRECT [[B]]')]
    applier.importPages('d', [page(1, 'A', lost)])
    applier.importPages('d', [page(2, 'A', [revision(3, 'new page')])])
    expect(store.getPageById(1)).toBeUndefined()
    expect(store.getRevision(2)).toBeUndefined()
    expect(problems(store)).toEqual([])
    applier.importPages('d', [page(1, 'Archive/A', [...lost, revision(4, 'moved here')])])
    expect(source(store, 'Archive/A')).toBe('moved here')
    expect([1, 2, 4].map((id) => store.getText(id))).toEqual(['a', '#REDIRECT [[B]]', 'moved here'])
    expect(problems(store)).toEqual([])
  })

  test('carry the name of their namespace', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a')], { namespace: 1 })])
    expect(JSON.parse(`${store.getPage(1, 'Moon')!.meta.toString()}}`)).toMatchObject({
      key: 'Talk:Moon',
      title: 'Talk:Moon',
    })
    expect(store.getPage(0, 'Moon')).toBeUndefined()
  })
})

describe('redirects', () => {
  test('are what the dump states, or else what the latest text says', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [
      page(1, 'A', [revision(1, '#REDIRECT [[B]]')], { redirectTarget: null }),
      page(2, 'C', [revision(2, '#REDIRECT [[B]]')], { redirectTarget: 'Stated' }),
      page(3, 'D', [revision(3, '#REDIRECT [[B]]')]),
      page(4, 'E', [revision(4, '#REDIRECT [[B]]', { contentModel: 'text' })]),
    ])
    expect([1, 2, 3, 4].map((id) => store.getPageById(id)?.redirectTarget)).toEqual([
      undefined,
      'Stated',
      'B',
      undefined,
    ])
    expect(problems(store)).toEqual([])
  })
})
