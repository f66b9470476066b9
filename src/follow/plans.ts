/** Writes plans batch by batch; the last batch moves the position. */
import { setImmediate as turn } from 'node:timers/promises'
import type { UpstreamStates } from '../domain/upstream.js'
import type { PlaceWriter, Move } from './placeWriter.js'
import type { RemovalGuard } from './removalGuard.js'
import { batchesOf, NOTHING, type ReadFile } from './states/batches.js'
import type { Mirror } from './mirror.js'
import type { Plan } from './states/plan.js'
import type { Texts } from './states/texts.js'

export interface PlanTools {
  readonly mirror: Mirror
  readonly texts: Texts
  readonly readFile: ReadFile
  readonly writer: PlaceWriter
  readonly guard: RemovalGuard
  readonly signal: AbortSignal
}

export class Plans {
  readonly #tools: PlanTools

  constructor(tools: PlanTools) {
    this.#tools = tools
  }

  /**
   * Writes a plan. `move` goes with its last batch, or alone. Without `move`, the position stays, and
   * a plan without differences writes nothing.
   */
  async write(plan: Plan, move?: Move): Promise<void> {
    const { writer, guard, signal } = this.#tools
    guard.check(plan)
    let last: UpstreamStates | undefined
    for await (const batch of batchesOf(plan, this.#tools)) {
      if (last !== undefined) writer.write(last)
      last = batch
      // Between two transactions, requests under way and signals have their turn.
      await turn()
      signal.throwIfAborted()
    }
    if (last !== undefined || move !== undefined) writer.write(last ?? NOTHING, move)
  }
}
