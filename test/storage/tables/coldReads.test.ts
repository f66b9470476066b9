/** Reads of rows that may not be in memory: a thread touches them first. */
import { beforeEach, describe, expect, test } from 'vitest'
import { StoreBusyError } from '../../../src/storage/tables/errors.js'
import { ColdRowError } from '../../../src/storage/tables/coldReads.js'
import { Store } from '../../../src/storage/store.js'
import { afterFile, folderOfFile } from '../../support/cleanUp.js'

const ROWS = 2000
const ALERT_MS = 5000

let store: Store

beforeEach(() => {
  store = Store.open(folderOfFile(), { create: true })
  const opened = store
  afterFile(() => opened.close())
  store.transact(() => {
    for (let id = 1; id <= ROWS; id++) store.tables.text.putSync(id, Buffer.from(`text ${id}`))
  })
})

const readText = (id: number): string | undefined => store.tables.text.getBinaryFast(id)?.toString()

/** Runs a read, and counts its attempts. */
async function run<Result>(
  read: () => Result | Promise<Result>,
): Promise<{ result: Result; attempts: number }> {
  let attempts = 0
  let detached = 0
  const counted = (): Result | Promise<Result> => {
    attempts++
    return read()
  }
  const result = await store.coldReads.run(counted, () => detached++)
  expect(detached).toBe(attempts > 1 ? 1 : 0)
  return { result, attempts }
}

function touchedRows(): number | undefined {
  return store.figures().find(({ name }) => name === 'palimpsest_cold_rows_total')?.values[0]?.value
}

describe('the alert', () => {
  test('begins when the process has waited for the disk, and ends a while after the last wait', () => {
    const { coldReads } = store
    coldReads.look(0, 0)
    expect(coldReads.isAlert).toBe(false)
    coldReads.look(250, 3)
    expect(coldReads.isAlert).toBe(true)
    coldReads.look(250 + ALERT_MS - 1, 3)
    expect(coldReads.isAlert).toBe(true)
    coldReads.look(250 + ALERT_MS, 3)
    expect(coldReads.isAlert).toBe(false)
  })

  test('goes on with each further wait', () => {
    const { coldReads } = store
    coldReads.look(0, 1)
    coldReads.look(ALERT_MS - 1, 2)
    coldReads.look(ALERT_MS + 1000, 2)
    expect(coldReads.isAlert).toBe(true)
  })
})

