/** A turn of the event loop that takes less is quiet. A stopping server waits for at most MOST_TURNS busy ones. */
const QUIET_MS = 0.1
const MOST_TURNS = 1000

/**
 * Waits for a quiet turn of the event loop, to its end. By then the server has accepted all connections that the system
 * had ready. Closing the port resets the rest, even when other processes listen on it.
 */
export async function quietTurn(): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const startMs = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    if (performance.now() - startMs < QUIET_MS) return
  }
}
