/** Erased words occur nowhere in the data folder, while the log still proves itself and gives the same store. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Originals, originalPath } from '../../../src/files/originals.js'
import { removeContents } from '../../../src/files/removeContents.js'
import type { EraseChange } from '../../../src/storage/entries/administration.js'
import { decodeEntry, type Entry, isRedacted, type Verdict } from '../../../src/storage/entries/entries.js'
import { eraseAll, hasErasures, requestUser } from '../../../src/storage/erase/eraser.js'
import { chainDigest, logKey } from '../../../src/storage/entries/logReader.js'
import type { Store } from '../../../src/storage/store.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { applyChange } from '../../support/administration.js'
import { facts, fileEntry } from '../../support/files.js'
import { wordsIn } from '../../support/rawFile.js'
import { randomNumbers } from '../../support/random.js'
import { Following, present, sameText } from '../../support/upstream.js'
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

interface Wiki {
  readonly store: Store
  readonly applier: DumpApplier
  readonly dataDir: string
}

let entries = 0
const entryId = (): string => createHash('sha256').update(`erase ${++entries}`).digest('hex').slice(0, 32)

/** Text that packs badly, so that a part of it would be found. */
function filler(seed: number, words: number): string {
  const random = randomNumbers(seed)
  return Array.from({ length: words }, () => Math.floor(random() * 1e9).toString(36)).join(' ')
}

const ANN = { id: null, name: '192.0.2.77' }

function save(
  { applier }: Wiki,
  at: { dbkey: string; namespace?: number } | { pageId: number; baseRevisionId: number },
  text: string,
  parts: { comment?: string; editor?: { id: number | null; name: string } } = {},
): Verdict {
  const facts = { editor: ANN, comment: '', minor: false, contentModel: 'wikitext', text, ...parts }
  const head = { id: entryId(), time: START + entries }
  const entry: Entry =
    'dbkey' in at
      ? { kind: 'create', ...head, namespace: 0, ...at, ...facts }
      : { kind: 'edit', ...head, ...at, ...facts }
  return applier.submit(entry)
}

const saved = (verdict: Verdict) => {
  if (verdict.result !== 'saved') throw new Error(JSON.stringify(verdict))
  return verdict
}

