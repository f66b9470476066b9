/** Page reads at a steady pace. Measures how long clients wait while the server does other work. */
import { Agent, request } from 'node:http'
import { randomNumbers } from './random.js'

const MS_PER_SECOND = 1000
const CONNECTIONS = 16

export interface ProbeOptions {
  readonly origin: string
  readonly paths: readonly string[]
  readonly readsPerSecond: number
  readonly seconds: number
}

export interface ProbeSample {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly reads: number
  /** Answers other than 200, and broken connections. */
  readonly errors: number
}

/**
 * Reads random paths at a fixed pace, whether earlier reads have been answered or not. So a stall of the server delays
 * all reads that fall due meanwhile. A latency runs from the due time to the end of the body.
 */
export async function probeReads({
  origin,
  paths,
  readsPerSecond,
  seconds,
}: ProbeOptions): Promise<ProbeSample> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const random = randomNumbers(paths.length)
  const total = Math.round(readsPerSecond * seconds)
  const start = performance.now()
  const latencies: number[] = []
  let errors = 0
  const reads: Promise<void>[] = []
  for (let n = 0; n < total; n++) {
    const due = start + (n * MS_PER_SECOND) / readsPerSecond
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    const path = paths[Math.floor(random() * paths.length)]!
    // A timer may fire a little early. The read then began before it was due.
    const began = Math.min(due, performance.now())
    reads.push(
      read(agent, origin + path).then((ok) => {
        latencies.push(performance.now() - began)
        if (!ok) errors++
      }),
    )
  }
  await Promise.all(reads)
  agent.destroy()
  return { ...percentiles(latencies), reads: total, errors }
}

/** True for a status 200 whose body was read to its end. */
function read(agent: Agent, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request(url, { agent }, (incoming) => {
      incoming.resume()
      incoming.on('end', () => resolve(incoming.statusCode === 200))
      incoming.on('error', () => resolve(false))
    })
    outgoing.on('error', () => resolve(false))
    outgoing.end()
  })
}

/** Throws for an empty list. */
export function percentiles(latencies: readonly number[]): Pick<ProbeSample, 'p50Ms' | 'p99Ms' | 'maxMs'> {
  if (latencies.length === 0) throw new Error('no latencies')
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1)! }
}
