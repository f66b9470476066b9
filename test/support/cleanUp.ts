/**
 * Clean-up after the tests of a file. Vitest accepts hooks only while it collects tests. It silently drops an
 * `afterAll` in a helper that a test or another hook calls, so nothing would be cleaned up.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'

type Ending = () => unknown

const endings: Ending[] = []
const folders: string[] = []

// On the file that imports this module: each file has its own, except in the project "pure" of vitest.config.ts.
const testFile = expect.getState().testPath
afterAll(async () => {
  const results = await Promise.allSettled(endings.splice(0).map((end) => Promise.resolve(end())))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  for (const result of results) if (result.status === 'rejected') throw result.reason
})

/** Ends a server, a process or the like after the tests of the file; all end at the same time. */
export function afterFile(end: Ending): void {
  requireOwnFile()
  endings.push(end)
}

/** Removes a folder after the tests of the file, when whatever used it has ended. */
export function removeAfterFile(folder: string): void {
  requireOwnFile()
  folders.push(folder)
}

/** A temporary folder that goes after the tests of the file. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  removeAfterFile(folder)
  return folder
}

/** Throws where nothing would be cleaned up, since another file has imported this module. */
function requireOwnFile(): void {
  if (expect.getState().testPath !== testFile)
    throw new Error('tests that need clean-up do not belong into a folder of PURE in vitest.config.ts')
}