function settle({ store, applier, dataDir }: Wiki): number {
  const steps = eraseAll({
    store,
    apply: (change) => applyChange(applier, change),
    removeContents: (sha256s) => removeContents(store, dataDir, sha256s),
  })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function erase(wiki: Wiki, change: EraseChange): Verdict {
  const verdict = applyChange(wiki.applier, change)
  expect(hasErasures(wiki.store)).toBe(true)
  expect(settle(wiki)).toBe(0)
  expect(hasErasures(wiki.store)).toBe(false)
  return verdict
}

/** Replays the log into an empty store. `wiki` has no dump. */
function expectSameAfterReplay(wiki: Wiki): void {
  const copy = temporaryStore()
  const { log } = wiki.store
  for (const item of log.take(0, log.bounds().last))
    copy.applier.submitReplayed(item, log.getVerdict(item.entry.id))
  expect(problems(copy.store)).toEqual([])
  expect(digestStore(copy.store)).toBe(digestStore(wiki.store))
}

/** Checks that the words are there before and not afterwards, and that the store is sound. */
function expectErased(wiki: Wiki, words: readonly string[], change: () => void): void {
  expect(wordsIn(wiki.dataDir, words)).toEqual([...words])
  const { sequence, digest } = wiki.store.position()
  change()
  expect(wordsIn(wiki.dataDir, words)).toEqual([])
  expect(problems(wiki.store)).toEqual([])
  // The entries from before the erasure still lead to the digest of then.
  const later = wiki.store.log.take(sequence, Infinity)
  expect(later.reduce((before, { row }) => chainDigest(before, row), digest)).toBe(
    wiki.store.position().digest,
  )
}

describe('erasing revisions', () => {
  test('takes a text and its comment away that others build on, and an edit that changed nothing', () => {
    const wiki = temporaryStore()
    const base = filler(1, 300)
    const { pageId } = saved(save(wiki, { dbkey: 'Moon' }, `${base} one`))
    let latest = 1
    const texts = [`${base} one`]
    for (let n = 2; n <= 40; n++) {
      const secret = n === 20 ? ' Kryptonnebel' : ''
      texts.push(`${base} ${n}${secret}`)
      const comment = n === 20 ? 'Heimlichkeit' : `edit ${n}`
      latest = saved(save(wiki, { pageId, baseRevisionId: latest }, texts.at(-1)!, { comment })).revisionId
      // The same again, and one on an older base: neither has an effect, but the log keeps both.
      if (n === 20) {
        expect(save(wiki, { pageId, baseRevisionId: latest }, texts.at(-1)!).result).toBe('unchanged')
        expect(save(wiki, { pageId, baseRevisionId: 3 }, `${base} Doppelkonflikt`).result).toBe('conflict')
      }
    }
    expectErased(wiki, ['Kryptonnebel', 'Heimlichkeit', 'Doppelkonflikt'], () => {
      const change = {
        kind: 'erase',
        action: 'revisions',
        revisionIds: [20],
        parts: ['text', 'comment'],
      } as const
      expect(erase(wiki, change)).toEqual({ result: 'erased', revisions: 1 })
    })
    for (let n = 1; n <= 40; n++) expect(wiki.store.getText(n)).toBe(n === 20 ? undefined : texts[n - 1])
    expect(history(wiki.store, pageId)[19]).toMatchObject({ comment: null, user: ANN })
    expectSameAfterReplay(wiki)
  })

  test('takes the latest text away: the page shows none, and the next edit continues', () => {
    const wiki = temporaryStore()
    const { pageId } = saved(save(wiki, { dbkey: 'Moon' }, 'first'))
    saved(save(wiki, { pageId, baseRevisionId: 1 }, '#REDIRECT [[Kryptonnebel]]'))
    expectErased(wiki, ['Kryptonnebel'], () => {
      erase(wiki, { kind: 'erase', action: 'revisions', revisionIds: [2], parts: ['text'] })
    })
    expect(source(wiki.store, 'Moon')).toBeUndefined()
    expect(wiki.store.counters().redirects).toBe(0)
    saved(save(wiki, { pageId, baseRevisionId: 2 }, 'third'))
    expect(source(wiki.store, 'Moon')).toBe('third')
    expect(problems(wiki.store)).toEqual([])
    expectSameAfterReplay(wiki)
  })

  test('twice has one effect, and a dump that has the words does not bring them again', () => {
    const wiki = temporaryStore()
    const revisions = [revision(5, 'a Kryptonnebel', { comment: 'Heimlichkeit' }), revision(6, 'b')]
    wiki.applier.importPages('d', [page(3, 'Moon', revisions)])
    const change = {
      kind: 'erase',
      action: 'revisions',
      revisionIds: [5],
      parts: ['text', 'comment', 'user'],
    } as const
    expectErased(wiki, ['Kryptonnebel', 'Heimlichkeit'], () => erase(wiki, change))
    const digest = digestStore(wiki.store, { withLog: false })
    expect(applyChange(wiki.applier, change)).toEqual({ result: 'missing' })
    wiki.applier.importPages('e', [page(3, 'Moon', revisions)])
    expect(wordsIn(wiki.dataDir, ['Kryptonnebel', 'Heimlichkeit'])).toEqual([])
    expect(digestStore(wiki.store, { withLog: false })).toBe(digest)
    expect(problems(wiki.store)).toEqual([])
  })

  test('keeps words that were hidden before from being shown again', () => {
    const wiki = temporaryStore()
    const { pageId } = saved(save(wiki, { dbkey: 'Moon' }, 'Kryptonnebel', { comment: 'Heimlichkeit' }))
    saved(save(wiki, { pageId, baseRevisionId: 1 }, 'b'))
    applyChange(wiki.applier, { kind: 'hide', revisionId: 1, text: true, comment: true, user: true })
    expectErased(wiki, ['Kryptonnebel', 'Heimlichkeit'], () => {
      erase(wiki, { kind: 'erase', action: 'revisions', revisionIds: [1], parts: ['text', 'comment'] })
    })
    const shown = applyChange(wiki.applier, { kind: 'hide', revisionId: 1, text: false })
    expect(shown).toEqual({ result: 'part-unknown', part: 'text' })
    expectSameAfterReplay(wiki)
  })

  test('of an unknown id, or none, changes nothing', () => {
    const { applier } = temporaryStore()
    for (const revisionIds of [[], [7]]) {
      const change = { kind: 'erase', action: 'revisions', revisionIds, parts: ['text'] } as const
      expect(applyChange(applier, change)).toEqual({ result: 'missing' })
    }
  })
})

describe('erasing a page', () => {
  test('takes title, texts, comments, protection and search results away', () => {
    const wiki = temporaryStore()
    const { pageId } = saved(save(wiki, { dbkey: 'Kryptonnebel' }, filler(3, 400) + ' Wortungetüm'))
    saved(save(wiki, { pageId, baseRevisionId: 1 }, 'Wortungetüm again', { comment: 'Heimlichkeit' }))
    saved(save(wiki, { dbkey: 'Sea' }, 'water'))
    expect(save(wiki, { dbkey: 'Kryptonnebel' }, 'Doppelkonflikt').result).toBe('exists')
    const title = { namespace: 0, dbkey: 'Kryptonnebel' }
    applyChange(wiki.applier, { kind: 'protect', ...title, edit: 'sysop', create: 'sysop', expires: null })
    expectErased(wiki, ['Kryptonnebel', 'Wortungetüm', 'Heimlichkeit', 'Doppelkonflikt'], () => {
      expect(erase(wiki, { kind: 'erase', action: 'page', pageId })).toEqual({
        result: 'erased',
        revisions: 2,
      })
    })
    expect(wiki.store.getPage(0, 'Kryptonnebel')).toBeUndefined()
    expect(wiki.store.counters()).toMatchObject({ pages: 1, revisions: 1 })
    expectSameAfterReplay(wiki)
    expect(saved(save(wiki, { dbkey: 'Kryptonnebel' }, 'a new one')).pageId).toBe(3)
    expect(problems(wiki.store)).toEqual([])
    expectSameAfterReplay(wiki)
  })

  test('of a file takes its facts and contents away, unless another file has the contents', () => {
    const wiki = temporaryStore()
    const originals = new Originals(wiki.dataDir)
    const keep = (bytes: string): string => {
      const receiver = originals.receive(1000)
      receiver.write(Buffer.from(bytes))
      const received = receiver.finish()
      originals.keep(received)
      return received.sha256
    }
    const [own, shared] = [keep('Pixelhaufen'), keep('shared')]
    wiki.applier.submit(fileEntry('Kryptonnebel.png', facts({ sha256: own })))
    wiki.applier.submit(fileEntry('Two.png', facts({ sha256: shared })))
    wiki.applier.submit(fileEntry('Three.png', facts({ sha256: shared })))
    const first = saved(save(wiki, { dbkey: 'Kryptonnebel.png', namespace: 6 }, 'a file'))
    const second = saved(save(wiki, { dbkey: 'Two.png', namespace: 6 }, 'a file'))
    expectErased(wiki, ['Kryptonnebel', 'Pixelhaufen'], () => {
      erase(wiki, { kind: 'erase', action: 'page', pageId: first.pageId })
    })
    erase(wiki, { kind: 'erase', action: 'page', pageId: second.pageId })
    expect(existsSync(originalPath(wiki.dataDir, shared))).toBe(true)
    expect(wiki.store.counters().files).toBe(1)
    expect(problems(wiki.store)).toEqual([])
    expectSameAfterReplay(wiki)
  })

  test('that came with a dump does not come with it again', () => {
    const wiki = temporaryStore()
    const pages = [page(3, 'Kryptonnebel', [revision(5, 'Wortungetüm')]), page(4, 'Sea', [revision(6, 'b')])]
    wiki.applier.importPages('d', pages)
    expectErased(wiki, ['Kryptonnebel', 'Wortungetüm'], () => {
      erase(wiki, { kind: 'erase', action: 'page', pageId: 3 })
    })
    wiki.applier.importPages('e', pages)
    expect(wordsIn(wiki.dataDir, ['Kryptonnebel', 'Wortungetüm'])).toEqual([])
    expect(problems(wiki.store)).toEqual([])
  })
})

describe('erasing a user', () => {
  const eraseUser = (wiki: Wiki, user: { actorIds: number[]; userId: number | null }): void => {
    requestUser(wiki.store, user)
    expect(settle(wiki)).toBe(0)
  }

  test('takes an account away, with tokens, marks as a bot and all places that name it', () => {
    const wiki = temporaryStore()
    const created = { kind: 'user', action: 'create', passwordHash: 'scrypt$hash', groups: ['bot'] } as const
    applyChange(wiki.applier, { ...created, name: 'Kryptonnebel' })
    applyChange(wiki.applier, { ...created, name: 'Ben', groups: [], passwordHash: null })
    const token = {
      secretHash: 'f'.repeat(64),
      scopes: ['write'],
      expires: null,
      name: 'Wortungetüm',
    } as const
    applyChange(wiki.applier, { kind: 'token', action: 'create', userId: 1, ...token })
    const [bot, ben] = [
      { id: 1, name: 'Kryptonnebel' },
      { id: 2, name: 'Ben' },
    ]
    const { pageId } = saved(save(wiki, { dbkey: 'Moon' }, 'a', { editor: bot }))
    saved(save(wiki, { pageId, baseRevisionId: 1 }, 'b', { editor: ben }))
    saved(save(wiki, { pageId, baseRevisionId: 2 }, 'c', { editor: bot }))
    applyChange(wiki.applier, { kind: 'hide', revisionId: 1, user: true })
    wiki.applier.submit(fileEntry('Two.png', facts({ uploader: bot })))
    wiki.applier.submit(fileEntry('Two.png', facts({ uploader: ben })))
    expectErased(wiki, ['Kryptonnebel', 'Wortungetüm', 'scrypt$hash'], () => {
      eraseUser(wiki, { actorIds: [1], userId: 1 })
    })
    expect(history(wiki.store, pageId).map(({ user }) => user)).toEqual([null, ben, null])
    expect(wiki.store.accounts.getUserByName('Ben')).toMatchObject({ id: 2 })
    expect(wiki.store.pageCounts(pageId)).toMatchObject({ editors: 1, bot: 0 })
    expectSameAfterReplay(wiki)
  })

  test('takes an address away, shown or hidden, on many pages', () => {
    const wiki = temporaryStore()
    for (let n = 1; n <= 30; n++) {
      const { pageId, revisionId } = saved(save(wiki, { dbkey: `Page_${n}` }, `text ${n}`))
      saved(
        save(wiki, { pageId, baseRevisionId: revisionId }, 'b', { editor: { id: null, name: '192.0.2.8' } }),
      )
      if (n % 5 === 0) applyChange(wiki.applier, { kind: 'hide', revisionId, user: true })
    }
    expectErased(wiki, [ANN.name], () => eraseUser(wiki, { actorIds: [1], userId: null }))
    expect(history(wiki.store, 7).map(({ user }) => user)).toEqual([null, { id: null, name: '192.0.2.8' }])
    expectSameAfterReplay(wiki)
    // The address is a new editor if it comes again.
    saved(save(wiki, { dbkey: 'New' }, 'n'))
    expect(wiki.store.counters().actors).toBe(3)
    expect(problems(wiki.store)).toEqual([])
    expectSameAfterReplay(wiki)
  })
})

describe('a followed wiki', () => {
  test('takes the words of a removed page away, and of revisions that it hides', () => {
    const wiki = temporaryStore()
    const upstream = new Following(wiki.store, wiki.applier)
    const long = filler(5, 300)
    const secret = revision(2, `${long} Kryptonnebel`, { comment: 'Heimlichkeit', parentId: 1 })
    // The next revision restores the first one, and one of another page has the text that goes.
    upstream.pages(
      present(1, 'Moon', { add: [revision(1, long), secret, sameText(3, 1)] }),
      present(2, 'Wortungetüm', { add: [revision(10, 'Zungenbrecher'), revision(11, 'b')] }),
      present(3, 'Copy', { add: [sameText(20, 2)] }),
    )
    upstream.pages(present(2, 'Wortungetüm', { latestId: 12, add: [revision(12, 'Zungenbrecher again')] }))
    const { id, timestamp } = secret
    expect(timestamp).toBeGreaterThan(0)
    expectErased(wiki, ['Heimlichkeit', 'Zungenbrecher', 'Wortungetüm'], () => {
      const hidden = { id, editor: secret.editor, comment: undefined, isTextShown: false }
      upstream.batch({
        pages: [present(1, 'Moon', { latestId: 3, change: [hidden] }), { id: 2, gone: true }],
      })
      expect(settle(wiki)).toBe(0)
    })
    expect(wiki.store.getText(1)).toBe(long)
    expect(wiki.store.getText(2)).toBeUndefined()
    expect(wiki.store.getText(20)).toBe(`${long} Kryptonnebel`)
    expectSameAfterReplay(wiki)
  })

  test('keeps words in the log that it shows again before they are taken out', () => {
    const wiki = temporaryStore()
    const upstream = new Following(wiki.store, wiki.applier)
    const comment = 'Heimlichkeit'
    upstream.pages(present(1, 'Moon', { add: [revision(1, 'a', { comment }), revision(2, 'b')] }))
    const state = (shown: string | undefined) => ({
      id: 1,
      editor: { id: 1, name: 'Ann' },
      comment: shown,
      isTextShown: true,
    })
    upstream.pages(present(1, 'Moon', { latestId: 2, change: [state(undefined)] }))
    upstream.pages(present(1, 'Moon', { latestId: 2, change: [state(comment)] }))
    settle(wiki)
    expect(history(wiki.store, 1)[0]).toMatchObject({ comment })
    expect(isRedacted(wiki.store.tables.log.getBinary(logKey(1))!)).toBe(true)
    expect(isRedacted(wiki.store.tables.log.getBinary(logKey(3))!)).toBe(false)
    expectSameAfterReplay(wiki)
  })
})

test('a redacted entry says no more than its size, and nobody can check a guess of it', () => {
  const wiki = temporaryStore()
  const id = 'a'.repeat(32)
  const facts = { editor: ANN, comment: 'Heimlichkeit', minor: false, contentModel: 'wikitext' }
  const entry: Entry = {
    kind: 'create',
    id,
    time: START,
    namespace: 0,
    dbkey: 'Moon',
    ...facts,
    text: 'Kryptonnebel',
  }
  const verdict = wiki.applier.submit(entry)
  erase(wiki, { kind: 'erase', action: 'revisions', revisionIds: [1], parts: ['text', 'comment'] })
  const row = wiki.store.tables.log.getBinary(logKey(1))!
  expect(isRedacted(row)).toBe(true)
  const { original, ...redacted } = decodeEntry(row)
  expect(redacted).toEqual({ ...entry, id: redacted.id, text: '', comment: '', lostText: { sizeBytes: 12 } })
  // The id was random. It is part of the hash, and gone.
  expect(original).toHaveLength(64)
  expect(wordsIn(wiki.dataDir, [id])).toEqual([])
  // The entry is still known if it comes again.
  expect(wiki.applier.submit(entry)).toEqual(verdict)
  expect(wiki.store.position().sequence).toBe(2)
  expect(wordsIn(wiki.dataDir, ['Kryptonnebel', join(id)])).toEqual([])
})
