/** Builds the product once before all tests: threads, processes and commands run `dist`, which must be today's code. */
import { join } from 'node:path'
import { build, bundle } from '../../build.mjs'

const ROOT = join(import.meta.dirname, '../..')

/** Set in the process that runs all projects of vitest.config.ts, each of which calls `setup`. */
const DONE = Symbol.for('palimpsest.compiled')

export async function setup(): Promise<void> {
  if (DONE in globalThis) return
  Object.assign(globalThis, { [DONE]: true })
  await build()
  await bundle({ modules: join(ROOT, 'test/support/modules.ts') }, join(ROOT, 'dist/.test'))
}
