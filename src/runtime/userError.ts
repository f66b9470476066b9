/**
 * An error whose message is complete for the person at the command line: the command prints it without a stack trace.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError'
  /** Status that the command exits with. */
  readonly exitStatus: number = 1
}
