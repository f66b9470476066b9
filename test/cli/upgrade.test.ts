/** Stores of the format before this one: they are named, converted, and never lost on the way. */
// @module-tag upgrade
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomEntryId } from '../../src/storage/entryIds.js'
import { hashBytes, sealed, tableHash } from '../../src/storage/rows/seal.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { applyChange } from '../support/administration.js'
import { folderOfFile } from '../support/cleanUp.js'
import { COMMAND, type Run, runHosted, runProgram, runUnder } from '../support/command.js'
import { changeRows } from '../support/damage.js'
import { dumpXml } from '../support/dump.js'
import { rounds } from '../support/effort.js'
import { makeFormat2, makeFormat3 } from '../support/oldFormats.js'
import { facts, fileEntry } from '../support/files.js'
import { canMount, NEEDS_MOUNT, withSmallDisk } from '../support/mounts.js'
import { whenStopped } from '../support/processes.js'
import { randomNumbers } from '../support/random.js'
import {
  DumpApplier,
  history,
  importInto,
  openFolder,
  problems,
  source,
  START,
  temporaryFolder,
} from '../support/store.js'

const KILLS = rounds(40, 6)
/** More than are indexed without a thread. */
const PAGES = 300
const PAGE_BYTES = 4096
const FORMAT_2 = join(import.meta.dirname, '../fixtures/format2.mdb.gz')
const FORMAT_3 = join(import.meta.dirname, '../fixtures/format3.mdb.gz')
const SUPPORT = join(import.meta.dirname, '../support')
const USE_STORE = join(SUPPORT, 'useStore.mjs')

/** A store that the last version of format 2 wrote: a dump, edits, hidden parts, an account, a token, a file. */
const recordedStore = (): string => storeOf(FORMAT_2)

function storeOf(fixture: string): string {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'store'))
  writeFileSync(join(dataDir, 'store/data.mdb'), gunzipSync(readFileSync(fixture)))
  return dataDir
}

interface MadeStore {
  readonly dataDir: string
  readonly digest: string
}

let made: MadeStore
/** How many steps the upgrade of that store has. */
let steps: number
beforeAll(async () => {
  made = await makeStore()
  steps = await countSteps()
})

/** A copy of the store that `makeStore` made, or of another one. */
function madeStore(original = made, dataDir = temporaryFolder()): MadeStore {
  cpSync(original.dataDir, dataDir, { recursive: true })
  return { ...original, dataDir }
}

/** A store of today with all kinds of rows, pages of a dump among them, as format 2 has it; and its digest of today. */
async function makeStore(): Promise<MadeStore> {
  const dataDir = folderOfFile()
  const dump = join(dataDir, 'dump.xml')
  const revisions = (page: number) =>
    [0, 1, 2].map((n) => ({
      id: 3 * page + n + 1,
      text: `page ${page}\n`.repeat(20 + n),
      comment: `edit ${n}`,
    }))
  writeFileSync(
    dump,
    dumpXml(
      Array.from({ length: PAGES }, (_, n) => ({ id: n + 1, title: `Page ${n}`, revisions: revisions(n) })),
    ),
  )
  await importInto(dataDir, [dump])
  const store = Store.open(dataDir)
  const applier = new DumpApplier(store)
  const edit = {
    editor: { id: null, name: '192.0.2.1' },
    comment: 'c',
    minor: false,
    contentModel: 'wikitext',
  }
  const head = () => ({ id: randomEntryId(), time: START + 1e6 })
  const created = applier.submit({
    kind: 'create',
    ...head(),
    ...edit,
    namespace: 4,
    dbkey: 'Here',
    text: 'made here',
  })
  applier.submit({ kind: 'edit', ...head(), ...edit, pageId: 1, baseRevisionId: 3, text: 'edited here' })
  expect(created.result).toBe('saved')
  applyChange(applier, { kind: 'hide', revisionId: 2, comment: true }, START + 5)
  applyChange(applier, { kind: 'hide', revisionId: 1, user: true }, START + 9)
  applyChange(applier, { kind: 'hide', revisionId: 4, text: true }, START + 7)
  applyChange(applier, { kind: 'user', action: 'create', name: 'Ben', passwordHash: null, groups: ['bot'] })
  applier.submit(fileEntry('Moon.png', facts()))
  const digest = digestStore(store)
  await store.close()
  await makeFormat2(dataDir)
  return { dataDir, digest }
}

const upgrade = (dataDir: string, ...flags: string[]) =>
  runHosted(['upgrade', '--data-dir', dataDir, ...flags])

