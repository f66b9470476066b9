/**
 * Loaded into a server before its own code. While the file named by DISK_IS_FULL exists, all threads of the server see
 * a full disk. A really full disk is avoided, since lmdb's failing writes damage its memory (src/storage/store.ts).
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
