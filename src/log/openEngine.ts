/** Opens the engine that an address names. Its package is loaded only then. */
import { type LogEngine, UnusableEngineError } from './logEngine.js'

/**
 * `address`: `postgres://…`, see docs/cluster.md. Throws an UnusableEngineError for an address that no engine
 * understands, and an EngineError when the engine cannot be reached.
 */
export async function openEngine(address: string): Promise<LogEngine> {
  if (/^postgres(?:ql)?:/.test(address) && URL.canParse(address)) {
    const { openPostgresEngine } = await import('./postgres/postgresEngine.js')
    return openPostgresEngine(new URL(address))
  }
  throw new UnusableEngineError('the address of a log begins with postgres://')
}
