/** Opens the engine that an address names. Each engine is loaded only when it is chosen. */
import { type LogEngine, UnusableEngineError } from './logEngine.js'

/**
 * `address`: `postgres://…` or `nats://…`, see docs/cluster.md. Throws an UnusableEngineError for an address that no
 * engine understands, and an EngineError when the engine cannot be reached.
 */
export async function openEngine(address: string): Promise<LogEngine> {
  const url = new URL(URL.canParse(address) ? address : 'none:')
  switch (url.protocol) {
    case 'postgres:':
    case 'postgresql:': {
      const { openPostgresEngine } = await import('./postgres/postgresEngine.js')
      return openPostgresEngine(url)
    }
    default:
      throw new UnusableEngineError('the address of a log begins with postgres://')
  }
}
