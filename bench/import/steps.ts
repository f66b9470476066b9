/** Steps to compare the import with. Each does the work of the one before, and more. */
import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../support/machine.js'
import { PALIMPSEST } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'
import { measureRun, type Usage } from './measuredRun.js'

export const STEPS = {
  decompress: 'decompression alone',
  parse: 'decompression and XML parsing alone',
  read: "the importer's reader, no store",
  import: 'import',
} as const

export type StepName = keyof typeof STEPS

export interface StepUsage extends Usage {
  /** Bytes in the data folder after an import. */
  readonly storeBytes: number | undefined
}

/** Runs one step over a dump in a fresh process. Undefined if no program is installed for it. */
export async function runStep(
  sandbox: Sandbox,
  step: StepName,
  dump: string,
): Promise<StepUsage | undefined> {
  switch (step) {
    case 'decompress': {
      const decompressor = decompressorOf(dump)
      if (decompressor === undefined) return undefined
      const [command, ...args] = decompressor
      return withoutStore(await measureRun(sandbox, command, [...args, dump], { keepOutput: false }))
    }
    case 'parse':
      return withoutStore(await runScript(sandbox, 'countElements.js', dump))
    case 'read':
      return withoutStore(await runScript(sandbox, 'countPages.js', dump))
    case 'import': {
      const folder = sandbox.folder('store')
      const args = ['import', '--data-dir', folder, dump]
      const usage = await measureRun(sandbox, PALIMPSEST, args, { keepOutput: true })
      const storeBytes = folderBytes(folder)
      sandbox.remove(folder)
      return { ...usage, storeBytes }
    }
  }
}

function runScript(sandbox: Sandbox, script: string, dump: string): Promise<Usage> {
  const args = [join(import.meta.dirname, script), dump]
  return measureRun(sandbox, process.execPath, args, { keepOutput: true })
}

/**
 * The decompressor to compare with the importer's own. For bzip2 it is the same program with as many threads. For gzip,
 * which the importer unpacks on a separate thread, it is `gzip`.
 */
function decompressorOf(dump: string): readonly [command: string, ...args: string[]] | undefined {
  const lbzip2 = findProgram('lbzip2')
  const threads = availableParallelism() > 2 ? 2 : 1
  if (dump.endsWith('.bz2') && lbzip2 !== undefined) return [lbzip2, '-d', '-c', '-n', String(threads)]
  const program = findProgram(dump.endsWith('.bz2') ? 'bzip2' : 'gzip')
  return program === undefined ? undefined : [program, '-d', '-c']
}

const withoutStore = (usage: Usage): StepUsage => ({ ...usage, storeBytes: undefined })

/** Total size of all files below a folder. */
function folderBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