describe('a read', () => {
  test('waits until a thread has touched its row, once', async () => {
    expect(await run(() => readText(7))).toEqual({ result: 'text 7', attempts: 2 })
    expect(await run(() => readText(7))).toEqual({ result: 'text 7', attempts: 1 })
    expect(touchedRows()).toBe(1)
  })

  test('waits again after the row was not touched for two periods', async () => {
    await run(() => readText(7))
    store.coldReads.look(10_000, 0)
    expect(await run(() => readText(7))).toMatchObject({ attempts: 1 })
    store.coldReads.look(20_000, 0)
    expect(await run(() => readText(7))).toEqual({ result: 'text 7', attempts: 2 })
  })

  test('finds no row where there is none', async () => {
    expect(await run(() => readText(ROWS + 1))).toEqual({ result: undefined, attempts: 2 })
    expect(await run(() => store.tables.text.doesExist(ROWS + 2))).toEqual({ result: false, attempts: 2 })
    expect(await run(() => store.tables.text.doesExist(1))).toEqual({ result: true, attempts: 2 })
    expect(await run(() => store.tables.text.getBinary(2)?.toString())).toEqual({
      result: 'text 2',
      attempts: 2,
    })
  })

  test('of a range waits for its ends', async () => {
    const range = { start: 10, end: 13 }
    const rows = () =>
      [...store.tables.text.getRange(range)].map(({ key, value }) => `${key} ${value.toString()}`)
    expect(await run(rows)).toEqual({ result: ['10 text 10', '11 text 11', '12 text 12'], attempts: 2 })
    expect(await run(() => [...store.tables.text.getKeys(range)])).toEqual({
      result: [10, 11, 12],
      attempts: 1,
    })
    const others = { start: 20, end: 30 }
    expect(await run(() => store.tables.text.getKeysCount(others))).toEqual({ result: 10, attempts: 2 })
  })

  test('of rows of several tables waits for one after the other', async () => {
    store.transact(() => store.tables.title.putSync([0, 'Rose'], Buffer.from('3')))
    const read = () => readText(Number(store.tables.title.getBinaryFast([0, 'Rose'])?.toString()))
    expect(await run(read)).toEqual({ result: 'text 3', attempts: 3 })
  })

  test('may be asynchronous, and fails with its own errors', async () => {
    const later = async (): Promise<string | undefined> => {
      const text = readText(5)
      await Promise.resolve()
      return text
    }
    expect(await run(later)).toEqual({ result: 'text 5', attempts: 2 })
    const failing = (): never => {
      readText(6)
      throw new RangeError('no such page')
    }
    await expect(run(failing)).rejects.toThrow(new RangeError('no such page'))
    expect(() => store.coldReads.run(failing, () => undefined)).toThrow(new RangeError('no such page'))
  })

  test('runs again although it caught the refusal', async () => {
    const careless = (): string => {
      try {
        return readText(8) ?? 'none'
      } catch (error) {
        return (error as Error).name
      }
    }
    expect(await run(careless)).toEqual({ result: 'text 8', attempts: 2 })
  })

  test('of very many rows ends after a bounded number of attempts', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => n + 1)
    const { result, attempts } = await run(() => ids.map(readText))
    expect(result).toEqual(ids.map((id) => `text ${id}`))
    expect(attempts).toBe(26)
  })

  test('that tells its rows before waits for all of them at a time', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => n + 1)
    const read = (): (string | undefined)[] => {
      store.tables.text.expect(() => ids)
      return ids.map(readText)
    }
    expect(await run(read)).toEqual({ result: ids.map((id) => `text ${id}`), attempts: 2 })
  })

  test('is refused while too many wait, and not later', async () => {
    const waiting = Array.from({ length: 1024 }, (_, n) => run(() => readText(n + 1)))
    expect(() =>
      store.coldReads.run(
        () => readText(1500),
        () => undefined,
      ),
    ).toThrow(StoreBusyError)
    const texts = (await Promise.all(waiting)).map(({ result }) => result)
    expect(texts).toEqual(Array.from({ length: 1024 }, (_, n) => `text ${n + 1}`))
    expect(await run(() => readText(1500))).toEqual({ result: 'text 1500', attempts: 2 })
    const refused = store.figures().find(({ name }) => name === 'palimpsest_cold_reads_refused_total')
    expect(refused?.values[0]?.value).toBe(1)
  })
})

test('rows may be told before their reads at any time; without an alert nobody asks which', async () => {
  let asked = 0
  const tell = (): void => store.tables.text.expect(() => (asked++, [1, 2, ROWS + 1]))
  tell()
  expect(asked).toBe(0)
  store.coldReads.look(0, 1)
  tell()
  expect(asked).toBe(1)
  expect([1, 2, ROWS + 1].map(readText)).toEqual(['text 1', 'text 2', undefined])
  tell()
  await store.close()
})

test('a read that cannot wait gives nothing until its row was touched', async () => {
  expect(store.coldReads.tryNow(() => readText(9))).toBeUndefined()
  await run(() => readText(9))
  expect(store.coldReads.tryNow(() => readText(9))).toBe('text 9')
})

test('outside of such reads nothing is refused', () => {
  store.coldReads.look(0, 1)
  expect(readText(4)).toBe('text 4')
  expect(() => store.coldReads.tryNow(() => readText(4))).not.toThrow(ColdRowError)
  expect(readText(4)).toBe('text 4')
})

test('a store that closes fails the reads that wait', async () => {
  const touched = store.coldReads.run(
    () => (store.tables.text.doesExist(ROWS) ? 'there' : 'gone'),
    () => undefined,
  )
  const closed = store.close()
  await expect(touched).rejects.toThrow('the store was closed while a row was read from the disk')
  await closed
})
