/** Ready answers of searches and completions while another process writes: equal to answers made for the request. */
// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { newChange } from '../support/changes.js'
import { startProcess } from '../support/command.js'
import { randomNumbers } from '../support/random.js'
import { DumpApplier } from '../support/store.js'
import { gardenFolder, send } from './garden.js'

let store: Store
let applier: DumpApplier
let port: number

beforeAll(async () => {
  const dataDir = await gardenFolder()
  port = await startProcess(dataDir, '--no-html')
  store = Store.open(dataDir)
  applier = new DumpApplier(store)
})

afterAll(() => store.close())

/** Changes a page's text. */
function edit(dbkey: string, text: string): void {
  const { pageId, latestId } = store.getPage(0, dbkey)!
  const change = { ...newChange(), kind: 'edit' as const, pageId, baseRevisionId: latestId, text }
  expect(applier.submit(change).result).toBe('saved')
}

function create(dbkey: string, text: string): void {
  expect(applier.submit({ ...newChange(), kind: 'create', namespace: 0, dbkey, text }).result).toBe('saved')
}

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

/** The body of an answer. */
async function get(path: string): Promise<string> {
  const { status, bytes } = await send(port, `/v1/search/${path}`, {})
  expect(status).toBe(200)
  return bytes.toString()
}

/** Number of ready answers so far that were found valid after a write. */
async function countRechecked(): Promise<number> {
  const metrics = (await send(port, '/metrics', {})).bytes.toString()
  return Number(/^palimpsest_hot_answers_total\{[^}]*result="recheck"[^}]*\} (\d+)$/m.exec(metrics)![1])
}

test('equal answers made for the request, after any edit', async () => {
  const random = randomNumbers(31)
  const titles = ['a', 'app', 'ban', 'talk'].map((text) => `title?q=${text}`)
  const words = [
    'apple',
    'app',
    'banana -damson',
    'elder ba',
    '"cherry apple"',
    'ele',
    'fig*',
    'bananas talk',
  ]
  const queries = [...titles, ...words.map((text) => `page?q=${encodeURIComponent(text)}`)]
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
  edit('Apple', 'round')
  for (let n = 0; n < 3; n++) await get('title?q=appl')
  const before = await countRechecked()
  for (let n = 0; n < 10; n++) {
    edit('Apple', `round ${n}`)
    expect(await get('title?q=appl')).toContain('"Apple"')
  }
  expect((await countRechecked()) - before).toBe(10)
})

describe('a ready search', () => {
  /** Makes the answer ready, and tells whether it still is after a write. */
  const survives = async (path: string, write: () => void): Promise<boolean> => {
    for (let n = 0; n < 3; n++) await get(path)
    write()
    const before = await countRechecked()
    const answer = await get(path)
    expect(answer).toBe(await get(`${path}&made=${Math.random()}`))
    return (await countRechecked()) > before
  }

  beforeAll(() => {
    create('Quince', 'yellow fruit of autumn')
    create('Medlar', 'brown fruit of winter')
    create('Sloe', 'nothing')
    create('Marmelo', '#REDIRECT [[Nowhere yet]]')
  })

  test.each([
    ['an edit of another page', () => edit('Sloe', 'blue berries on a thorn'), true],
    ['a new page with other words', () => create('Bullace', 'small plums'), true],
    ['an edit of a page that it shows', () => edit('Quince', 'yellow fruit of autumn and gold'), false],
    ['a page that gains a word', () => edit('Sloe', 'blue fruit in autumn'), false],
    ['a page that loses a word', () => edit('Sloe', 'blue berries'), false],
    ['a new page with a word', () => create('Persimmon', 'orange fruit of autumn'), false],
  ])('%s', async (_write, write, expected) => {
    expect(await survives('page?q=autumn+fruit+&limit=5', write)).toBe(expected)
  })

  test('ends when the last word of the query begins a new word', async () => {
    expect(await survives('page?q=fruit+aut', () => edit('Sloe', 'berries in winter'))).toBe(true)
    expect(await survives('page?q=fruit+aut', () => edit('Sloe', 'automatic'))).toBe(false)
  })

  test('ends when a page is created to which a redirect leads', async () => {
    create('Marmelo_tree', 'a tree')
    expect(await survives('page?q=marmelo+', () => create('Unrelated', 'something else'))).toBe(false)
    expect(await get('page?q=marmelo+')).not.toContain('Nowhere')
    expect(await survives('page?q=marmelo+', () => create('Nowhere_yet', 'found now'))).toBe(false)
    expect(await get('page?q=marmelo+')).toContain('"key":"Nowhere_yet"')
  })

  test('ends when a redirect leads elsewhere', async () => {
    expect(await survives('page?q=marmelo+', () => edit('Marmelo', '#REDIRECT [[Medlar]]'))).toBe(false)
    expect(await get('page?q=marmelo+')).toContain('"key":"Medlar"')
  })

  test('survives 256 writes between two requests, and 1,000 in all', async () => {
    const write = (count: number) => (): void => {
      for (let n = 0; n < count; n++) edit('Sloe', `thorns ${n} of ${count}`)
    }
    expect(await survives('page?q=autumn+fruit+&limit=6', write(257))).toBe(false)
    const lived: boolean[] = []
    for (let round = 0; round < 5; round++) {
      if (round === 0) for (let n = 0; n < 3; n++) await get('page?q=yellow+fruit+')
      write(250)()
      const before = await countRechecked()
      await get('page?q=yellow+fruit+')
      lived.push((await countRechecked()) > before)
    }
    expect(lived).toEqual([true, true, true, true, false])
  })

  test('ends with an import, whose pages have no words yet', async () => {
    const later = new Applier(store, { indexLater: true })
    const { pageId, latestId } = store.getPage(0, 'Sloe')!
    const change = { ...newChange(), kind: 'edit' as const, pageId, baseRevisionId: latestId, text: 'thorns' }
    expect(await survives('page?q=autumn+fruit+&limit=7', () => later.submit(change))).toBe(false)
  })
})