/** An upgrade that gets a signal just before one of its steps; undefined: it goes on to its end. See signalAtStep.mjs. */
function upgradeWith(dataDir: string, signal: NodeJS.Signals, step: number | undefined, stepsFile = ''): Run {
  const variables = [`STEP=${step ?? ''}`, `SIGNAL=${signal}`, `STEPS=${stepsFile}`]
  const starter = ['env', `NODE_OPTIONS=--import=${join(SUPPORT, 'signalAtStep.mjs')}`, ...variables]
  return runUnder(starter, 'upgrade', '--data-dir', dataDir)
}

async function countSteps(): Promise<number> {
  const { dataDir } = madeStore(made, folderOfFile())
  const stepsFile = join(dataDir, 'steps')
  expect(await upgradeWith(dataDir, 'SIGKILL', undefined, stepsFile).exit).toBe(0)
  return Number(readFileSync(stepsFile, 'utf8'))
}

const setFormat = (dataDir: string, format: number): Promise<void> =>
  changeRows(dataDir, 'meta', ({ put }) => put(Buffer.from('format'), Buffer.from(String(format))))

describe('a store of format 2', () => {
  test.each(['serve', 'stats', 'verify', 'reindex'])(
    'is refused by %s, which names the command',
    (command) => {
      const dataDir = recordedStore()
      expect(runHosted([command, '--data-dir', dataDir])).toEqual({
        status: 1,
        out: '',
        err:
          `palimpsest: the store in ${dataDir} is of format 2, this version reads format 4: ` +
          `convert it with "palimpsest upgrade --data-dir ${dataDir}"\n`,
      })
    },
  )

  test('is upgraded as the last version of that format wrote it', () => {
    const dataDir = recordedStore()
    expect(upgrade(dataDir)).toEqual({
      status: 0,
      out: expect.stringMatching(
        /^converting: needs up to \d+ MiB of room\n4 pages and 8 revisions are converted and verified\nthe store in \S+ is upgraded\n$/,
      ) as string,
      err: '',
    })
    expect(readdirSync(join(dataDir, 'store')).sort()).toEqual(['data.mdb', 'lock.mdb'])
    const store = openFolder(dataDir)
    expect(problems(store)).toEqual([])
    expect(source(store, 'Moon')).toBe('The moon is near.')
    expect(history(store, 1).map(({ id, user, comment }) => ({ id, user, comment }))).toEqual([
      { id: 1, user: { id: 7, name: 'Ann' }, comment: 'edit 1' },
      { id: 2, user: null, comment: 'edit 2' },
      { id: 3, user: { id: 7, name: 'Ann' }, comment: 'edit 3' },
      { id: 7, user: { id: null, name: '192.0.2.9' }, comment: 'made here' },
      { id: 8, user: { id: null, name: '192.0.2.9' }, comment: 'made here' },
    ])
    expect([1, 2, 3, 6, 7, 8].filter((id) => store.getRevision(id)!.madeHere)).toEqual([6, 7, 8])
    expect([store.hidingTime(1), store.hidingTime(4)]).toEqual([START + 1e6 + 9, 0])
    expect(store.accounts.getUserByName('Ben')).toMatchObject({ id: 8, groups: ['sysop'] })
    expect(store.accounts.listTokens()).toHaveLength(1)
    expect(store.getFile('Moon.png')).toMatchObject({ sizeBytes: 10 })
    expect(store.search.condition()).toBe('ready')
    const again = upgrade(dataDir)
    expect(again).toEqual({ status: 0, out: `the store in ${dataDir} needs no upgrade\n`, err: '' })
  })

  test('is the same afterwards as a store that never was of format 2', () => {
    const { dataDir, digest } = madeStore()
    expect(upgrade(dataDir)).toMatchObject({ status: 0, err: '' })
    const store = openFolder(dataDir)
    expect(problems(store)).toEqual([])
    expect(digestStore(store)).toBe(digest)
    expect(store.search.countQueued()).toBe(0)
  })

  test(`is whole, old or new, at whichever of its steps the upgrade is killed (${KILLS} of them)`, async () => {
    expect(steps).toBeGreaterThan(KILLS)
    const random = randomNumbers(7)
    let partial = 0
    for (let round = 0; round < KILLS; round++) {
      const { dataDir, digest } = madeStore()
      const step = 1 + Math.floor(((round + random()) * steps) / KILLS)
      const { child, exit } = upgradeWith(dataDir, 'SIGKILL', step)
      await exit
      expect(child.signalCode, `step ${step} of ${steps}`).toBe('SIGKILL')
      if (existsSync(join(dataDir, 'store/upgrade'))) partial++
      expect(upgrade(dataDir), `after step ${step} of ${steps}`).toMatchObject({ status: 0, err: '' })
      expect(readdirSync(join(dataDir, 'store')).sort()).toEqual(['data.mdb', 'lock.mdb'])
      const store = Store.open(dataDir)
      expect(digestStore(store)).toBe(digest)
      await store.close()
    }
    // Before and after these steps the store is the old one or the new one.
    expect(partial).toBeGreaterThan(KILLS / 2)
  })
})

