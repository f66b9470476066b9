/** A setting of V8 for commands that read many texts. It holds for the process and its later threads. */
import { setFlagsFromString } from 'node:v8'

/**
 * The old generation may grow by half between two collections. Texts live just long enough to reach it. By default,
 * follow's grew from 16 MB to 80 MB, and the process took 152 MB of private memory instead of 105 MB.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
