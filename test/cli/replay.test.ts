/** A store is made again from its log, whatever made it: imports, edits, settings, accounts, files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { replayLog } from '../../src/import/replayLog.js'
import { ImportInterrupted } from '../../src/cli/import/importDumps.js'
import { decodeEntry } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { Store } from '../../src/storage/store.js'
import { WHOLE_TABLE } from '../../src/storage/tables/tables.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { applyChange } from '../support/administration.js'
import { runHosted } from '../support/command.js'
import { type DumpPage, dumpXml } from '../support/dump.js'
import { facts, fileEntry } from '../support/files.js'
import {
  DumpApplier,
  importInto,
  problems,
  START,
  temporaryFolder,
  temporaryStore,
} from '../support/store.js'

const MOON: DumpPage = {
  id: 1,
  title: 'Moon',
  revisions: [1, 2, 3, 4, 5].map((id) => ({ id, text: `moon\nline ${id % 2}\n`, comment: `edit ${id}` })),
}
const SEA: DumpPage = { id: 2, title: 'Sea', revisions: [{ id: 9, text: 'sea' }] }
const PORTAL: DumpPage = {
  id: 3,
  title: 'Portal:Sport',
  namespace: 100,
  revisions: [{ id: 10, text: '[[Moon]]' }],
}

/** The dumps that the store below was made of: an old one, a newer one, and the old name with other contents. */
function writeDumps(folder: string): string[] {
  const write = (name: string, pages: readonly DumpPage[]): string => {
    const path = join(folder, name)
    writeFileSync(path, dumpXml(pages))
    return path
  }
  const newer = { ...MOON, title: 'Moon (body)', revisions: [...MOON.revisions, { id: 60, text: 'moon 60' }] }
  const twice = { ...SEA, id: 8, revisions: [{ id: 80, text: 'another sea' }] }
  return [write('old.xml', [MOON, SEA]), write('newer.xml', [newer, SEA, PORTAL, twice])]
}

/** Makes one change of each kind between two imports. */
async function makeWiki(dataDir: string, [old, newer]: readonly string[]): Promise<void> {
  await importInto(dataDir, [old!], { batchBytes: 1 })
  const store = Store.open(dataDir)
  const applier = new DumpApplier(store)
  const saved = { editor: { id: null, name: '192.0.2.1' }, comment: 'c', minor: false, time: START + 1e6 }
  const content = { ...saved, contentModel: 'wikitext' }
  const pages = { kind: 'create', namespace: 0, dbkey: 'Here' } as const
  applier.submit({ ...content, ...pages, id: randomEntryId(), text: 'made here' })
  const edit = { kind: 'edit', pageId: 2, baseRevisionId: 9 } as const
  applier.submit({ ...content, ...edit, id: randomEntryId(), text: 'sea, and more' })
  applier.submit({ ...content, ...edit, id: randomEntryId(), text: 'a conflict' })
  applier.submit({ ...content, ...pages, id: randomEntryId(), namespace: 1e6, text: 'invalid' })
  const site = { name: 'Replayed', bots: ['Ann'] }
  applier.submit({ kind: 'settings', id: randomEntryId(), time: START, site })
  const groups = ['bot'] as const
  applyChange(applier, { kind: 'user', action: 'create', name: 'Robin', passwordHash: null, groups })
  const token = { userId: 2, secretHash: 'ab', scopes: ['write'], expires: null, name: '' } as const
  applyChange(applier, { kind: 'token', action: 'create', ...token })
  const levels = { edit: 'sysop', create: 'none', expires: null } as const
  applyChange(applier, { kind: 'protect', namespace: 0, dbkey: 'Sea', ...levels })
  applyChange(applier, { kind: 'hide', revisionId: 2, comment: true, text: true })
  applier.submit(fileEntry('Moon.png', facts()))
  applier.submit(fileEntry('Gone.png', facts()))
  applier.submit(fileEntry('Gone.png', null))
  await store.close()
  await importInto(dataDir, [newer!, old!], { batchBytes: 1 })
}

describe('the replay of a log', () => {
  test('makes the same store again, imports included', async () => {
    const folder = temporaryFolder()
    const dumps = writeDumps(folder)
    await makeWiki(join(folder, 'wiki'), dumps)
    const from = Store.open(join(folder, 'wiki'))
    const kinds = [...from.tables.log.getRange({ ...WHOLE_TABLE })].map(
      ({ value }) => decodeEntry(value).kind,
    )
    expect(new Set(kinds)).toEqual(
      new Set([
        'site',
        'pages',
        'import',
        'create',
        'edit',
        'settings',
        'user',
        'token',
        'protect',
        'hide',
        'file',
      ]),
    )
    const digest = digestStore(from)
    const wanted = problems(from)
    await from.close()
    const { status, out, err } = runHosted([
      'replay',
      '--data-dir',
      join(folder, 'wiki'),
      '--into',
      join(folder, 'copy'),
      ...dumps,
    ])
    expect({ status, out, err }).toEqual({
      status: 0,
      out: `${kinds.length} entries replayed: the stores are equal\ndigest ${digest}\n`,
      err: '',
    })
    expect(wanted.filter((problem) => !problem.includes('index'))).toEqual([])
  })

  test('goes on after an import that was interrupted, and reads what was passed over', async () => {
    const folder = temporaryFolder()
    const [old] = writeDumps(folder)
    const stop = new AbortController()
    const partial = await importInto(join(folder, 'wiki'), [old!], {
      batchBytes: 1,
      signal: stop.signal,
      display: {
        show: () => stop.abort(new ImportInterrupted()),
        print: () => undefined,
        stop: () => undefined,
      },
    })
    expect(partial.error?.name).toBe('ImportInterrupted')
    await importInto(join(folder, 'wiki'), [old!], { batchBytes: 1 })
    const from = Store.open(join(folder, 'wiki'))
    const { store: into, applier } = temporaryStore()
    await replayLog({
      from,
      into,
      applier,
      dumps: [old!],
    })
    expect(digestStore(into)).toBe(digestStore(from))
    await from.close()
  })

  test.each<[string, (dumps: string[]) => string[], RegExp]>([
    ['a dump that is not given', ([, newer]) => [newer!], /the log needs the dump "old.xml"/],
    [
      'another dump of the same name',
      ([old, newer]) => {
        writeFileSync(old!, readFileSync(old!, 'utf8').replace('Test wiki', 'Other wiki'))
        return [old!, newer!]
      },
      /old.xml is not the dump that was imported/,
    ],
    [
      'a dump of the same name with fewer pages',
      ([old, newer]) => {
        writeFileSync(old!, dumpXml([MOON]))
        return [old!, newer!]
      },
      /old.xml has fewer pages/,
    ],
  ])('is refused for %s', async (_case, change, message) => {
    const folder = temporaryFolder()
    const dumps = writeDumps(folder)
    await makeWiki(join(folder, 'wiki'), dumps)
    const dirs = ['--data-dir', join(folder, 'wiki'), '--into', join(folder, 'copy')]
    const { status, err } = runHosted(['replay', ...dirs, ...change(dumps)])
    expect(status).toBe(1)
    expect(err).toMatch(message)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('does not touch a store that is there', () => {
    const { dataDir } = temporaryStore()
    const { status, err } = runHosted(['replay', '--data-dir', dataDir, '--into', dataDir])
    expect([status, err]).toEqual([
      1,
      `palimpsest: ${dataDir} has a store already: name another folder with --into\n`,
    ])
  })
})
