import type { Writable } from 'node:stream'

/** The end of a process waits so long for a slow reader. */
const LIMIT_MS = 1000

/**
 * Resolves when all that was written to standard error has left this process, at the latest after a second. The exit of
 * a process does not wait for that.
 */
export function whenWritten(stream: Writable = process.stderr): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LIMIT_MS)
    stream.write('', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Ends a process that has done its work, if nobody reads its standard error. Node would wait for a reader for ever. */
export async function endWithoutReader(): Promise<void> {
  await whenWritten()
  if (process.stderr.writableLength > 0) process.exit()
}
