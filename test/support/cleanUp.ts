/**
 * Clean-up after the tests of a file. Vitest accepts hooks only while it collects tests. It silently drops an
 * `afterAll` in a helper that a test or another hook calls. So `fileEnd.ts` has one for each file, which ends what
 * this module notes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Ending = () => unknown

const endings: Ending[] = []
const folders: string[] = []

/** Ends a server, a process or the like after the tests of the file; all end at the same time. */
export function afterFile(end: Ending): void {
  endings.push(end)
}

/** Removes a folder after the tests of the file, when whatever used it has ended. */
export function removeAfterFile(folder: string): void {
  folders.push(folder)
}

/** A temporary folder that goes after the tests of the file. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  removeAfterFile(folder)
  return folder
}

/** Ends everything that the file has noted. */
export async function endFile(): Promise<void> {
  const results = await Promise.allSettled(endings.splice(0).map((end) => Promise.resolve(end())))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
