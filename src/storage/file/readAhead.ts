/**
 * Whether the system is to read pages of a store ahead. With read-ahead, a read of a row that is not in memory fetches
 * the pages around it, too.
 */
import { readFileSync, statSync } from 'node:fs'
import { usableMemory } from '../../runtime/memory.js'

/** Stores with a larger share of the memory do not stay in it as a whole. */
const SHARE_OF_MEMORY = 0.5
/**
 * Linux reads 128 kB ahead by default. Some systems are set to megabytes, for files that are read as a whole. Each cold
 * row then takes milliseconds, even from a disk that answers within 0.1 ms.
 */
const MAX_AHEAD_KB = 128

/** Whether reading ahead harms reads of rows here and there. `file` may not exist yet. */
export function harmsReads(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return false
  return stats.size > usableMemory() * SHARE_OF_MEMORY || (readAheadKb(stats.dev) ?? 0) > MAX_AHEAD_KB
}

/**
 * How far the system reads ahead on a device, in kilobytes; undefined if it does not tell. `device` is `dev` of
 * `fs.Stats`. `sysfs` is the folder that the kernel describes devices in.
 */
export function readAheadKb(device: number, sysfs = '/sys'): number | undefined {
  const [major, minor] = [(device >>> 8) & 0xfff, (device & 0xff) | ((device >>> 12) & 0xfff00)]
  // A partition has the settings of its disk, which is the folder above.
  const files = [
    `class/bdi/${major}:${minor}/read_ahead_kb`,
    `dev/block/${major}:${minor}/../queue/read_ahead_kb`,
  ]
  for (const file of files) {
    const text = readIfThere(`${sysfs}/${file}`)
    if (text !== undefined) return Number(text)
  }
  return undefined
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined
    throw error
  }
}
