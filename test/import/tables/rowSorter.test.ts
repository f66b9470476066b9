/** Rows in the order of ids, whatever their order in the file, and however few fit into memory. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RowSorter, type SorterLimits } from '../../../src/import/tables/rowSorter.js'
import { randomNumbers } from '../../support/random.js'
import { temporaryFolder } from '../../support/store.js'

type Row = readonly [id: number, values: readonly (readonly [name: string, value: string])[]]

interface Sorted {
  readonly records: readonly {
    readonly id: number
    readonly rows: number
    readonly flat: readonly string[]
  }[]
  /** Files made, and files with a name while the sorter was open. */
  readonly files: number
  readonly named: number
}

function sort(rows: readonly Row[], limits?: SorterLimits): Sorted {
  const folder = temporaryFolder()
  const records: Sorted['records'][number][] = []
  let files = 0
  const sorter = new RowSorter(
    () => join(folder, `rows-${files++}`),
    (record) => records.push(record),
    limits,
  )
  for (const [id, values] of rows) sorter.add(id, values)
  const named = readdirSync(folder).length
  sorter.end()
  return { records, files, named }
}

/** For each id, its values in order and the number of its rows. */
function merged(records: Sorted['records']): Map<number, { rows: number; flat: string[] }> {
  const byId = new Map<number, { rows: number; flat: string[] }>()
  for (const { id, rows, flat } of records) {
    const known = byId.get(id) ?? { rows: 0, flat: [] }
    byId.set(id, { rows: known.rows + rows, flat: [...known.flat, ...flat] })
  }
  return byId
}

const asRecords = (rows: readonly Row[]): Sorted['records'] =>
  rows.map(([id, values]) => ({ id, rows: 1, flat: values.flat() }))

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, n) => n === 0 || numbers[n - 1]! <= number)

describe('rows', () => {
  const random = randomNumbers(4)
  const below = (limit: number): number => Math.floor(random() * limit)
  const rowOf = (id: number, n: number): Row => [
    id,
    Array.from({ length: 1 + below(2) }, (_, m) => [`name ${m}`, `值 ${n} "\\ é`] as const),
  ]

  test('in the order of ids pass at once', () => {
    const rows = [1, 1, 2, 7, 7, 4_294_967_294].map(rowOf)
    const { records, files } = sort(rows)
    expect(records).toEqual(asRecords(rows))
    expect(files).toBe(0)
  })

  test.each([
    ['that fit into memory', { runValues: 10_000, maxRuns: 4 }, 0],
    ['that need some runs on disk', { runValues: 1000, maxRuns: 64 }, 1],
    ['of more runs than are merged at once', { runValues: 100, maxRuns: 4 }, 1],
    ['of which two fit into memory', { runValues: 2, maxRuns: 3 }, 1],
  ])('%s come in the order of ids, and those of an id as they were', (_case, limits, fileCount) => {
    const rows = Array.from({ length: 3000 }, (_, n) => rowOf(1 + below(300), n))
    const { records, files, named } = sort(rows, limits)
    expect(merged(records)).toEqual(merged(asRecords(rows)))
    expect([files, named]).toEqual([fileCount, 0])
  })

  test('come with each id once where all runs are merged', () => {
    const rows = Array.from({ length: 3000 }, (_, n) => rowOf(1 + below(3000), n))
    const { records } = sort([[4_000_000_000, [['a', '']]], ...rows], { runValues: 500, maxRuns: 64 })
    expect(isRising(records.slice(1).map(({ id }) => id))).toBe(true)
  })

  test('of one id come in pieces that fit into memory', () => {
    const many = Array.from({ length: 5000 }, (_, n): Row => [5, [[`n${n}`, 'x'.repeat(200)]]])
    const { records } = sort([[9, [['a', '']]], ...many], { runValues: 2000, maxRuns: 64 })
    expect(merged(records)).toEqual(merged(asRecords([[9, [['a', '']]], ...many])))
    expect(Math.max(...records.map(({ flat }) => flat.join('').length))).toBeLessThan(70_000)
  })

  test('with long values are read back from the disk whole', () => {
    const rows = [9, 8, 7, 6, 5, 9, 8].map((id, n): Row => [id, [[`n${n}`, '\u0001"'.repeat(60_000 * n)]]])
    const { records } = sort(rows, { runValues: 2, maxRuns: 64 })
    expect(merged(records)).toEqual(merged(asRecords(rows)))
  })

  test('that are not wanted are forgotten', () => {
    const folder = temporaryFolder()
    const records: unknown[] = []
    const sorter = new RowSorter(
      () => join(folder, 'rows'),
      (record) => records.push(record),
      { runValues: 2, maxRuns: 9 },
    )
    for (const id of [9, 5, 4, 3, 2, 1]) sorter.add(id, [['a', 'b']])
    sorter.close()
    expect(records).toHaveLength(1)
    sorter.end()
    expect(records).toHaveLength(1)
  })
})
