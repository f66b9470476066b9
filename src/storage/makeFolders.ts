import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, unless they are there. Not by Node's recursive `mkdir` (20.20), which never
 * returns below a folder such as /proc, where the system says of a new folder that there is none. Throws what the
 * system says.
 */
export function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) makeFolders(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process was quicker.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(path).isDirectory()
    if (!isThere) throw error
  }
}
