/** The memory that this process may use: less than the machine has if a container or a control group limits it. */
import { totalmem } from 'node:os'

export function usableMemory(): number {
  // Node answers 0, or more than the machine has, where nothing limits the process.
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
