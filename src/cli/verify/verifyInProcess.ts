/** Runs checks in a child process, and starts another one when that crashes, so that a crash cannot end the command. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { compiledFile } from '../../runtime/packageFiles.js'
import { StoreError } from '../../storage/tables/errors.js'
import { VERIFY_PARTS } from '../../storage/verify/parts.js'
import type { CheckedPart, VerifyMessage, VerifyRequest } from './verifyProcess.js'

const PROCESS_FILE = compiledFile('cli/verify/verifyProcess.ts')

export interface VerifyOutcome {
  readonly pages: number
  readonly revisions: number
  /** Undefined unless it was requested and could be computed. */
  readonly digest: string | undefined
  readonly problems: readonly string[]
}

export interface VerifyCommandOptions {
  readonly dataDir: string
  readonly hashes: boolean
  readonly digest: boolean
  /** Default: all parts, and the digest when `digest` is set. */
  readonly parts?: readonly CheckedPart[]
  /** Called with the item that is read next. */
  readonly onReading?: (reading: string) => void
}

export async function verifyInProcess(options: VerifyCommandOptions): Promise<VerifyOutcome> {
  const { dataDir, hashes } = options
  const found = new Findings(options.onReading)
  let parts: readonly CheckedPart[] = options.parts ?? [
    ...VERIFY_PARTS,
    'originals',
    ...(options.digest ? ['digest' as const] : []),
  ]
  while (parts.length > 0) {
    const { part, end } = await runProcess({ dataDir, hashes, parts }, found)
    if (end === undefined) break
    found.problem(end)
    // A store that cannot be opened is checked page by page.
    parts = part === undefined ? ['file alone'] : parts.slice(parts.indexOf(part) + 1)
    if (part === 'file alone') break
  }
  return found.outcome()
}

class Findings {
  readonly #problems = new Set<string>()
  readonly #onReading: ((reading: string) => void) | undefined
  #counts = { pages: 0, revisions: 0 }
  #digest: string | undefined

  constructor(onReading: ((reading: string) => void) | undefined) {
    this.#onReading = onReading
  }

  problem(problem: string): void {
    this.#problems.add(problem)
  }

  take({ reading, problem, pages, revisions, digest }: VerifyMessage): void {
    if (reading !== undefined) this.#onReading?.(reading)
    if (problem !== undefined) this.problem(problem)
    if (pages !== undefined && revisions !== undefined) this.#counts = { pages, revisions }
    if (digest !== undefined) this.#digest = digest
  }

  outcome(): VerifyOutcome {
    return { ...this.#counts, digest: this.#digest, problems: [...this.#problems] }
  }
}

/** The part in which a process crashed, and how; `part` is undefined when it crashed before the first part. */
interface Ended {
  readonly part: CheckedPart | undefined
  readonly end: string | undefined
}

async function runProcess(request: VerifyRequest, found: Findings): Promise<Ended> {
  const child = spawn(process.execPath, [PROCESS_FILE, JSON.stringify(request)], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const closed = new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => resolve(signal ?? `status ${status}`))
  })
  // A process that cannot be started says so before its output ends.
  closed.catch(() => undefined)
  let part: CheckedPart | undefined
  let reading = 'starting'
  let isDone = false
  let failure: string | undefined
  let refused: string | undefined
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const message = JSON.parse(line) as VerifyMessage
    part = message.part ?? part
    reading = message.reading ?? reading
    failure = message.failure ?? failure
    refused = message.refused ?? refused
    isDone ||= message.done ?? false
    found.take(message)
  }
  const how = await closed
  if (refused !== undefined) throw new StoreError(refused)
  if (isDone) return { part, end: undefined }
  const rest = part === undefined ? '' : `; the rest of the check "${part}" is left out`
  return { part, end: failure ?? `${reading}: the process that reads it ends by ${how}${rest}` }
}

const PAGES_SHOWN = 1000

/** Shows on a terminal what is read: each part, and every thousandth page. */
export function showReading(): (reading: string) => void {
  let pages = 0
  return (reading) => {
    if (reading.startsWith('page ') && ++pages % PAGES_SHOWN !== 0) return
    process.stderr.write(`\r\x1b[K${reading}`)
  }
}
