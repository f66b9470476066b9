/** The contract of a shared log, on any engine. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RecordBatch } from '../../src/log/logEngine.js'
import { EntryRefusedError, recordOf, type SharedLog } from '../../src/log/sharedLog.js'
import { encodeEntry, type Entry } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import { LOG_START } from '../../src/storage/tables/meta.js'
import type { LogMark } from '../../src/storage/entries/logReader.js'
import { START } from '../support/store.js'

/** An empty log, and a store that applies it. */
export interface LogUnderTest {
  readonly log: SharedLog
  /** Applies what the log has, and returns what the store has applied last. */
  readonly applied: () => Promise<LogMark>
  /** Adds an entry in another way: in another thread, or on another machine. */
  readonly addElsewhere: (entry: Entry) => Promise<void>
  /** Removes the entries before a position. */
  readonly cut: (first: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** An entry that makes an account. */
export const account = (name: string): Entry => ({
  kind: 'user',
  action: 'create',
  id: randomEntryId(),
  time: START,
  name,
  passwordHash: null,
  groups: [],
})

const NAMES = ['Ann', 'Bob', 'Cleo']

/** Adds entries. */
export const append = async (log: SharedLog, entries: readonly Entry[]): Promise<readonly number[]> =>
  log.append(entries.map(recordOf))

async function take(batches: AsyncIterable<RecordBatch>, count: number): Promise<object[]> {
  const taken: object[] = []
  for await (const { records, last } of batches) {
    taken.push(...records.map(({ sequence, bytes }) => ({ sequence, bytes })))
    if (records.length > 0) expect(last).toBeGreaterThanOrEqual(records.at(-1)!.sequence)
    if (taken.length >= count) break
  }
  return taken.slice(0, count)
}

const placed = (first: number, entries: readonly Entry[]): object[] =>
  entries.map((entry, n) => ({ sequence: first + n, bytes: encodeEntry(entry) }))

/** `skip`: why there is nothing to run. */
export function describeLog(name: string, make: () => Promise<LogUnderTest>, { skip = false } = {}): void {
  async function open(): Promise<LogUnderTest> {
    const opened = await make()
    onTestFinished(async () => {
      await opened.log.close()
      await opened.close()
    })
    return opened
  }

  async function threeEntries(): Promise<LogUnderTest & { readonly marks: readonly LogMark[] }> {
    const opened = await open()
    const marks: LogMark[] = [await opened.applied()]
    for (const each of NAMES) {
      await append(opened.log, [account(each)])
      marks.push(await opened.applied())
    }
    return { ...opened, marks }
  }

  describe.skipIf(skip)(`${name}: a log`, () => {
    test('is empty at first', async () => {
      const { log } = await open()
      expect(await log.bounds()).toEqual({ first: 1, last: 0 })
      expect(await log.compare(LOG_START)).toMatchObject({ state: 'same' })
    })

    test('gives each entry the next position, and the same entry the same one', async () => {
      const { log } = await open()
      const [ann, bob, cleo] = NAMES.map(account) as [Entry, Entry, Entry]
      expect(await append(log, [ann])).toEqual([1])
      expect(await append(log, [bob, cleo])).toEqual([2, 3])
      expect(await append(log, [ann])).toEqual([1])
      expect(await append(log, [cleo, bob])).toEqual([3, 2])
      expect(await append(log, [])).toEqual([])
      expect(await log.bounds()).toEqual({ first: 1, last: 3 })
    })

    test('refuses what is no entry', async () => {
      const { log } = await open()
      await expect(append(log, [{ ...account('Bob'), id: 'x' }])).rejects.toThrow(EntryRefusedError)
      expect(await log.bounds()).toEqual({ first: 1, last: 0 })
    })

    test('reads from any position on, in order', async () => {
      const { log } = await open()
      const entries = NAMES.map(account)
      for (const entry of entries) await append(log, [entry])
      expect(await take(log.read(0), 3)).toEqual(placed(1, entries))
      expect(await take(log.read(2), 1)).toEqual(placed(3, entries.slice(2)))
    })

    test('a reader at the end gets what is written later, and elsewhere', async () => {
      const { log, addElsewhere } = await open()
      const [ann, bob, cleo] = NAMES.map(account) as [Entry, Entry, Entry]
      await append(log, [ann])
      const next = take(log.read(1), 2)
      await append(log, [bob])
      await addElsewhere(cleo)
      expect(await next).toEqual(placed(2, [bob, cleo]))
    })

    test('ends its readers when it is closed, or their signal says so', async () => {
      const { log } = await open()
      const stop = new AbortController()
      const [first, second] = [take(log.read(0, stop.signal), 1), take(log.read(0), 1)]
      stop.abort()
      expect(await first).toEqual([])
      await log.close()
      await log.close()
      expect(await second).toEqual([])
    })
  })

  describe.skipIf(skip)(`${name}: a log tells a store`, () => {
    test('that it goes through its position, wherever that is', async () => {
      const { log, marks } = await threeEntries()
      for (const mark of marks) expect(await log.compare(mark)).toMatchObject({ state: 'same' })
    })

    test('that it ends before it', async () => {
      const { log, marks } = await threeEntries()
      expect(await log.compare({ ...marks[3]!, sequence: 4 })).toMatchObject({ state: 'behind' })
    })

    test('that it has other entries', async () => {
      const [{ log }, other] = [await threeEntries(), await threeEntries()]
      for (const mark of other.marks.slice(1))
        expect(await log.compare(mark)).toMatchObject({ state: 'forked' })
    })

    test('that what it needs was cut off', async () => {
      const { log, marks, cut } = await threeEntries()
      await cut(3)
      expect(await log.bounds()).toEqual({ first: 3, last: 3 })
      expect(await log.compare(marks[0]!)).toMatchObject({ state: 'truncated' })
      expect(await log.compare(marks[1]!)).toMatchObject({ state: 'truncated' })
      expect(await log.compare(marks[2]!)).toMatchObject({ state: 'same' })
      await expect(take(log.read(1), 1)).rejects.toThrow()
      expect(await take(log.read(2), 1)).toHaveLength(1)
    })
  })
}
