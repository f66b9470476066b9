/** Compiles the product once before all tests: threads, processes and commands run `dist`, which must be today's code. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Set in the process that runs all projects of vitest.config.ts, each of which calls `setup`. */
const DONE = Symbol.for('palimpsest.compiled')

export function setup(): void {
  if (DONE in globalThis) return
  Object.assign(globalThis, { [DONE]: true })
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' })
}
