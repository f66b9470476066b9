import { UserError } from '../runtime/userError.js'

/** The request is impossible; the message gives the reason. */
export class CommandError extends UserError {
  override readonly name = 'CommandError'
}
