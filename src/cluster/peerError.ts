/** A node does not answer, refuses, or sends something wrong. */
export class PeerError extends Error {
  override readonly name = 'PeerError'
}
