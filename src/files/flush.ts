/** Flushes files and folders to disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes a file's bytes durable. */
export function flushFile(path: string): void {
  flush(path, 'r+')
}

/** Makes a folder's entries durable. Windows cannot open folders, and does this itself. */
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
