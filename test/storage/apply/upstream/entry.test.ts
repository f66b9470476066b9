/** Entries with states: what is refused, and how the log keeps them. */
import { describe, expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../../../src/domain/site.js'
import type { UpstreamStates } from '../../../../src/domain/upstream.js'
import { decodeEntry, encodeEntry, textLength } from '../../../../src/storage/entries/entries.js'
import { makeUpstreamEntry, placeHash } from '../../../../src/storage/upstream/place.js'
import { pageFault, statesFault } from '../../../../src/storage/entries/statesFault.js'
import { problems, revision, START, temporaryStore } from '../../../support/store.js'
import { place, present, sameText, shown, states } from '../../../support/upstream.js'

const added = (parts: object) => present(1, 'P', { add: [{ ...revision(1, 'a'), ...parts }] })
const ofPage = (parts: object) =>
  states({ pages: [{ ...present(1, 'P', { add: [revision(1, 'a')] }), ...parts }] })

describe('states that no row can hold', () => {
  test.each<[string, UpstreamStates]>([
    ['a page id above 32 bits', ofPage({ id: 2 ** 32 })],
    ['a page id of 0', ofPage({ id: 0 })],
    ['a namespace above 15 bits', ofPage({ namespace: 40_000 })],
    ['a virtual namespace', ofPage({ namespace: -1 })],
    ['a title that is too long', ofPage({ dbkey: 'x'.repeat(256) })],
    ['an empty title', ofPage({ dbkey: '' })],
    ['a latest revision that is no id', ofPage({ latestId: '7' })],
    ['a redirect target that is missing', ofPage({ redirectTarget: undefined })],
    ['a list that is missing', ofPage({ take: undefined })],
    ['a page that is half gone', states({ pages: [{ id: 1, gone: false } as never] })],
    ['a time before 1970', states({ pages: [added({ timestamp: -1 })] })],
    ['a time that is no number', states({ pages: [added({ timestamp: Number.NaN })] })],
    ['a content model with blanks', states({ pages: [added({ contentModel: 'wiki text' })] })],
    ['a text with half of a pair', states({ pages: [added({ text: '\ud800' })] })],
    ['an editor without a name', states({ pages: [added({ editor: { id: 1 } })] })],
    ['an editor with the id 0', states({ pages: [added({ editor: { id: 0, name: 'A' } })] })],
    ['a size above 32 bits', states({ pages: [added({ statedSizeBytes: 2 ** 33 })] })],
    ['a revision said to be saved here', states({ pages: [added({ madeHere: true })] })],
    ['a text and that of another', states({ pages: [added({ sameTextAs: 9 })] })],
    ['a change without a mark', ofPage({ change: [{ id: 1 }] })],
    ['two states of a page', states({ pages: [present(1, 'P'), { id: 1, gone: true }] })],
    [
      'two pages with a title',
      states({ pages: [present(1, 'P', { latestId: 1 }), present(2, 'P', { latestId: 2 })] }),
    ],
    [
      'a revision for two pages',
      states({ pages: [ofPage({}).pages[0]!, present(2, 'Q', { take: [1], latestId: 1 })] }),
    ],
    ['a file without a SHA-1', states({ files: [{ dbkey: 'A', facts: { sizeBytes: 1 } as never }] })],
    [
      'an unknown level',
      states({
        protections: [
          { namespace: 0, dbkey: 'P', edit: 'autoconfirmed' as never, create: 'none', expires: null },
        ],
      }),
    ],
    ['an account without a name', states({ renames: [{ userId: 1, name: '' }] })],
    [
      'two names of an account',
      states({
        renames: [
          { userId: 1, name: 'A' },
          { userId: 1, name: 'B' },
        ],
      }),
    ],
    ['a site without namespaces', states({ site: { ...DEFAULT_SITE, namespaces: undefined as never } })],
    ['a prefix with a blank', states({ interwiki: [{ prefix: 'a b', url: 'https://x.example/$1' }] })],
  ])('are found: %s', (_case, faulty) => {
    expect(statesFault(faulty)).toMatch(/./)
    const { store, applier } = temporaryStore()
    const verdict = applier.submit(makeUpstreamEntry(undefined, place(1), START, faulty))
    expect(verdict).toMatchObject({ result: 'invalid' })
    expect(store.mirror.place()).toBeUndefined()
    expect(store.counters()).toMatchObject({ pages: 0, revisions: 0, actors: 0 })
    expect(problems(store)).toEqual([])
  })

  test('are told page by page', () => {
    expect(pageFault(present(1, 'P', { latestId: 1 }))).toBeUndefined()
    expect(pageFault(present(1, '', { latestId: 1 }))).toBe('dbkey is missing or malformed')
    expect(pageFault({ id: 3, gone: true })).toBeUndefined()
  })
})

describe('the log', () => {
  const full = states({
    pages: [
      { id: 9, gone: true },
      present(1, 'P', {
        add: [revision(1, 'öne'), revision(2, undefined), sameText(3, 1), revision(4, ''), revision(5, '🌳')],
        change: [shown(6, { text: 'six' }), shown(7), shown(8, { isTextShown: false, editor: undefined })],
        take: [10],
        remove: [11],
      }),
    ],
    bots: ['B'],
    site: DEFAULT_SITE,
  })

  test('keeps all states, with their texts packed behind the head', () => {
    const entry = makeUpstreamEntry(place(1), place(2), START, full)
    const bytes = encodeEntry(entry)
    expect(decodeEntry(bytes)).toEqual(JSON.parse(JSON.stringify(entry)))
    expect(bytes.toString()).not.toContain('six')
    expect(textLength(entry)).toBe('öne'.length + '🌳'.length + 'six'.length)
  })

  test('packs repeated lines of many revisions', () => {
    const text = Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n')
    const add = Array.from({ length: 20 }, (_, n) => revision(n + 1, `${text}\n${n}`))
    const entry = makeUpstreamEntry(undefined, place(1), START, states({ pages: [present(1, 'P', { add })] }))
    expect(encodeEntry(entry).length).toBeLessThan(text.length * 4)
    expect(decodeEntry(encodeEntry(entry))).toEqual(JSON.parse(JSON.stringify(entry)))
  })

  test('names the same batch the same, and others otherwise', () => {
    const id = (...parts: Parameters<typeof makeUpstreamEntry>): string => makeUpstreamEntry(...parts).id
    const first = id(place(1), place(2), START, full)
    expect(id(place(1), place(2), START, structuredClone(full))).toBe(first)
    expect(
      new Set([first, id(place(0), place(2), START, full), id(place(1), place(3), START, full)]).size,
    ).toBe(3)
    expect(id(place(1), place(2), START, states())).not.toBe(first)
    expect([placeHash(undefined), placeHash(place(1)).length]).toEqual(['', 64])
  })
})
