/** Compiles the product once before all tests: threads, processes and commands run `dist`, which must be today's code. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export function setup(): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' })
}
