/** An error of the action API. The answer has status 200, and the error in its body and in a header. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
  readonly code: string

  /** `info` is the English text. */
  constructor(code: string, info: string) {
    super(info)
    this.code = code
  }
}

export const missingParameter = (name: string): ActionError =>
  new ActionError('missingparam', `The "${name}" parameter must be set.`)
