/** `palimpsest erase` and `palimpsest log`: over a real store, killed at any step, and beside a server. */
// @module-tag slow
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasErasures } from '../../src/storage/erase/eraser.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { Store } from '../../src/storage/store.js'
import { applyChange } from '../support/administration.js'
import { folderOfFile } from '../support/cleanUp.js'
import { NO_HTML, type Run, runHosted, runUnder, startProcess } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { rounds } from '../support/effort.js'
import { wordsIn } from '../support/rawFile.js'
import { DumpApplier, importInto, openFolder, problems, START, temporaryFolder } from '../support/store.js'

const KILLS = rounds(40, 8)
const PAGES = 60
const WORDS = ['Kryptonnebel', 'Heimlichkeit', 'Wortungetüm', 'Nachtgestalt'] as const

let made: string
beforeAll(async () => {
  made = await makeWiki()
})

function wiki(): string {
  const dataDir = temporaryFolder()
  cpSync(made, dataDir, { recursive: true })
  return dataDir
}

/** Pages of a dump, and edits made here, one with words in its title, text, comment and editor's name. */
async function makeWiki(): Promise<string> {
  const dataDir = folderOfFile()
  const dump = join(dataDir, 'dump.xml')
  const pages = Array.from({ length: PAGES }, (_, n) => ({
    id: n + 1,
    title: `Page ${n}`,
    revisions: [{ id: n + 1, text: `page ${n}\n`.repeat(30) }],
  }))
  writeFileSync(dump, dumpXml(pages))
  await importInto(dataDir, [dump])
  const store = Store.open(dataDir)
  const applier = new DumpApplier(store)
  applyChange(applier, { kind: 'user', action: 'create', name: WORDS[3], passwordHash: null, groups: [] })
  const facts = { comment: WORDS[1], minor: false, contentModel: 'wikitext' }
  const head = () => ({ id: randomEntryId(), time: START + 1e6 })
  const editor = { id: 2, name: WORDS[3] }
  applier.submit({
    kind: 'create',
    ...head(),
    ...facts,
    editor,
    namespace: 0,
    dbkey: WORDS[0],
    text: WORDS[2],
  })
  for (let n = 0; n < 5; n++) {
    const edit = { baseRevisionId: PAGES + 1 + n, text: `${WORDS[2]} ${n}`.repeat(40), pageId: PAGES + 1 }
    applier.submit({ kind: 'edit', ...head(), ...facts, editor, ...edit })
  }
  expect(store.counters().nextRevisionId).toBe(PAGES + 7)
  await store.close()
  return dataDir
}

const erase = (dataDir: string, ...flags: string[]) => runHosted(['erase', '--data-dir', dataDir, ...flags])

/** An erasure that gets SIGKILL just before one of its steps; undefined: it goes on to its end. */
function eraseKilled(
  dataDir: string,
  flags: readonly string[],
  step: number | undefined,
  stepsFile = '',
): Run {
  const support = join(import.meta.dirname, '../support/signalAtStep.mjs')
  const variables = [`STEP=${step ?? ''}`, 'SIGNAL=SIGKILL', `STEPS=${stepsFile}`]
  const starter = ['env', `NODE_OPTIONS=--import=${support}`, ...variables]
  return runUnder(starter, 'erase', '--data-dir', dataDir, ...flags)
}

