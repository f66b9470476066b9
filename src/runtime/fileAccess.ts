/** Files that the account of this process may not use. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'

const { R_OK, W_OK, X_OK } = constants

/** Why this process may not read and write a folder, in words that name the owner; undefined if it may. */
export const folderFault = (path: string): string | undefined => fault(path, R_OK | W_OK | X_OK)

/** The same for a file. One that is not there has no fault. */
export const fileFault = (path: string): string | undefined => fault(path, R_OK | W_OK)

function fault(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (error) {
    // Other errors have better words elsewhere.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return undefined
    const own = process.getuid?.() ?? 'unknown'
    return `${path} belongs to the user id ${ownerOf(path)}, and this process, of the user id ${own}, may not write it`
  }
}

/** Of a path in a closed folder, the owner of that folder. */
function ownerOf(path: string): number {
  try {
    return statSync(path).uid
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || dirname(path) === path) throw error
    return ownerOf(dirname(path))
  }
}
