/** Whether the system reads pages of a store ahead, by the settings of its device. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { harmsReads, readAheadKb } from '../../../src/storage/openStore.js'
import { Store } from '../../../src/storage/store.js'
import { folderOfFile } from '../../support/cleanUp.js'

/** As in `dev` of `fs.Stats`. */
const device = (major: number, minor: number): number =>
  (major << 8) | (minor & 0xff) | ((minor & ~0xff) << 12)

/** A folder as the kernel has it: a disk 8:0 with a partition 8:1, and a network file system 0:300. */
function madeSysfs(): string {
  const sysfs = folderOfFile()
  const write = (file: string, text: string): void => {
    mkdirSync(join(sysfs, file, '..'), { recursive: true })
    writeFileSync(join(sysfs, file), text)
  }
  write('class/bdi/8:0/read_ahead_kb', '128\n')
  write('class/bdi/0:300/read_ahead_kb', '15360\n')
  write('devices/sda/queue/read_ahead_kb', '4096\n')
  mkdirSync(join(sysfs, 'devices/sda/sda1'))
  mkdirSync(join(sysfs, 'dev/block'), { recursive: true })
  symlinkSync('../../devices/sda/sda1', join(sysfs, 'dev/block/8:1'))
  return sysfs
}

test('the setting is that of the disk, also for a partition and for a file system without one', () => {
  const sysfs = madeSysfs()
  expect(readAheadKb(device(8, 0), sysfs)).toBe(128)
  expect(readAheadKb(device(8, 1), sysfs)).toBe(4096)
  expect(readAheadKb(device(0, 300), sysfs)).toBe(15360)
})

test('a system that does not tell has no known setting', () => {
  expect(readAheadKb(device(259, 3), madeSysfs())).toBeUndefined()
  expect(readAheadKb(device(8, 1), '/nowhere')).toBeUndefined()
})

test('a store that does not exist yet is read as the system likes', () => {
  expect(harmsReads(join(folderOfFile(), 'data.mdb'))).toBe(false)
})

test.runIf(existsSync('/proc/self/smaps'))('a store of rows here and there follows the setting', async () => {
  const dataDir = folderOfFile()
  await Store.open(dataDir, { create: true }).close()
  const file = join(dataDir, 'store/data.mdb')
  const store = Store.open(dataDir, { readsApart: true })
  const areas = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  const flags = areas.filter((area) => area.split('\n')[0]!.endsWith(file))
  // `rr`: the system is told that reads have no order.
  expect(flags.map((area) => /^VmFlags:.* rr( |$)/m.test(area))).toEqual([harmsReads(file)])
  await store.close()
})
