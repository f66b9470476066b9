/**
 * Material that the repository does not carry: dumps and recordings in a folder `shared` beside the checkout. Only this file
 * knows where it is, so tests that need it register themselves where it is there, and nowhere else.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, test } from 'vitest'

const SHARED = join(import.meta.dirname, '../../../shared')

/** The place of a file or folder in `shared`, whether it is there or not. */
export function sharedPath(path: string): string {
  return join(SHARED, path)
}

/**
 * Tests with a file or folder of `shared`, whose absolute path they get. Without it, `register` is not called, and one skipped
 * test names what is missing.
 */
export function describeShared(title: string, path: string, register: (absolutePath: string) => void): void {
  const absolutePath = sharedPath(path)
  describe(title, () => {
    if (existsSync(absolutePath)) register(absolutePath)
    else test.skip(`skipped: there is no ../shared/${path}`)
  })
}

/** Rows of a packed file with one JSON value a line (`.jsonl.gz`). */
export function readRows<Row>(absolutePath: string): Row[] {
  const lines = gunzipSync(readFileSync(absolutePath)).toString().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}
