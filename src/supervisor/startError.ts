/** A server cannot start where and as it should; the message says all that the operator needs. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