describe('a store of format 3', () => {
  /** The store that `makeStore` made, before it became one of format 2. */
  let chained: MadeStore
  beforeAll(async () => {
    chained = madeStore(made, folderOfFile())
    expect(upgrade(chained.dataDir)).toMatchObject({ status: 0 })
    await makeFormat3(chained.dataDir)
  })

  const chainedStore = (): MadeStore => madeStore(chained)

  test('is refused by other commands, which name the one to run', () => {
    const dataDir = storeOf(FORMAT_3)
    expect(runHosted(['stats', '--data-dir', dataDir]).err).toBe(
      `palimpsest: the store in ${dataDir} is of format 3, this version reads format 4: ` +
        `convert it with "palimpsest upgrade --data-dir ${dataDir}"\n`,
    )
  })

  test('is upgraded in place, as version 0.2.0 wrote it', async () => {
    const dataDir = storeOf(FORMAT_3)
    expect(upgrade(dataDir)).toEqual({
      status: 0,
      out: `3 entries of the log are chained again\nthe store in ${dataDir} is upgraded\n`,
      err: '',
    })
    const store = Store.open(dataDir)
    expect(problems(store)).toEqual([])
    expect(store.search.condition()).toBe('ready')
    await store.close()
    expect(upgrade(dataDir).out).toBe(`the store in ${dataDir} needs no upgrade\n`)
  })

  test('is the same afterwards as a store that never was of format 3, with its index', () => {
    const { dataDir, digest } = chainedStore()
    expect(upgrade(dataDir)).toMatchObject({ status: 0, err: '' })
    const store = openFolder(dataDir)
    expect(problems(store)).toEqual([])
    expect(digestStore(store)).toBe(digest)
  })

  test('is old or new, whichever step the upgrade is killed at', async () => {
    const stepsFile = join(temporaryFolder(), 'steps')
    const whole = chainedStore()
    expect(await upgradeWith(whole.dataDir, 'SIGKILL', undefined, stepsFile).exit).toBe(0)
    const count = Number(readFileSync(stepsFile, 'utf8'))
    expect(count).toBeGreaterThan(0)
    for (let step = 1; step <= count; step++) {
      const { dataDir, digest } = chainedStore()
      const { child, exit } = upgradeWith(dataDir, 'SIGKILL', step)
      await exit
      expect(child.signalCode, `step ${step} of ${count}`).toBe('SIGKILL')
      expect(upgrade(dataDir)).toMatchObject({ status: 0, err: '' })
      const store = Store.open(dataDir)
      expect(digestStore(store)).toBe(digest)
      await store.close()
    }
  })

  test('whose log was changed stays as it is, unless that is accepted', async () => {
    const { dataDir } = chainedStore()
    await changeRows(dataDir, 'meta', ({ put }) => {
      const key = Buffer.from('position')
      const row = Buffer.from(JSON.stringify({ sequence: 1, digest: 'f'.repeat(64) }))
      put(key, sealed(hashBytes(tableHash('meta'), key, 0, key.length), row))
    })
    const before = readFileSync(join(dataDir, 'store/data.mdb'))
    expect(upgrade(dataDir)).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^log: \d+ entries, but the position says 1$/m) as string,
      err: expect.stringContaining('--accept-problems') as string,
    })
    expect(readFileSync(join(dataDir, 'store/data.mdb')).equals(before)).toBe(true)
    expect(upgrade(dataDir, '--accept-problems')).toMatchObject({ status: 0 })
    expect(problems(openFolder(dataDir))).toEqual([])
  })
})

