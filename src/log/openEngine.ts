/** Opens the engine that an address names. Each engine is loaded only when it is chosen. */
import { type LogEngine, UnusableEngineError } from './logEngine.js'

/**
 * `address`: `postgres://…` or `nats://…`, see docs/cluster.md. Throws an UnusableEngineError for an address that no
 * engine understands, and an EngineError when the engine cannot be reached.
 */
export async function openEngine(address: string): Promise<LogEngine> {
  // Addresses of NATS can name several hosts, which no URL does.
  switch (/^[a-z]+:/.exec(address)?.[0] ?? '') {
    case 'postgres:':
    case 'postgresql:': {
      if (!URL.canParse(address)) break
      const { openPostgresEngine } = await import('./postgres/postgresEngine.js')
      return openPostgresEngine(new URL(address))
    }
    case 'nats:':
    case 'tls:': {
      const { openJetStreamEngine } = await import('./jetstream/jetStreamEngine.js')
      return openJetStreamEngine(address)
    }
  }
  throw new UnusableEngineError('the address of a log begins with postgres://, nats:// or tls://')
}
