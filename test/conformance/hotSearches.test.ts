/** Ready answers of searches and completions while another process writes: equal to answers made for the request. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Store } from '../../src/storage/store.js'
import { newChange } from '../support/changes.js'
import { startProcess } from '../support/command.js'
import { randomNumbers } from '../support/random.js'
import { DumpApplier } from '../support/store.js'
import { gardenFolder } from './garden.js'

let store: Store
let applier: DumpApplier
let server: string

beforeAll(async () => {
  const dataDir = await gardenFolder()
  server = `http://127.0.0.1:${await startProcess(dataDir, '--no-html')}`
  store = Store.open(dataDir)
  applier = new DumpApplier(store)
})

afterAll(() => store.close())

const WORDS = ['apple', 'banana', 'cherry', 'damson', 'elder', 'apply', 'bananas']
const DBKEYS = ['Apple', 'Apple_pie', 'Banana', 'Cherry', 'Elder', 'Apply', 'Talk_of_apples']

/** Writes a page: mostly its text, sometimes its description, its picture, or a redirect. Returns its dbkey. */
function write(random: () => number): void {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!
  const dbkey = pick(DBKEYS)
  const words = Array.from({ length: 5 + Math.floor(random() * 20) }, () => pick(WORDS)).join(' ')
  const kind = random()
  const text =
    kind < 0.6
      ? words
      : kind < 0.75
        ? `{{Short description|${pick(WORDS)}}} ${words}`
        : kind < 0.85
          ? `[[File:${pick(WORDS)}.png]] ${words}`
          : `#REDIRECT [[${pick(DBKEYS)}]]`
  const page = store.getPage(0, dbkey)
  const target =
    page === undefined
      ? { kind: 'create' as const, namespace: 0, dbkey }
      : { kind: 'edit' as const, pageId: page.pageId, baseRevisionId: page.latestId }
  expect(['saved', 'created', 'unchanged']).toContain(
    applier.submit({ ...newChange(), ...target, text }).result,
  )
}

/** Number of ready answers so far that were found valid after a write. */
async function countRechecked(): Promise<number> {
  const metrics = await (await fetch(`${server}/metrics`)).text()
  return Number(/^palimpsest_hot_answers_total\{[^}]*result="recheck"[^}]*\} (\d+)$/m.exec(metrics)![1])
}

test('equal answers made for the request, after any edit', async () => {
  const random = randomNumbers(31)
  const queries = ['title?q=a', 'title?q=app', 'title?q=ban', 'title?q=talk', 'page?q=apple', 'page?q=app']
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`${server}/v1/search/${path}`)
    expect(response.status).toBe(200)
    return response.text()
  }
  for (let n = 0; n < 150; n++) {
    write(random)
    for (const query of queries) {
      const ready = [await get(query), await get(query)]
      const made = await get(`${query}&made=${n}`)
      expect([n, query, ...ready]).toEqual([n, query, made, made])
    }
  }
})

test('completions stay ready when only texts change', async () => {
  const get = async (): Promise<string> => (await fetch(`${server}/v1/search/title?q=appl`)).text()
  const edit = (text: string): void => {
    const { pageId, latestId } = store.getPage(0, 'Apple')!
    applier.submit({ ...newChange(), kind: 'edit', pageId, baseRevisionId: latestId, text })
  }
  edit('round')
  for (let n = 0; n < 3; n++) await get()
  const before = await countRechecked()
  for (let n = 0; n < 10; n++) {
    edit(`round ${n}`)
    expect(await get()).toContain('"Apple"')
  }
  expect((await countRechecked()) - before).toBe(10)
})
