/** The common frame of all benches that load a server with wrk. */
import { canReadCpuTime } from './cpuTime.js'
import { findProgram } from './machine.js'
import { findDump } from './repository.js'
import { Sandbox } from './sandbox.js'

export interface LoadBench {
  /** Name of the measurement in messages. */
  readonly what: string
  /** Name of the dump in the corpus. */
  readonly dump: string
  /** The bench reports processor time. */
  readonly needsCpuTime: boolean
}

/** Runs a measurement in a sandbox, which closes at the end. If something is missing, says so and measures nothing. */
export async function runLoadBench(
  { what, dump, needsCpuTime }: LoadBench,
  measure: (sandbox: Sandbox, dumpPath: string, wrkPath: string) => Promise<void>,
): Promise<void> {
  const dumpPath = findDump(dump)
  const wrk = findProgram('wrk')
  const isBlind = needsCpuTime && !canReadCpuTime()
  if (wrk === undefined) console.log(`wrk is missing (Debian: apt install wrk). Not measured: ${what}.`)
  if (isBlind) console.log(`there is no /proc/PID/stat (Linux has it). Not measured: ${what}.`)
  if (dumpPath === undefined || wrk === undefined || isBlind) return
  const sandbox = new Sandbox()
  try {
    await measure(sandbox, dumpPath, wrk)
  } finally {
    await sandbox.close()
  }
}
