import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { DiskFullError, StoreError, UnwritableStoreError } from '../../../src/storage/tables/errors.js'
import { asWriteFault } from '../../../src/storage/tables/transactions.js'

const { errno } = constants
const failed = (code: number): Error => Object.assign(new Error('as LMDB says it'), { code })

test.each([
  ['a full disk', errno.ENOSPC, DiskFullError, 'no space left on device'],
  ['a quota', errno.EDQUOT, DiskFullError, /quota|-122|as LMDB says it/],
  ['a limit of the size of files', errno.EFBIG, DiskFullError, 'file too large'],
  ['a broken disk', errno.EIO, UnwritableStoreError, 'i/o error'],
  ['a disk that became read-only', errno.EROFS, UnwritableStoreError, 'read-only file system'],
  ['a lack of rights', errno.EACCES, UnwritableStoreError, 'permission denied'],
])('%s is a fault of the store, in words', (_case, code, kind, words) => {
  const fault = asWriteFault(failed(code), '/wiki/store') as Error
  expect(fault).toBeInstanceOf(kind)
  expect(fault.message).toMatch(/^the store in \/wiki\/store cannot be written: /)
  expect(fault.message).toMatch(words)
})

test('other errors stay as they are', () => {
  const ofLmdb = failed(-30_792)
  const others = [ofLmdb, new StoreError('of an entry'), new Error('any'), 'a text']
  expect(others.map((error) => asWriteFault(error, '/wiki/store'))).toEqual(others)
})
