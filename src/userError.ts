/** The message says all that the person at the command line needs to know, so the command prints it without a trace. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
  /** Status that the command exits with. */
  readonly exitStatus: number = 1
}
