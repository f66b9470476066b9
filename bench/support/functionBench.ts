/** Measures functions with tinybench in several rounds, so that interference shows as a span. */
import { Bench } from 'tinybench'
import type { BenchOptions } from './options.js'
import { writeResult } from './results.js'
import { summariseFigures, type Summary } from './statistics.js'
import { formatSummary, printTable } from './table.js'

export interface FunctionTask {
  /** The measured call, such as `encodeDelta(10 kB, 3 edits)`. */
  readonly name: string
  /** Number of such calls in one `run`. Enough that reading the clock costs nothing by comparison. */
  readonly calls: number
  /** Returns a value that depends on every call, so that none can be optimised away. */
  readonly run: () => unknown
}

/** Time of one call in one round, in microseconds, from many runs of the task. */
interface FunctionSample {
  readonly task: string
  /** Counted from 1. */
  readonly round: number
  readonly runs: number
  readonly meanMicros: number
  readonly p50Micros: number
  readonly p99Micros: number
}

type Figure = 'meanMicros' | 'p50Micros' | 'p99Micros'

const DEFAULT_ROUNDS = 5
const DEFAULT_SECONDS = 0.2
const WARM_UP_MS = 100

/** Runs the tasks in turns, round after round. Prints a table and writes the result under `name`. */
export function measureFunctions(
  name: string,
  tasks: readonly FunctionTask[],
  { rounds = DEFAULT_ROUNDS, seconds = DEFAULT_SECONDS }: BenchOptions,
): void {
  const samples: FunctionSample[] = []
  for (let round = 1; round <= rounds; round++) samples.push(...measureRound(tasks, round, seconds))
  const summary = tasks.map(({ name: task }) => ({
    task,
    ...summariseTask(samples.filter((sample) => sample.task === task)),
  }))
  printTable(
    ['one call', 'mean µs', 'p50 µs', 'p99 µs'],
    summary.map(({ task, meanMicros, p50Micros, p99Micros }) => [
      task,
      formatSummary(meanMicros, 2),
      formatSummary(p50Micros, 2),
      formatSummary(p99Micros, 2),
    ]),
  )
  writeResult(name, { setup: { rounds, seconds }, samples, summary })
}

/** Throws any error of a task. */
function measureRound(tasks: readonly FunctionTask[], round: number, seconds: number): FunctionSample[] {
  const bench = new Bench({ time: seconds * 1000, warmupTime: WARM_UP_MS, throws: true })
  for (const { name, run } of tasks) bench.add(name, run)
  bench.runSync()
  return tasks.map(({ name, calls }) => {
    const task = bench.getTask(name)
    if (task?.result.state !== 'completed') throw new Error(`${name} was not measured`)
    const { mean, p50, p99 } = task.result.latency
    const micros = (milliseconds: number): number => (milliseconds * 1000) / calls
    const times = { meanMicros: micros(mean), p50Micros: micros(p50), p99Micros: micros(p99) }
    return { task: name, round, runs: task.runs, ...times }
  })
}

function summariseTask(samples: readonly FunctionSample[]): Record<Figure, Summary> {
  return summariseFigures<FunctionSample, Figure>(samples, {
    meanMicros: (sample) => sample.meanMicros,
    p50Micros: (sample) => sample.p50Micros,
    p99Micros: (sample) => sample.p99Micros,
  })
}
