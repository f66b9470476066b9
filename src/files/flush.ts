/** Waiting until the disk has what was written. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes a file's bytes last. */
export function flushFile(path: string): void {
  flush(path, 'r+')
}

/** Makes a folder's entries last; where folders cannot be opened, as on Windows, the system sees to it. */
export function flushFolder(folder: string): void {
  if (process.platform !== 'win32') flush(folder, 'r')
}

function flush(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
