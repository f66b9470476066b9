/** Limits of the time that a job of a thread may take. */
import { TaskTimeoutError } from './poolErrors.js'

/** If less than this remains of a job's time, nobody waits for it. */
const MIN_REST_MS = 20
/** A job that used this share of its time limit is itself to blame for the timeout. */
const OVERRUN_SHARE = 0.8

export interface WatchedJob {
  /** For messages. */
  readonly name: string
  /** Longest processor time; where the system does not tell it, longest time. */
  readonly cpuMs: number
  /** Longest time. */
  readonly wallMs: number
  /** Processor time of the thread so far. */
  readonly usedCpuMs: () => number | undefined
  /** Called once, when the job has had its time. */
  readonly giveUp: (reason: TaskTimeoutError) => void
}

/** Watches a job that begins now, and gives it up when its time is used up. Returns a function that stops the watch. */
export function watchJob({ name, cpuMs: limitMs, wallMs, usedCpuMs, giveUp }: WatchedJob): () => void {
  const startedMs = performance.now()
  const cpuBefore = usedCpuMs()
  const check = (): void => {
    const passedMs = performance.now() - startedMs
    const cpuMs = cpuBefore === undefined ? undefined : (usedCpuMs() ?? 0) - cpuBefore
    const restMs = Math.min(limitMs - (cpuMs ?? passedMs), wallMs - passedMs)
    if (restMs > MIN_REST_MS) {
      timer = setTimeout(check, restMs)
      return
    }
    const isOverrun = cpuMs === undefined || cpuMs >= OVERRUN_SHARE * limitMs
    const why = isOverrun ? 'took more than' : 'was given too little time to take'
    giveUp(new TaskTimeoutError(`${name} ${why} ${limitMs} ms`, { isOverrun }))
  }
  let timer = setTimeout(check, Math.max(MIN_REST_MS, Math.min(limitMs, wallMs)))
  return () => clearTimeout(timer)
}
