/** What the supervisor and its server processes tell each other, as JSON over the channel of `fork`. */
import type { GivenFlags } from '../config/config.js'
import type { Figure } from '../metrics/figures.js'

export type ToServer =
  /**
   * Open the store and listen, on a port that others share. The process reads its settings itself, from these flags and
   * the environment: it may be of a newer version, with settings and defaults that the supervisor does not know.
   */
  | { readonly kind: 'start'; readonly flags: GivenFlags; readonly processNumber: number }
  /** Stop listening, finish, end. */
  | { readonly kind: 'stop' }
  /** Tell your figures. */
  | { readonly kind: 'collect'; readonly question: number }
  /** The figures that were asked for. */
  | {
      readonly kind: 'collected'
      readonly question: number
      readonly processes: readonly (readonly Figure[])[]
    }

export type FromServer =
  | { readonly kind: 'listening' }
  /** It cannot start; the message says all that the operator needs. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The answer to `collect`. */
  | { readonly kind: 'figures'; readonly question: number; readonly figures: readonly Figure[] }
  /** Somebody wants the figures of all processes. */
  | { readonly kind: 'collectAll'; readonly question: number }
