/**
 * Module revisions one call of which has taken a thread past a limit. For some minutes they fail at once wherever they
 * are called, so that each costs a thread once. The list lies in memory that all threads of a process share.
 *
 *     list      0 number of blocks so far   1 key, until   3 key, until …       each i64; `until` in ms since 1970
 *     running   0 key of the module that a thread runs, 0 if none   1 since when, in ms since 1970
 */
import type { ModuleCallMark, ModuleGuard } from '../../render/lua/thread.js'

/** The next ones take the place of the oldest. */
const MAX_BLOCKS = 64
export const BLOCK_MS = 5 * 60_000
const FIELD_BYTES = 8
/** A call is to blame if it took this share of the time. Modules of long pages share the time among many calls. */
const BLAMED_SHARE = 0.5
const NONE = 0n

const now = (): number => Math.floor(performance.timeOrigin + performance.now())

export class ModuleBlocks {
  readonly memory: SharedArrayBuffer
  readonly #fields: BigInt64Array

  /** With the memory of another thread's list: the same list. */
  constructor(memory = new SharedArrayBuffer(FIELD_BYTES * (1 + 2 * MAX_BLOCKS))) {
    this.memory = memory
    this.#fields = new BigInt64Array(memory)
  }

  /** Milliseconds for which a module revision must not run; 0 if it may. */
  blockedForMs(key: bigint): number {
    const place = this.#placeOf(key)
    return place === undefined ? 0 : Math.max(0, Number(Atomics.load(this.#fields, 2 + 2 * place)) - now())
  }

  block(key: bigint): void {
    const known = this.#placeOf(key)
    const place = known ?? Number(Atomics.add(this.#fields, 0, 1n) % BigInt(MAX_BLOCKS))
    Atomics.store(this.#fields, 2 + 2 * place, BigInt(now() + BLOCK_MS))
    Atomics.store(this.#fields, 1 + 2 * place, key)
  }

  /** Blocks the module to blame for a job that was ended, if there is one. */
  blame(running: RunningModule | undefined, jobMs: number): void {
    const key = running?.toBlame(jobMs)
    if (key !== undefined) this.block(key)
  }

  #placeOf(key: bigint): number | undefined {
    const count = Atomics.load(this.#fields, 0)
    for (let n = 0; n < MAX_BLOCKS && n < count; n++)
      if (Atomics.load(this.#fields, 1 + 2 * n) === key) return n
    return undefined
  }
}

/** The module that a thread runs, for the thread that may have to end it. */
export class RunningModule {
  readonly memory: SharedArrayBuffer
  readonly #fields: BigInt64Array

  constructor(memory = new SharedArrayBuffer(2 * FIELD_BYTES)) {
    this.memory = memory
    this.#fields = new BigInt64Array(memory)
  }

  set({ key, sinceMs }: ModuleCallMark): void {
    this.#fields[1] = BigInt(Math.floor(performance.timeOrigin + sinceMs))
    this.#fields[0] = key
  }

  clear(): void {
    this.#fields[0] = NONE
  }

  /** The key of the module to blame for a job that took `jobMs`; undefined if no call took much of that time. */
  toBlame(jobMs: number): bigint | undefined {
    const [key = NONE, since = NONE] = this.#fields
    return key !== NONE && now() - Number(since) >= BLAMED_SHARE * jobMs ? key : undefined
  }
}

/** For the modules of a thread. */
export function moduleGuard(
  blocks: ModuleBlocks,
  running: Pick<RunningModule, 'set' | 'clear'>,
): ModuleGuard {
  return {
    blockedForMs: (key) => blocks.blockedForMs(key),
    runs: (call) => (call === undefined ? running.clear() : running.set(call)),
    ranOutOfTime: (calls, pageMs) => {
      const nowMs = performance.now()
      const blamed = calls.findLast(({ sinceMs }) => nowMs - sinceMs >= BLAMED_SHARE * pageMs)
      if (blamed !== undefined) blocks.block(blamed.key)
    },
  }
}
