/**
 * Runs for each test file, also where files share a process: cleans up after the tests of the file, and takes back spies and
 * false clocks.
 */
import { afterAll, vi } from 'vitest'
import { endFile } from './cleanUp.js'

afterAll(async () => {
  await endFile()
  vi.useRealTimers()
  vi.restoreAllMocks()
})
