/** Limits that the system sets for files of this process. */
import { readFileSync } from 'node:fs'

/** The largest size that a file may get; Infinity without such a limit. */
export function largestFileBytes(): number {
  if (process.platform !== 'linux') return Infinity
  const soft = /^Max file size\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? Infinity : Number(soft)
}
