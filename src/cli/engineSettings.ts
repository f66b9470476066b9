/** Settings of V8 for commands that keep all processors busy. They hold for the process and its later threads. */
import { setFlagsFromString } from 'node:v8'

/**
 * The old generation may grow by half between two collections. Texts live just long enough to reach it. By default,
 * follow's grew from 16 MB to 80 MB, and the process took 152 MB of private memory instead of 105 MB.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

/**
 * V8 puts fewer functions into those that call them. Optimizing took a sixth of the processor time of an import, and
 * now a quarter less. The code that comes out is as fast.
 */
export function compileLess(): void {
  setFlagsFromString('--max-inlined-bytecode-size=150')
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300')
}
