/** What an operator should change about the servers. */
import type { ServerInfo } from '@nats-io/transport-node'
import { ADVISED, isOlder } from './versions.js'

const ADVISED_PAYLOAD = 4 * 1024 * 1024
const MONITOR_MS = 2000

export function serverWarnings({ version, max_payload: maxPayload }: ServerInfo): string[] {
  const warnings: string[] = []
  if (isOlder(version, ADVISED)) {
    warnings.push(
      `nats-server ${version} can lose records when servers join, leave or send snapshots: use ${ADVISED} or later`,
    )
  }
  if (maxPayload < ADVISED_PAYLOAD) {
    warnings.push(
      `nats-server takes records up to ${maxPayload} bytes, and edits of long pages are larger: set max_payload to 8MB`,
    )
  }
  return warnings
}

/** Whether servers flush each record before they acknowledge it. `monitors`: URLs of their monitoring ports. */
export async function flushWarnings(monitors: readonly string[]): Promise<string[]> {
  if (monitors.length === 0) {
    return [
      'nobody checks whether JetStream flushes each record to the disk: name the monitoring port with ' +
        '`?monitor=http://HOST:8222`, and set `sync_interval: always`',
    ]
  }
  const warnings = await Promise.all(monitors.map(flushWarning))
  return warnings.filter((warning) => warning !== undefined)
}

async function flushWarning(monitor: string): Promise<string | undefined> {
  let answer: { jetstream?: { config?: { sync_always?: boolean } } }
  try {
    const response = await fetch(new URL('/varz', monitor), { signal: AbortSignal.timeout(MONITOR_MS) })
    if (!response.ok) return `the monitoring port ${monitor} answers ${response.status}`
    answer = (await response.json()) as typeof answer
  } catch (error) {
    const { cause, message } = error as Error
    return `the monitoring port ${monitor} does not answer: ${cause instanceof Error ? cause.message : message}`
  }
  if (answer.jetstream?.config?.sync_always === true) return undefined
  return (
    `JetStream at ${monitor} acknowledges records before they are on the disk: a power cut loses them. ` +
    'Set `sync_interval: always` in its section `jetstream`'
  )
}
