/** Time limits of an orphan process, which must end within 2 seconds of its supervisor. */

/** Time for open requests. */
export const ORPHAN_DRAIN_MS = 1000
/** Time for everything, from the moment the process notices. */
export const ORPHAN_MS = 1500
