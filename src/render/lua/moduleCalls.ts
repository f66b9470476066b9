/** The calls of modules that a page has under way, and the revisions that must not run for now. */
import { createHash } from 'node:crypto'
import type { Expander } from '../preprocessor/expander.js'
import type { ModuleCallMark, ModuleGuard } from './thread.js'

interface Call {
  readonly name: string
  readonly sinceMs: number
  /** Undefined until the module is found. */
  key: bigint | undefined
}

export class ModuleCalls {
  readonly #guard: ModuleGuard | undefined
  readonly #expander: Expander
  /** Of the revisions that this page has loaded, by name. */
  readonly #keys = new Map<string, bigint>()
  readonly #calls: Call[] = []

  constructor(guard: ModuleGuard | undefined, expander: Expander) {
    this.#guard = guard
    this.#expander = expander
  }

  begin(name: string): void {
    if (this.#guard === undefined) return
    this.#calls.push({ name, sinceMs: performance.now(), key: this.#keys.get(name) })
    this.#tell()
  }

  end(): void {
    if (this.#guard === undefined) return
    this.#calls.pop()
    this.#tell()
  }

  mayRun(name: string, revisionId: number): boolean {
    if (this.#guard === undefined) return true
    const { report, source } = this.#expander
    const key = createHash('sha1')
      .update(`${source.site.server}\n${name}\n${revisionId}`)
      .digest()
      .readBigInt64LE()
    const blockedMs = this.#guard.blockedForMs(key)
    if (blockedMs > 0) {
      report.addOmission(`${name} does not run for a while, since it took too much time`)
      report.holdsFor(Math.ceil(blockedMs / 1000))
      return false
    }
    this.#keys.set(name, key)
    const call = this.#calls.at(-1)
    if (call?.name === name) call.key = key
    this.#tell()
    return true
  }

  /** The modules of the page have used up their time, `pageMs`. */
  ranOutOfTime(pageMs: number): void {
    this.#guard?.ranOutOfTime(this.#calls.filter(isFound), pageMs)
  }

  /** A module that is not found yet has not run. */
  #tell(): void {
    this.#guard?.runs(this.#calls.findLast(isFound))
  }
}

const isFound = (call: Call): call is Call & ModuleCallMark => call.key !== undefined
