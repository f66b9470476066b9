/** What a server process may still do when its supervisor is gone: it is to be gone itself within 2 seconds. */

/** Time for open requests. */
export const ORPHAN_DRAIN_MS = 1000
/** Time for all, from when the process notices. */
export const ORPHAN_MS = 1500
