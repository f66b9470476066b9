/** No acknowledged edit is lost: by others who edit at the same time, in other processes, nor by a crash. */
// @module-tag kills
import { describe, expect, test } from 'vitest'
import { logKey } from '../../src/storage/entries/logReader.js'
import { readStats } from '../../src/storage/stats.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { ADDRESS, NO_HTML, portOf, run, startProcess } from '../support/command.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { problems, temporaryStore } from '../support/store.js'
import { temporaryFolder } from './garden.js'

interface Answered {
  readonly status: number
  readonly latestId: number
  readonly source: string
}

async function put(port: number, key: string, source: string, baseId?: number): Promise<Answered> {
  const latest = baseId === undefined ? undefined : { id: baseId }
  return ask(port, key, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source, comment: '', token: '+\\', latest }),
  })
}

async function ask(port: number, key: string, options: RequestInit = {}): Promise<Answered> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/page/${key}`, options)
  const body = (await response.json()) as { latest?: { id: number }; source?: string }
  return { status: response.status, latestId: body.latest?.id ?? 0, source: body.source ?? '' }
}

/** Adds a line at the end of a page, again and again until it is in; counts the conflicts on the way. */
async function append(port: number, key: string, line: string): Promise<number> {
  for (let conflicts = 0; ; conflicts++) {
    const page = await ask(port, key)
    const { status } =
      page.status === 404
        ? await put(port, key, line)
        : await put(port, key, `${page.source}\n${line}`, page.latestId)
    if (status === 200 || status === 201) return conflicts
    if (status !== 409) throw new Error(`the edit of ${key} was answered with ${status}`)
  }
}

const CLIENTS = 8

describe(`${CLIENTS} clients over 2 server processes who each add lines to 20 pages`, () => {
  const EDITS = rounds(625, 125)
  const PAGES = 20

  test(`find each of their ${CLIENTS * EDITS} lines exactly once, in histories without gaps`, async () => {
    const dataDir = temporaryFolder()
    const flags = ['--anonymous-edits', NO_HTML]
    const ports = [await startProcess(dataDir, ...flags), await startProcess(dataDir, ...flags)]
    const written = Array.from({ length: PAGES }, () => new Set<string>())
    let conflicts = 0
    const client = async (number: number): Promise<void> => {
      const random = randomNumbers(number)
      for (let n = 0; n < EDITS; n++) {
        const page = Math.floor(random() * PAGES)
        const line = `client ${number} line ${n}`
        conflicts += await append(ports[number % 2]!, `Page_${page}`, line)
        written[page]!.add(line)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))

    const store = Store.open(dataDir)
    try {
      for (const [number, lines] of written.entries()) {
        const { latestId } = store.getPage(0, `Page_${number}`)!
        const stored = store.getText(latestId)!.split('\n')
        expect(stored.toSorted()).toEqual([...lines].toSorted())
        expectNoGaps(store, latestId, stored.length)
      }
      expect(problems(store)).toEqual([])
      expect(replayed(store)).toBe(digestStore(store))
    } finally {
      await store.close()
    }
    // Without conflicts this test would show little.
    expect(conflicts).toBeGreaterThan(0)
  })
})

/** Digest of the store that the log makes of an empty one. */
function replayed(from: Store): string {
  const { store, applier } = temporaryStore()
  for (let n = 1; n <= readStats(from).logEntries; n++) applier.replay(from.tables.log.getBinary(logKey(n))!)
  return digestStore(store)
}

/** As many revisions as lines, each the parent of the next. */
function expectNoGaps(store: Store, latestId: number, lines: number): void {
  let count = 0
  for (let id = latestId; id !== 0; id = store.getRevision(id)!.parentId) count++
  expect(count).toBe(lines)
}

describe('a server that is killed again and again while it is edited', () => {
  const ROUNDS = rounds(50, 12)
  const CLIENTS = 4

  test(`has every edit that it acknowledged, and a sound store, ${ROUNDS} times`, async () => {
    const dataDir = temporaryFolder()
    const random = randomNumbers(50)
    const acknowledged = Array.from({ length: CLIENTS }, () => [] as string[])
    let midway = 0
    for (let round = 0; round < ROUNDS; round++) {
      const server = run('serve', '--data-dir', dataDir, '--port', '0', '--anonymous-edits', NO_HTML)
      const port = portOf(await server.printed(ADDRESS))
      await Promise.all(acknowledged.map((lines, number) => expectAll(port, number, lines)))
      let untilKill = 1 + Math.floor(random() * 8 * CLIENTS)
      const count = (): void => {
        if (--untilKill === 0) server.child.kill('SIGKILL')
      }
      const clients = acknowledged.map((lines, number) => editUntilKilled(port, number, lines, round, count))
      midway += (await Promise.all(clients)).filter((wasMidway) => wasMidway).length
      await server.exit
    }
    const store = Store.open(dataDir)
    try {
      expect(problems(store)).toEqual([])
    } finally {
      await store.close()
    }
    expect(acknowledged.flat().length).toBeGreaterThan(ROUNDS)
    expect(midway).toBeGreaterThan(ROUNDS / 2)
  })
})

/** The lines acknowledged so far are there in their order; one that was under way at the kill may be, too. */
async function expectAll(port: number, client: number, lines: string[]): Promise<void> {
  const { source } = await ask(port, `Client_${client}`)
  const stored = source === '' ? [] : source.split('\n')
  expect(stored.slice(0, lines.length)).toEqual(lines)
  expect(stored.length).toBeLessThanOrEqual(lines.length + 1)
  lines.splice(0, lines.length, ...stored)
}

/**
 * Adds line after line to a page of its own, and calls `count` for each acknowledged line. Returns true if the server
 * ended during an edit.
 */
async function editUntilKilled(
  port: number,
  client: number,
  lines: string[],
  round: number,
  count: () => void,
): Promise<boolean> {
  const key = `Client_${client}`
  let isEditing = false
  try {
    for (let n = 0; ; n++) {
      const line = `round ${round} line ${n}`
      const page = await ask(port, key)
      isEditing = true
      const baseId = page.status === 404 ? undefined : page.latestId
      const { status } = await put(port, key, [...lines, line].join('\n'), baseId)
      isEditing = false
      expect([200, 201]).toContain(status)
      lines.push(line)
      count()
    }
  } catch (error) {
    // What fetch throws when the connection breaks.
    if (!(error instanceof TypeError)) throw error
    return isEditing
  }
}
