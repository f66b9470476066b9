/** Damages a sound store in every table and expects verify to say so. */
import { describe, expect, test } from 'vitest'
import { logKey } from '../../../src/storage/entries/logReader.js'
import { readCounters, writeMeta } from '../../../src/storage/tables/meta.js'
import {
  decodeHistoryRow,
  decodePageRow,
  encodeHistoryRow,
  encodePageRow,
} from '../../../src/storage/rows/rows.js'
import type { Tables } from '../../../src/storage/tables/tables.js'
import { TAG_IDS } from '../../../src/storage/pages/history.js'
import { verifyStore } from '../../../src/storage/verify/verify.js'
import { applyChange } from '../../support/administration.js'
import { page, problems, revision, START, temporaryStore } from '../../support/store.js'

function soundStore() {
  const opened = temporaryStore()
  const texts = ['first text', 'second text', 'first text', 'a text [[de:Mond]]']
  const revisions = texts.map((text, n) => revision(n + 1, text, { minor: n === 1 }))
  opened.applier.importPages('d', [page(1, 'Moon', revisions), page(2, 'Sea', [revision(9, 'sea')])])
  opened.applier.finishImport(null)
  const editor = { id: 1, name: 'Ann' }
  const content = { editor, comment: '', minor: false, contentModel: 'wikitext', text: 'sky' }
  const creation = { kind: 'create', id: 'c'.repeat(32), time: START, namespace: 0, dbkey: 'Sky' } as const
  opened.applier.submit({ ...creation, ...content })
  const site = { name: 'Test' }
  opened.applier.submit({ kind: 'settings', id: 'a'.repeat(32), time: START, site })
  opened.store.reloadSite()
  const groups = ['bot'] as const
  applyChange(opened.applier, { kind: 'user', action: 'create', name: 'Robin', passwordHash: null, groups })
  const token = { userId: 2, secretHash: 'ab', scopes: ['write'], expires: null, name: '' } as const
  applyChange(opened.applier, { kind: 'token', action: 'create', ...token })
  const levels = { edit: 'sysop', create: 'none', expires: null } as const
  applyChange(opened.applier, { kind: 'protect', namespace: 0, dbkey: 'Sea', ...levels })
  applyChange(opened.applier, { kind: 'hide', revisionId: 2, comment: true })
  return opened
}

const at = (n: number) => [1, START + 60 * n, n] as const
const flip = (bytes: Buffer, index: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[index] = copy[index]! ^ 1
  return copy
}

/** A history row with other fields in its object. */
const changeJson = (bytes: Buffer, fields: object): Buffer => {
  const row = decodeHistoryRow(bytes)
  const json = Buffer.from(JSON.stringify({ ...(JSON.parse(row.json.toString()) as object), ...fields }))
  return encodeHistoryRow({ ...row, json })
}

