/** Ranges of keys that LMDB must not read: rows in them count as damaged, all others are read. */
import { describe, expect, test } from 'vitest'
import { DamagedRowError } from '../../../src/storage/tables/errors.js'
import { DamagedRanges } from '../../../src/storage/tables/damagedRanges.js'
import type { Store } from '../../../src/storage/store.js'
import { WHOLE_TABLE } from '../../../src/storage/tables/tables.js'
import { page, revision, temporaryStore } from '../../support/store.js'

const u32 = (id: number): Uint8Array => Uint8Array.of(0, 0, 0, id)

/** Pages 1 to 9, of which the rows in the table of pages from 4 on and below 7 are damaged. */
function storeWithDamage(): Store {
  const { store, applier } = temporaryStore()
  applier.importPages(
    'd',
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => page(id, `Page_${id}`, [revision(id, `text ${id}`)])),
  )
  store.avoid([{ table: 'page', from: u32(4), to: u32(7) }])
  return store
}

describe('a damaged range', () => {
  test.each([4, 6])('refuses the row %i', (id) => {
    const { page: table } = storeWithDamage().tables
    for (const read of [() => table.getBinaryFast(id), () => table.getBinary(id), () => table.doesExist(id)])
      expect(read).toThrow(DamagedRowError)
  })

  test.each([3, 7])('leaves the row %i alone', (id) => {
    const store = storeWithDamage()
    expect(store.getPageById(id)?.dbkey).toBe(`Page_${id}`)
    expect(store.tables.page.doesExist(id)).toBe(true)
  })

  test('refuses writes, so that LMDB does not change a damaged page', () => {
    const store = storeWithDamage()
    const write = (id: number): void => store.transact(() => store.tables.page.putSync(id, Buffer.alloc(1)))
    expect(() => write(5)).toThrow(DamagedRowError)
    expect(() => store.transact(() => store.tables.page.removeSync(5))).toThrow(DamagedRowError)
    expect(() => store.transact(() => store.tables.page.clearSync())).toThrow(DamagedRowError)
    write(7)
  })

  test.each([
    ['ends a walk where it begins', { ...WHOLE_TABLE }, [1, 2, 3], true],
    ['ends a walk that begins below it', { start: 2, end: 5 }, [2, 3], true],
    ['does not reach a walk with a limit', { ...WHOLE_TABLE, limit: 3 }, [1, 2, 3], false],
    ['does not reach a walk that ends at it', { start: 2, end: 4 }, [2, 3], false],
    ['does not reach a walk that begins at its end', { start: 7 }, [7, 8, 9], false],
    ['ends a walk that begins in it', { start: 5 }, [], true],
    ['ends a walk in reverse', { start: 9, reverse: true }, [], true],
    ['does not reach a walk in reverse above it', { start: 9, end: 7, reverse: true }, [9, 8], false],
  ])('%s', (_case, range, ids, fails) => {
    const { page: table } = storeWithDamage().tables
    // lmdb writes into the object.
    const walks = [
      () => table.getKeys({ ...range }),
      () => [...table.getRange({ ...range })].map(({ key }) => key),
    ]
    for (const walk of walks) {
      const found: number[] = []
      const read = (): void => {
        for (const id of walk()) found.push(id)
      }
      if (fails) expect(read).toThrow(DamagedRowError)
      else {
        read()
        expect(found).toEqual(ids)
      }
    }
    if (fails) expect(() => table.getKeysCount({ ...range })).toThrow(DamagedRowError)
  })

  test('gives the rows before it', () => {
    const { page: table } = storeWithDamage().tables
    const found: number[] = []
    expect(() => {
      for (const id of table.getKeys({ ...WHOLE_TABLE })) found.push(id)
    }).toThrow(DamagedRowError)
    expect(found).toEqual([1, 2, 3])
  })

  test('counts in the figures of the store', () => {
    const figure = storeWithDamage()
      .figures()
      .find(({ name }) => name === 'palimpsest_store_damaged_ranges')
    expect(JSON.stringify(figure)).toContain('1')
  })
})

describe('the list of ranges', () => {
  const at = (from: number, to: number): { table: string; from: Uint8Array; to: Uint8Array } => ({
    table: 't',
    from: u32(from),
    to: u32(to),
  })

  test('is in order, and joins ranges that touch', () => {
    const list = new DamagedRanges('a')
    list.replace([at(7, 9), at(1, 3), at(3, 5), at(8, 12)])
    expect(list.of('t')).toEqual([
      { from: Buffer.from(u32(1)), to: Buffer.from(u32(5)) },
      { from: Buffer.from(u32(7)), to: Buffer.from(u32(12)) },
    ])
    expect(list.of('other')).toEqual([])
    list.close()
  })

  test('is one for all that open the same store, and another one for the next store', () => {
    const [first, second, other] = ['a', 'a', 'b'].map((path) => new DamagedRanges(path))
    expect(second!.any).toBe(false)
    first!.replace([at(1, 2)])
    expect([second!.any, second!.count(), other!.any]).toEqual([true, 1, false])
    first!.replace([])
    expect([second!.any, second!.count()]).toEqual([false, 0])
    for (const list of [first!, other!]) list.close()
  })

  test('widens ranges when there are too many', () => {
    const list = new DamagedRanges('a')
    list.replace(Array.from({ length: 100 }, (_, n) => at(2 * n, 2 * n + 1)))
    expect(list.of('t')).toEqual([{ from: Buffer.from(u32(0)), to: Buffer.from(u32(199)) }])
    const long = Array.from({ length: 40 }, (_, table) =>
      Array.from({ length: 20 }, (_range, n) => ({
        table: `t${table}`,
        from: new Uint8Array(500).fill(2 * n),
        to: new Uint8Array(500).fill(2 * n + 1),
      })),
    )
    list.replace(long.flat())
    expect(list.count()).toBeGreaterThanOrEqual(40)
    expect(list.of('t7')[0]?.from?.[0]).toBe(0)
    expect(list.of('t7').at(-1)?.to?.[0]).toBe(39)
    list.close()
  })
})
