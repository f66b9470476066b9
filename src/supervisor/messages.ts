/** What the supervisor and its server processes tell each other, as JSON over the channel of `fork`. */
import type { Config } from '../config.js'

export type ToServer =
  /** Open the store and listen, on a port that others share. */
  | { readonly kind: 'start'; readonly config: Config; readonly processNumber: number }
  /** Stop listening, finish, end. */
  | { readonly kind: 'stop' }

export type FromServer =
  | { readonly kind: 'listening' }
  /** It cannot start; the message says all that the operator needs. */
  | { readonly kind: 'failed'; readonly message: string }
