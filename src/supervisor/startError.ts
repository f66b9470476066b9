import { UserError } from '../userError.js'

/** A server cannot start where and as it should; the message says all that the operator needs. */
export class StartError extends UserError {
  override readonly name: string = 'StartError'
}

/** A server process ended before it served and gave no reason: the next one may fare better. */
export class EarlyEndError extends StartError {
  override readonly name = 'EarlyEndError'
}
