import { UserError } from '../runtime/userError.js'

/** The server cannot start. The message is complete for the operator. */
export class StartError extends UserError {
  override readonly name: string = 'StartError'
}

/** A server process died before it served, without a reason. Another one may succeed. */
export class EarlyEndError extends StartError {
  override readonly name = 'EarlyEndError'
}
