/**
 * Turns bits of a store's file one by one, each in a fresh copy, reads all answers of the store and verifies it. A line of
 * JSON for each: how often an answer was another one (`wrong`), nothing (`missing`), or an error, and how many problems were found.
 *
 *     node flips.mjs STORE SCRATCH EXPECTED FLIPS        FLIPS: JSON of [number, byte, bit]s
 *     node flips.mjs STORE SCRATCH - FLIPS               only opens the store, and reads what a server reads at its start
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs'
import { join } from 'node:path'
import { findDamagedPages, Store, verifyStore } from '../../dist/.test/modules.js'

const NOTHING_EXPECTED = '-'
const [, , sound, scratch, expectedFile, flips] = process.argv

const sha = (bytes) => createHash('sha1').update(bytes).digest('hex')
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`)

/** All reads, by name: what each gives as a text, or undefined. */
function* reads(store, { titles, revisions }) {
  for (const [namespace, dbkey] of titles) {
    yield [`page ${namespace}:${dbkey}`, () => store.getPage(namespace, dbkey)?.source.toString()]
  }
  for (let id = 1; id <= titles.length; id++) {
    const list = () => store.listRevisions(id, { limit: 100 }).revisions.map(String).join()
    yield [`history ${id}`, list]
    const minor = () => store.listRevisions(id, { limit: 100, filter: 'minor' }).revisions.map(String).join()
    yield [`minor ${id}`, minor]
    yield [`counts ${id}`, () => JSON.stringify(store.pageCounts(id))]
  }
  for (const id of revisions) {
    yield [`revision ${id}`, () => store.getRevision(id)?.json.toString()]
    yield [`text ${id}`, () => store.getText(id)]
  }
  for (const text of ['moon', 'page store', 'wiki', 'server']) {
    const query = () => store.search.parse({ text, limit: 20, namespaces: [0] })
    yield [`search ${text}`, () => store.search.answer(query(), 20)]
    yield [`titles ${text}`, () => store.search.complete({ text, limit: 20, namespaces: [0] })]
  }
}

function readAll(store, names, visit) {
  for (const [name, read] of reads(store, names)) {
    let answer
    try {
      const text = read()
      answer = text === undefined || text === '' ? 'nothing' : sha(text)
    } catch (error) {
      answer = `error ${error.name}`
    }
    visit(name, answer)
  }
}

/** What a server reads before it looks for damaged pages. */
function readAtStart(store) {
  const counts = { wrong: [], missing: [], errors: 0 }
  for (const read of [
    () => store.site(),
    () => store.interwiki(),
    () => store.log.membership(),
    () => store.mirror.place(),
    () => store.search.condition(),
    () => store.search.countQueued(),
  ]) {
    try {
      read()
    } catch (error) {
      if (error.name === 'DamagedRowError') counts.errors++
      else counts.wrong.push(`${error.name}: ${error.message}`)
    }
  }
  return counts
}

/** Names of the errors that tell an operator what to do. */
const TOLD = ['DamagedFileError', 'DamagedRowError', 'StoreError']

if (flips === undefined) {
  const store = Store.open(sound)
  const titles = [...store.tables.title.getKeys({ start: undefined })]
  const names = { titles, revisions: [...store.tables.rev.getKeys({ start: undefined })] }
  const answers = {}
  readAll(store, names, (name, answer) => (answers[name] = answer))
  writeFileSync(expectedFile, JSON.stringify({ names, answers }))
  await store.close()
} else {
  const onlyOpens = expectedFile === NOTHING_EXPECTED
  const { names, answers } = onlyOpens ? {} : JSON.parse(readFileSync(expectedFile, 'utf8'))
  for (const [number, byte, bit] of JSON.parse(flips)) {
    const folder = join(scratch, String(number))
    cpSync(sound, folder, { recursive: true })
    const descriptor = openSync(join(folder, 'store/data.mdb'), 'r+')
    const bytes = Buffer.alloc(1)
    readSync(descriptor, bytes, 0, 1, byte)
    writeSync(descriptor, Buffer.from([bytes[0] ^ (1 << bit)]), 0, 1, byte)
    closeSync(descriptor)
    const counts = { wrong: [], missing: [], errors: 0 }
    say({ number, begins: 'reads' })
    let problems
    try {
      const store = Store.open(folder)
      if (onlyOpens) {
        say({ number, ...readAtStart(store), problems: 1 })
        await store.close()
        rmSync(folder, { recursive: true })
        continue
      }
      // As a server does after its start.
      store.avoid(findDamagedPages(store.file).ranges)
      readAll(store, names, (name, answer) => {
        if (answer === answers[name]) return
        if (answer.startsWith('error')) counts.errors++
        else if (answer === 'nothing') counts.missing.push(name)
        else counts.wrong.push(name)
      })
      say({ number, ...counts, begins: 'verify' })
      problems = verifyStore(store).problems.length
      await store.close()
    } catch (error) {
      if (onlyOpens && !TOLD.includes(error.name)) counts.wrong.push(`${error.name}: ${error.message}`)
      say({ number, ...counts, refused: error.message })
      problems = 1
    }
    say({ number, problems })
    rmSync(folder, { recursive: true })
  }
}