describe('palimpsest erase', () => {
  test('says what goes, and erases a page: its words are nowhere in the folder', () => {
    const dataDir = wiki()
    const words = WORDS.slice(0, 3)
    expect(wordsIn(dataDir, words)).toEqual(words)
    expect(erase(dataDir, '--page', WORDS[0])).toMatchObject({ status: 1, err: /add --yes/ })
    expect(wordsIn(dataDir, words)).toEqual(words)
    expect(erase(dataDir, '--page', WORDS[0], '--yes')).toEqual({
      status: 0,
      out: `page ${PAGES + 1}, "${WORDS[0]}": 6 revisions with texts and comments, the title and its protection\nerased\n`,
      err: '',
    })
    expect(wordsIn(dataDir, words)).toEqual([])
    expect(problems(openFolder(dataDir))).toEqual([])
  })

  test('erases texts alone, comments alone, and a name', () => {
    const dataDir = wiki()
    const ids = Array.from({ length: 6 }, (_, n) => String(PAGES + 1 + n))
    expect(erase(dataDir, '--revision', ...ids, '--text', '--yes').status).toBe(0)
    expect(wordsIn(dataDir, WORDS)).toEqual([WORDS[0], WORDS[1], WORDS[3]])
    expect(erase(dataDir, '--revision', ...ids, '--yes')).toMatchObject({ status: 0, err: '' })
    expect(wordsIn(dataDir, WORDS)).toEqual([WORDS[0], WORDS[3]])
    expect(erase(dataDir, '--user', WORDS[3], '--yes').out).toMatch(/the account with its tokens/)
    expect(wordsIn(dataDir, WORDS)).toEqual([WORDS[0]])
    expect(erase(dataDir, '--page-id', String(PAGES + 1), '--yes').status).toBe(0)
    expect(wordsIn(dataDir, WORDS)).toEqual([])
    expect(erase(dataDir)).toEqual({ status: 0, out: 'nothing is left to erase\n', err: '' })
    const into = temporaryFolder()
    const dump = join(dataDir, 'dump.xml')
    const replayed = runHosted(['replay', '--data-dir', dataDir, '--into', into, dump])
    expect(replayed).toMatchObject({
      status: 0,
      out: expect.stringContaining('the stores are equal') as string,
    })
  })

  test.each([
    [['--page', 'Nowhere'], 'there is no page "Nowhere"'],
    [['--page-id', '999'], 'there is no page with the id 999'],
    [['--revision', '3', '999'], 'there is no revision 999, and nothing was erased'],
    [['--user', 'Nobody'], 'nobody has the name "Nobody"'],
  ])('refuses %j', (flags, message) => {
    expect(erase(made, ...flags, '--yes')).toEqual({ status: 1, out: '', err: `palimpsest: ${message}\n` })
  })

  test.each([
    [['--page', 'A', '--user', 'B'], /only one of/],
    [['--page', 'A', '--text'], /go with --revision/],
    [['--revision', '0'], /whole number from 1/],
  ])('refuses the flags %j', (flags, message) => {
    expect(erase(made, ...flags)).toMatchObject({ status: 1, err: message })
  })

  test.each([
    ['a page', ['--page', WORDS[0], '--yes'], WORDS.slice(0, 3)],
    ['a user', ['--user', WORDS[3], '--yes'], [WORDS[3]]],
  ])(
    `of %s, killed at any step, is finished by the next one (${KILLS} kills)`,
    async (_what, flags, words) => {
      const whole = wiki()
      const stepsFile = join(whole, 'steps')
      expect(await eraseKilled(whole, flags, undefined, stepsFile).exit).toBe(0)
      const steps = Number(readFileSync(stepsFile, 'utf8'))
      expect(steps).toBeGreaterThan(KILLS)
      const store = Store.open(whole)
      const counters = store.counters()
      await store.close()
      for (let round = 0; round < KILLS; round++) {
        const dataDir = wiki()
        const step = 1 + Math.floor(((round + 0.5) * steps) / KILLS)
        const { child, exit } = eraseKilled(dataDir, flags, step)
        await exit
        expect(child.signalCode, `step ${step} of ${steps}`).toBe('SIGKILL')
        // Before its first entry, the erasure has to be asked for again.
        if (wordsIn(dataDir, words).length > 0 && /nothing is left/.test(erase(dataDir).out))
          expect(erase(dataDir, ...flags).status).toBe(0)
        expect(wordsIn(dataDir, words), `step ${step} of ${steps}`).toEqual([])
        const after = Store.open(dataDir)
        expect(problems(after)).toEqual([])
        expect(after.counters()).toEqual(counters)
        await after.close()
      }
    },
  )
})

