/**
 * Loaded into a server before its own code: for all of its threads the disk is full while the file that DISK_IS_FULL
 * names is there. A real full disk is not asked for, since lmdb's failing writes damage its memory (src/storage/store.ts).
 */
import fs, { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

const { statfsSync } = fs
fs.statfsSync = (...args) => {
  const disk = statfsSync(...args)
  if (existsSync(process.env.DISK_IS_FULL)) disk.bavail = 0
  return disk
}
syncBuiltinESMExports()
