/** Messages between the supervisor and its server processes: JSON over the channel of `fork`. */
import type { GivenFlags } from '../config/config.js'
import type { Figure } from '../metrics/figures.js'

export type ToServer =
  /**
   * Open the store and listen on the shared port. The process reads its settings itself, from these flags and the
   * environment. It may be a newer version, with settings and defaults that the supervisor does not know.
   */
  | { readonly kind: 'start'; readonly flags: GivenFlags; readonly processNumber: number }
  /** Stop listening, finish open requests, exit. */
  | { readonly kind: 'stop' }
  /** Report your figures. */
  | { readonly kind: 'collect'; readonly question: number }
  /** The figures of all processes, in answer to `collectAll`. */
  | {
      readonly kind: 'collected'
      readonly question: number
      readonly processes: readonly (readonly Figure[])[]
    }
  /** The turn that `askTurn` asked for. */
  | { readonly kind: 'turn'; readonly question: number; readonly restsMs: number }

export type FromServer =
  | { readonly kind: 'listening' }
  /** The process cannot start. The message is complete for the operator. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The answer to `collect`. */
  | { readonly kind: 'figures'; readonly question: number; readonly figures: readonly Figure[] }
  /** A client requests the figures of all processes. */
  | { readonly kind: 'collectAll'; readonly question: number }
  /** The process wants a turn at the followed wiki, and ends it: see turns.ts. */
  | { readonly kind: 'askTurn'; readonly question: number }
  | { readonly kind: 'endTurn'; readonly question: number; readonly restMs: number }
