/** Loads the package `pg` when this engine is chosen. It is optional. */
import type * as Postgres from 'pg'
import { UnusableEngineError } from '../logEngine.js'

export type PostgresPackage = Pick<typeof Postgres, 'Client' | 'Pool'>

/** Throws an UnusableEngineError when the package is not installed. `load` is another loader, for tests. */
export async function loadPostgres(
  load: () => Promise<{ default: PostgresPackage }> = () => import('pg'),
): Promise<PostgresPackage> {
  try {
    return (await load()).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UnusableEngineError(
      'a log on PostgreSQL needs the package pg: run "npm install pg@8.23.1" in the folder of the program',
      { cause: error },
    )
  }
}
