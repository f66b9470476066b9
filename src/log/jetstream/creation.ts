/** Makes the stream of a log. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError, LogExistsError, type LogOrigin } from '../logEngine.js'
import type { JetStreamAddress } from './address.js'
import type { Link } from './connector.js'
import { CODES, codeOf, isNamed } from './failures.js'
import { configFor } from './stream.js'

/** Three servers may need some seconds to choose a leader. */
const LIMIT_MS = 15_000
const PAUSE_MS = 250

/** Resolves when the stream takes records. A second log under the name, with another epoch, is a LogExistsError. */
export async function createStream(link: Link, address: JetStreamAddress, origin: LogOrigin): Promise<void> {
  const replicas = address.replicas ?? (link.server.cluster === undefined ? 1 : 3)
  const config = configFor({ name: address.stream, retentionMs: address.retentionMs, replicas }, origin)
  const endMs = performance.now() + LIMIT_MS
  // The server answers a repeated request for the same stream as it answered the first one.
  await untilAnswered(link, endMs, () => link.streams.streams.add(config)).catch((error: unknown) => {
    if (codeOf(error) !== CODES.streamNameInUse) throw error
    throw new LogExistsError(`there is a stream ${address.stream} already`, { cause: error })
  })
  for (;;) {
    const { cluster } = await untilAnswered(link, endMs, () => link.streams.streams.info(address.stream))
    if (cluster === undefined || cluster.name === undefined || cluster.leader) return
    if (performance.now() > endMs) throw new EngineError(`the servers of ${address.stream} chose no leader`)
    await sleep(PAUSE_MS)
  }
}

async function untilAnswered<T>(link: Link, endMs: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      // Servers that have just started do not know all others yet.
      const mayPass = isNamed(error, 'TimeoutError') || codeOf(error) === CODES.noPeersForReplicas
      if (!mayPass || link.lost.aborted || performance.now() > endMs) throw error
      await sleep(PAUSE_MS)
    }
  }
}