describe('an upgrade is refused', () => {
  test('while another process uses the store', async () => {
    const dataDir = recordedStore()
    const user = runProgram(process.execPath, USE_STORE, join(dataDir, 'store'))
    await user.printed(/open/)
    expect(upgrade(dataDir)).toEqual({
      status: 1,
      out: '',
      err: `palimpsest: process ${user.child.pid} uses the store in ${join(dataDir, 'store')}: end it first\n`,
    })
    user.child.kill('SIGKILL')
    await user.exit
    expect(upgrade(dataDir)).toMatchObject({ status: 0 })
  })

  test('when a process begins to use the store before the new one is in place', async () => {
    const { dataDir } = madeStore()
    const upgrading = upgradeWith(dataDir, 'SIGSTOP', Math.floor(steps / 2))
    await whenStopped(upgrading.child.pid!)
    const user = runProgram(process.execPath, USE_STORE, join(dataDir, 'store'))
    await user.printed(/open/)
    upgrading.child.kill('SIGCONT')
    expect(await upgrading.exit).toBe(1)
    expect(upgrading.output.stderr).toMatch(/process \d+ uses the store/)
    expect(existsSync(join(dataDir, 'store/upgrade'))).toBe(false)
    user.child.kill('SIGKILL')
    await user.exit
    expect(upgrade(dataDir)).toMatchObject({ status: 0 })
  })

  test('when the rows of the old store contradict each other, unless that is accepted', async () => {
    const dataDir = recordedStore()
    await changeRows(dataDir, 'text', ({ rows, put }) => {
      const last = rows.at(-1)!
      put(last.key, Buffer.concat([last.value.subarray(0, -1), Buffer.from('?')]))
    })
    const before = readFileSync(join(dataDir, 'store/data.mdb'))
    const refused = upgrade(dataDir)
    expect(refused).toMatchObject({
      status: 1,
      err: expect.stringMatching(/\(problems: \d+\), so the old one stays: .* --accept-problems/) as string,
    })
    expect(refused.out).toMatch(/^page \d+ .*revision \d+/m)
    expect(readFileSync(join(dataDir, 'store/data.mdb')).equals(before)).toBe(true)
    expect(upgrade(dataDir, '--accept-problems')).toMatchObject({ status: 0 })
    expect(problems(openFolder(dataDir))).not.toEqual([])
  })

  test('when a page of the old file is damaged', () => {
    const { dataDir } = madeStore()
    const path = join(dataDir, 'store/data.mdb')
    const bytes = readFileSync(path)
    // The kind of all pages with a text, those in use among them.
    for (let at = 2 * PAGE_BYTES; at < bytes.length; at += PAGE_BYTES) {
      if (bytes.subarray(at, at + PAGE_BYTES).includes('page 150\\npage 150'))
        bytes.writeUInt16LE(0x40, at + 18)
    }
    writeFileSync(path, bytes)
    expect(upgrade(dataDir)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/damaged: .*restore/) as string,
    })
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  test.each([
    [1, 'import the dump again into a new folder'],
    [5, 'a newer version of palimpsest wrote it'],
  ])('for format %i', async (format, advice) => {
    const dataDir = recordedStore()
    await setFormat(dataDir, format)
    const expected = {
      status: 1,
      out: '',
      err: expect.stringContaining(
        `palimpsest: the store in ${dataDir} is of format ${format}, this version reads format 4: ${advice}`,
      ) as string,
    }
    expect(upgrade(dataDir)).toEqual(expected)
    expect(runHosted(['stats', '--data-dir', dataDir])).toEqual(expected)
  })

  test.runIf(canMount)(`where the disk has no room for a second store (${NEEDS_MOUNT})`, async () => {
    const dataDir = recordedStore()
    const disk = temporaryFolder()
    // The copy is on a disk of its own, and the shell looks at it at the end.
    const script =
      'cp -r "$1/." "$2"; shift 2; status=0; "$@" || status=$?; ls "$DISK/store"; cmp "$DISK/store/data.mdb" "$OLD"; exit $status'
    const command = [process.execPath, COMMAND, 'upgrade', '--data-dir', disk]
    const env = ['env', `DISK=${disk}`, `OLD=${join(dataDir, 'store/data.mdb')}`]
    const shell = [...env, 'sh', '-ec', script, 'sh', dataDir, disk, ...command]
    const { exit, output } = runProgram(...withSmallDisk(disk, 32 * 2 ** 20, shell))
    expect(await exit).toBe(1)
    expect(output.stderr).toMatch(
      new RegExp(
        `^palimpsest: the upgrade needs up to \\d+ MiB of room beside ${disk}/store, which has \\d+ MiB\n$`,
      ),
    )
    expect(output.stdout).toBe('data.mdb\nlock.mdb\n')
  })

  test('where there is no store', () => {
    const folder = temporaryFolder()
    const err = `palimpsest: there is no wiki in ${folder}: import one with "palimpsest import --data-dir ${folder} DUMP"\n`
    expect(upgrade(folder)).toEqual({ status: 1, out: '', err })
  })
})