describe('verify', () => {
  test('finds nothing in a sound store', () => {
    expect(problems(soundStore().store)).toEqual([])
  })

  test('finds a page that no title leads to', () => {
    const { store, applier } = temporaryStore()
    applier.importPages('d', [page(1, 'moon', [revision(1, 'text')]), page(2, 'ß', [revision(2, 'text')])])
    applier.finishImport(null)
    expect(problems(store)).toEqual([expect.stringMatching(/page 1 .*: no title leads to it/)])
  })

  test.each<[string, (tables: Tables) => void, RegExp]>([
    [
      'a text that changed',
      (t) => t.text.putSync(1, Buffer.concat([Buffer.from([0, 0]), Buffer.from('first texT')])),
      /revision 1: its SHA-1 differs/,
    ],
    [
      'a text of another length',
      (t) => t.text.putSync(1, Buffer.from([0, 0, 65])),
      /revision 1: 1 bytes, not 10/,
    ],
    [
      'a text row that is gone',
      (t) => t.text.removeSync(2),
      /revision 1: its text cannot be read|revision 2 has no text/,
    ],
    [
      'a text row of nothing',
      (t) => t.text.putSync(77, Buffer.from([0, 0, 65])),
      /text: 4 rows, but the pages account for 3/,
    ],
    [
      'a delta of other bytes',
      (t) => t.text.putSync(1, Buffer.from([2, 0, 0, 0, 0, 2, 0x80])),
      /revision 1: its text cannot be read/,
    ],
    [
      'a ready answer that differs',
      (t) => t.title.putSync([0, 'Moon'], flip(t.title.getBinary([0, 'Moon'])!, 40)),
      /page 1 .*: its ready answer differs/,
    ],
    ['a title row that is gone', (t) => t.title.removeSync([0, 'Moon']), /cannot be found by its title/],
    [
      'a title of nothing',
      (t) => t.title.putSync([0, 'Ghost'], t.title.getBinary([0, 'Sea'])!),
      /title: 4 rows, but the pages account for 3/,
    ],
    ['a revision pointer that is gone', (t) => t.rev.removeSync(3), /revision 3 cannot be found by its id/],
    [
      'a revision pointer that leads elsewhere',
      (t) => t.rev.putSync(3, t.rev.getBinary(9)!),
      /revision 3: its id leads to another place/,
    ],
    ['a history row that is gone', (t) => t.history.removeSync(at(2)), /revisions says 4, found 3/],
    [
      'a flag that changed',
      (t) => t.history.putSync(at(1), flip(t.history.getBinary(at(1))!, 12)),
      /revision 1: its object differs/,
    ],
    [
      'a tag that is missing',
      (t) => t.tag.removeSync([TAG_IDS.reverted, ...at(3)]),
      /revision 3: tag 4 is missing/,
    ],
    [
      'a tag too many',
      (t) => t.tag.putSync([TAG_IDS.bot, ...at(3)], Buffer.alloc(0)),
      /tag: 3 rows, but the pages account for 2/,
    ],
    [
      'an editor with other edits',
      (t) => t.editor.putSync([1, 1], Buffer.from([0, 0, 0, 9])),
      /editor 1 has 4 edits, stored are 9/,
    ],
    ['an editor too many', (t) => t.editor.putSync([1, 8], Buffer.from([0, 0, 0, 1])), /editor: 4 rows/],
    ['an actor without a name', (t) => t.actorName.removeSync(1), /its actor 1 is unknown/],
    [
      'page counts that differ',
      (t) => t.page.putSync(1, flip(t.page.getBinary(1)!, 35)),
      /minor says 0, found 1/,
    ],
    [
      'a latest revision that differs',
      (t) => t.page.putSync(1, encodePageRow({ ...decodePageRow(t.page.getBinary(1)!), latestId: 3 })),
      /its latest revision is 4, not 3/,
    ],
    [
      'totals that differ',
      (t) => writeMeta(t, 'counters', { ...readCounters(t), pages: 7, redirects: 1 }),
      /counters: pages says 7, found 3/,
    ],
    [
      'a log entry that changed',
      (t) => t.log.putSync(logKey(2), flip(t.log.getBinary(logKey(2))!, 30)),
      /the chain of entries does not lead to the stored digest/,
    ],
    [
      'a log entry that cannot be read',
      (t) => t.log.putSync(logKey(2), flip(t.log.getBinary(logKey(2))!, 4)),
      /log: entry 2 or its verdict cannot be read/,
    ],
    ['a log entry that is gone', (t) => t.log.removeSync(logKey(1)), /log: entry 1 is missing/],
    ['a verdict that is gone', (t) => t.entry.removeSync('a'.repeat(32)), /8 entries, but 7 verdicts/],
    [
      'an account that its name does not lead to',
      (t) => t.userName.putSync('Robin', Buffer.from([0, 0, 0, 1])),
      /user 2 \(Robin\) cannot be found by its name/,
    ],
    ['an editor who cannot be found', (t) => t.userName.removeSync('Ann'), /user 1 \(Ann\) cannot be found/],
    [
      'a name of nobody',
      (t) => t.userName.putSync('Ghost', Buffer.from([0, 0, 0, 9])),
      /user name Ghost leads to nobody/,
    ],
    [
      'an account beyond the counter',
      (t) => writeMeta(t, 'counters', { ...readCounters(t), nextUserId: 2 }),
      /nextUserId says 2, found user 2/,
    ],
    [
      'a page beyond the counter',
      (t) => writeMeta(t, 'counters', { ...readCounters(t), nextPageId: 3 }),
      /nextPageId says 3, found 3/,
    ],
    [
      'a revision beyond the counter',
      (t) => writeMeta(t, 'counters', { ...readCounters(t), nextRevisionId: 2 }),
      /nextRevisionId says 2, found 10/,
    ],
    [
      'a clock that lags behind an edit',
      (t) => writeMeta(t, 'counters', { ...readCounters(t), time: START - 1 }),
      /time says 1577836799, but entry 3 is of 1577836800/,
    ],
    [
      'a saved revision that is not there',
      (t) => t.rev.removeSync(10),
      /entry 3 says that it saved revision 10, which is not there/,
    ],
    [
      'an actor that its key does not lead to',
      (t) => t.actor.putSync('#1', Buffer.from([0, 0, 0, 9])),
      /actor 1 \(Ann\): #1 leads to 9/,
    ],
    [
      'an actor of another key',
      (t) => t.actorName.putSync(1, Buffer.from('\0\0\0\0Ann')),
      /=Ann leads to none/,
    ],
    [
      'a user that is not the actor',
      (t) =>
        t.history.putSync(at(1), changeJson(t.history.getBinary(at(1))!, { user: { id: 7, name: 'Bob' } })),
      /revision 1: its user Bob is not its actor 1/,
    ],
    [
      'a comment that is not that of its entry',
      (t) =>
        t.history.putSync([3, START, 10], changeJson(t.history.getBinary([3, START, 10])!, { comment: 'x' })),
      /log: revision 10 is not what entry 3 says/,
    ],
    [
      'an edit that is not marked as its entry says',
      (t) => t.history.putSync([3, START, 10], flip(t.history.getBinary([3, START, 10])!, 12)),
      /log: revision 10 is not what entry 3 says/,
    ],
    ['other bots', (t) => writeMeta(t, 'botAccounts', ['Ann']), /botAccounts says Ann, found Robin/],
    ['a token of nobody', (t) => t.user.removeSync(2), /token 1 belongs to user 2, who is unknown/],
    [
      'a token beyond the counter',
      (t) => writeMeta(t, 'counters', { ...readCounters(t), nextTokenId: 1 }),
      /nextTokenId says 1, found token 1/,
    ],
    [
      'a protection of no kind',
      (t) => t.protection.putSync([0, 'Sea'], Buffer.from('{"edit":"none","create":"none"}')),
      /protection of 0:Sea says edit none, create none/,
    ],
    [
      'hidden parts that are not hidden',
      (t) => t.hidden.putSync(3, t.hidden.getBinary(2)!),
      /hidden parts of revision 3 are none that it hides/,
    ],
  ])('finds %s', (_case, damage, problem) => {
    const { store } = soundStore()
    store.transact(() => damage(store.tables))
    expect(problems(store).join('\n')).toMatch(problem)
  })

  test('stops listing at a limit and says how many more there are', () => {
    const { store } = soundStore()
    store.transact(() => [1, 2, 3].forEach((id) => store.tables.rev.removeSync(id)))
    const { problems: found } = verifyStore(store, { maxProblems: 1 })
    expect(found).toHaveLength(2)
    expect(found[1]).toMatch(/^and \d+ more$/)
  })
})