test('a server shows the page no more, and finishes what a killed command left', async () => {
  const dataDir = wiki()
  const port = await startProcess(dataDir, NO_HTML)
  const get = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/v1${path}`)).status
  const paths = [`/page/${WORDS[0]}`, `/page/${WORDS[0]}/history`, `/revision/${PAGES + 1}`]
  expect(await Promise.all(paths.map(get))).toEqual([200, 200, 200])
  expect(await get('/page/Page_1')).toBe(200)
  const store = openFolder(dataDir)
  // As a command that is killed after its first transaction.
  applyChange(new DumpApplier(store), { kind: 'erase', action: 'page', pageId: PAGES + 1 })
  expect(await Promise.all(paths.map(get))).toEqual([404, 404, 404])
  expect(await get('/page/Page_1')).toBe(200)
  expect(hasErasures(store)).toBe(true)
  while (hasErasures(store)) {
    await nextTurn()
    store.refresh()
  }
  expect(wordsIn(dataDir, WORDS.slice(0, 3))).toEqual([])
  expect(problems(store)).toEqual([])
})

describe('palimpsest log', () => {
  const log = (dataDir: string, ...words: string[]) => runHosted(['log', ...words, '--data-dir', dataDir])

  test('shows one line an entry, redacted ones too', () => {
    const dataDir = wiki()
    expect(erase(dataDir, '--revision', String(PAGES + 2), '--yes').status).toBe(0)
    const { out, status } = log(dataDir, 'show')
    expect(status).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines[3]).toMatch(/^4 {2}2020-.*Z {2}user {2}create Nachtgestalt {2}account$/)
    expect(lines[4]).toMatch(
      /^5 {2}.* {2}create {2}"Kryptonnebel" by Nachtgestalt {2}saved as revision 61 of page 61$/,
    )
    expect(lines[5]).toMatch(/^6 {2}.* {2}edit {2}page 61 by .* {2}\(redacted\)$/)
    expect(lines.at(-1)).toMatch(/ {2}erase {2}revisions {2}erased$/)
    expect(log(dataDir, 'show', '--after', '4').out).toBe(`${lines.slice(4).join('\n')}\n`)
    const objects = log(dataDir, 'show', '--json', '--after', '4').out.trimEnd().split('\n')
    expect(JSON.parse(objects[0]!)).toMatchObject({
      sequence: 5,
      kind: 'create',
      redacted: false,
      textBytes: 12,
    })
    expect(JSON.parse(objects[1]!)).toMatchObject({
      sequence: 6,
      redacted: true,
      lostText: { sizeBytes: 560 },
    })
  })

  test('is cut before an entry or a day: the rest still proves itself, and no entry comes twice', async () => {
    const dataDir = wiki()
    const before = Store.open(dataDir)
    const { sequence, digest } = before.position()
    const entry = before.log.getEntry(5)!
    await before.close()
    expect(log(dataDir, 'cut', '--before', '6').out).toBe(
      '5 entries are cut off the log: it begins at entry 6\n',
    )
    expect(log(dataDir, 'cut', '--before', '6').out).toBe(
      '0 entries are cut off the log: it begins at entry 6\n',
    )
    const store = Store.open(dataDir)
    expect(problems(store)).toEqual([])
    expect(store.position()).toEqual({ sequence, digest })
    expect(store.log.bounds()).toEqual({ first: 6, last: sequence })
    expect(new DumpApplier(store).submit(entry as never)).toMatchObject({ result: 'saved', revisionId: 61 })
    expect(store.position().sequence).toBe(sequence)
    await store.close()
    const replayed = runHosted(['replay', '--data-dir', dataDir, '--into', temporaryFolder()])
    expect(replayed).toMatchObject({ status: 1, err: expect.stringContaining('begins at entry 6') as string })
    expect(log(dataDir, 'cut', '--before', '2999-01-01').out).toMatch(/: it is empty\n$/)
    expect(runHosted(['verify', '--data-dir', dataDir])).toMatchObject({ status: 0 })
    expect(log(dataDir, 'cut', '--before', '99')).toMatchObject({ status: 1, err: /the log ends at entry/ })
  })
})
