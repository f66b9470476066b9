/** The wiki's public log, from a dump of its entries. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPhpValue } from '../../../src/dump/phpValue.js'
import { Applier } from '../../../src/storage/apply/applier.js'
import type { EventFilter } from '../../../src/storage/changes/logEventReader.js'
import type { Store } from '../../../src/storage/store.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { expectReplay } from '../../support/tableWiki.js'
import { importInto, openFolder, problems, temporaryFolder } from '../../support/store.js'

const item = (id: number, parts: string): string =>
  `<logitem><id>${id}</id><timestamp>2026-01-05T07:00:${String(id).padStart(2, '0')}Z</timestamp>${parts}</logitem>`
const by = (name: string, id: number): string =>
  `<contributor><username>${name}</username><id>${id}</id></contributor>`
const what = (type: string, action: string, title: string, params = ''): string =>
  `<type>${type}</type><action>${action}</action><logtitle>${title}</logtitle><params xml:space="preserve">${params}</params>`

const ITEMS = [
  item(1, by('Ann', 7) + what('create', 'create', 'Main Page', 'a:1:{s:17:"associated_rev_id";i:1;}')),
  item(
    2,
    `${by('Ann', 7)}<comment>better</comment>${what('move', 'move_redir', 'Talk:Old', 'a:2:{s:9:"4::target";s:9:"Talk:Neü";s:10:"5::noredir";s:1:"0";}')}`,
  ),
  item(
    3,
    `<contributor deleted="deleted" /><comment deleted="deleted" /><type>delete</type><action>delete</action><text deleted="deleted" />`,
  ),
  item(4, by('Bob', 8) + what('block', 'block', 'User:Ann', 'infinite\nnocreate')),
]

function dump(folder: string, items: readonly string[], name = 'log.xml'): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    `<mediawiki version="0.11" xml:lang="en"><siteinfo><dbname>w</dbname><namespaces><namespace key="0" /><namespace key="1">Talk</namespace><namespace key="2">User</namespace></namespaces></siteinfo>\n${items.join('\n')}\n</mediawiki>`,
  )
  return path
}

/** A new store with these dumps. */
async function storeOf(...paths: readonly string[]): Promise<{ store: Store; dataDir: string }> {
  const dataDir = temporaryFolder()
  for (const path of paths) expect((await importInto(dataDir, [path])).error).toBeUndefined()
  return { store: openFolder(dataDir), dataDir }
}

const ids = (store: Store, filter: EventFilter = {}, range = {}): number[] =>
  Array.from(store.logEvents.list(filter, range), ({ id }) => id)

describe('log entries of a dump', () => {
  test('are listed by time, type, action, title and performer', async () => {
    const { store } = await storeOf(dump(temporaryFolder(), ITEMS))
    expect(ids(store)).toEqual([4, 3, 2, 1])
    expect(ids(store, {}, { ascending: true })).toEqual([1, 2, 3, 4])
    const { timestamp } = store.logEvents.get(3)!
    expect(ids(store, {}, { from: { timestamp, id: 3 }, until: timestamp - 1 })).toEqual([3, 2])
    expect([ids(store, { type: 'move' }), ids(store, { type: 'move', action: 'move' })]).toEqual([[2], []])
    expect(ids(store, { title: { namespace: 1, dbkey: 'Old' } })).toEqual([2])
    const [actorId] = store.changes.actorsNamed('Ann')
    expect([ids(store, { actorId }), ids(store, { actorId, type: 'create' })]).toEqual([[2, 1], [1]])
    expect(store.logEvents.get(2)).toEqual({
      id: 2,
      timestamp: Date.UTC(2026, 0, 5, 7, 0, 2) / 1000,
      type: 'move',
      action: 'move_redir',
      actorId,
      performer: { id: 7, name: 'Ann' },
      comment: 'better',
      title: { namespace: 1, dbkey: 'Old' },
      params: { '4::target': 'Talk:Neü', '5::noredir': '0' },
    })
    expect(store.logEvents.get(3)).toMatchObject({
      actorId: 0,
      performer: undefined,
      comment: undefined,
      title: undefined,
    })
    expect(store.logEvents.get(4)?.params).toEqual(['infinite', 'nocreate'])
    expect(problems(store)).toEqual([])
  })

  test('come again without effect, follow later dumps, and a replay gives the same store', async () => {
    const folder = temporaryFolder()
    const first = dump(folder, ITEMS.slice(0, 2))
    const hidden = item(2, ITEMS[2]!.slice(ITEMS[2]!.indexOf('<contributor'), -'</logitem>'.length))
    const second = dump(folder, [ITEMS[0]!, hidden, ...ITEMS.slice(2)], 'later.xml')
    const once = await storeOf(first, second)
    const { sequence } = once.store.position()
    expect([ids(once.store, { type: 'move' }), ids(once.store, { type: 'delete' })]).toEqual([[], [3, 2]])
    expect(problems(once.store)).toEqual([])
    const digest = digestStore(once.store)
    await once.store.close()
    expect((await importInto(once.dataDir, [second])).error).toBeUndefined()
    const again = openFolder(once.dataDir)
    expect([again.position().sequence, digestStore(again)]).toEqual([sequence, digest])
    await expectReplay(again, [first, second])
  })

  test('go with a user that is erased', async () => {
    const { store } = await storeOf(dump(temporaryFolder(), ITEMS))
    const applier = new Applier(store)
    const { actorIds } = store.accounts.identitiesOf('Ann')
    applier.submit({ kind: 'erase', id: 'a'.repeat(32), time: 1, action: 'user', actorIds, userId: 7 })
    store.refresh()
    expect(
      [...store.logEvents.list()].map(({ performer, title }) => [performer?.name, title?.dbkey]),
    ).toEqual([
      ['Bob', undefined],
      [undefined, undefined],
      [undefined, 'Old'],
      [undefined, 'Main_Page'],
    ])
    expect(JSON.stringify([...store.logEvents.list()])).not.toContain('Ann')
    expect(problems(store)).toEqual([])
  })

  test('with faults are left out', async () => {
    const faulty = [
      '<logitem><id>5</id></logitem>',
      item(6, '<type>bad type</type>'),
      item(7, '<id>7</id>'),
      ...ITEMS,
    ]
    const dataDir = temporaryFolder()
    const { results } = await importInto(dataDir, [dump(dataDir, faulty)])
    expect(results[0]?.counts).toMatchObject({ logEvents: 4, newLogEvents: 4, skippedLogEvents: 3 })
    expect(ids(openFolder(dataDir))).toEqual([4, 3, 2, 1])
  })
})

test.each([
  ['a:2:{i:0;s:1:"a";i:1;b:1;}', ['a', true]],
  ['a:1:{s:1:"x";a:1:{i:0;N;}}', { x: [null] }],
  ['a:0:{}', []],
  ['i:-5;', -5],
  ['d:0.5;', 0.5],
  ['s:2:"ü";', 'ü'],
  ['s:3:"ü";', undefined],
  ['a:1:{i:0;O:1:"x":0:{}}', undefined],
  ['a:99999999:{', undefined],
  ['a:1:{i:0;'.repeat(50), undefined],
  ['a:1:{i:0;N;}x', undefined],
])('the serialised value %s', (text, wanted) => {
  expect(readPhpValue(text)).toEqual(wanted)
})
