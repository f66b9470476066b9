/** Samples memory of a server's processes during a soak. */
import { childProcesses, readMemory } from '../support/processMemory.js'

/** One process at one moment. Sizes are in bytes. */
export interface MemorySample {
  /** `supervisor`, `process 1`, `process 1 pictures`, …. */
  readonly process: string
  readonly pid: number
  /** Number of requests sent before. */
  readonly requests: number
  readonly atMs: number
  readonly figures: Readonly<Record<string, number>>
}

const HEAP_FIGURE = /^nodejs_(\w+)_bytes\{process="(\d+)"\} (\d+)/gm
/** Kinds of memory that only the process itself can report, by their names in samples. */
const HEAP_KINDS: Readonly<Record<string, string>> = {
  heap_size_total: 'heapTotalBytes',
  heap_size_used: 'heapUsedBytes',
  external_memory: 'externalBytes',
  array_buffers: 'bufferBytes',
}

/** Samples a supervisor, its server processes in the order of their numbers, and their child processes. */
export async function sampleServer(
  supervisor: number,
  origin: string,
  requests: number,
): Promise<MemorySample[]> {
  const heaps = await readHeaps(origin)
  const atMs = Math.round(performance.now())
  const samples: MemorySample[] = []
  const add = (process: string, pid: number, heap: Readonly<Record<string, number>> = {}): void => {
    const memory = readMemory(pid)
    if (memory !== undefined) samples.push({ process, pid, requests, atMs, figures: { ...memory, ...heap } })
  }
  add('supervisor', supervisor)
  for (const [n, pid] of childProcesses(supervisor)
    .toSorted((a, b) => a - b)
    .entries()) {
    add(`process ${n + 1}`, pid, heaps.get(n + 1))
    for (const child of childProcesses(pid)) add(`process ${n + 1} pictures`, child)
  }
  return samples
}

/** Sizes of the main heaps from `/metrics`, by the number of the process. */
async function readHeaps(origin: string): Promise<Map<number, Record<string, number>>> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const heaps = new Map<number, Record<string, number>>()
  for (const [, kind, process, value] of text.matchAll(HEAP_FIGURE)) {
    const name = HEAP_KINDS[kind!]
    if (name === undefined) continue
    heaps.set(Number(process), { ...heaps.get(Number(process)), [name]: Number(value) })
  }
  return heaps
}

/** Means of the samples of one process in one quarter of the requests, 1 to 4. Undefined without samples. */
export function meanOfQuarter(
  samples: readonly MemorySample[],
  quarter: number,
  total: number,
): Record<string, number> | undefined {
  const inside = samples.filter(
    ({ requests }) => requests > ((quarter - 1) * total) / 4 && requests <= (quarter * total) / 4,
  )
  const names = Object.keys(inside.at(-1)?.figures ?? {})
  if (names.length === 0) return undefined
  return Object.fromEntries(
    names.map((name) => [
      name,
      inside.reduce((sum, { figures }) => sum + (figures[name] ?? 0), 0) / inside.length,
    ]),
  )
}
