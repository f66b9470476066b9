/** `palimpsest verify`: checks a whole store. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { formatCount } from './import/progress.js'

export function addVerifyCommand(program: Command): void {
  const command = program
    .command('verify')
    .summary('check the store for damage')
    .description(
      'Check the whole store: recompute every page, text, list and counter, and report differences.\n' +
        'Exit status: 1 when there are problems.',
    )
    .option('--digest', 'also print a hash over the state of the store')
    .option('--files', 'also read the contents of all files, and compare their hashes')
  addSettings(command, 'verify').action(async (options: { digest?: boolean; files?: boolean }) => {
    const { dataDir } = readSettings(givenFlags(command))
    await requireStore(dataDir)
    const { showReading, verifyInProcess } = await import('./verify/verifyInProcess.js')
    const { isTTY } = process.stderr
    const found = await verifyInProcess({
      dataDir,
      digest: options.digest ?? false,
      hashes: options.files ?? false,
      ...(isTTY && { onReading: showReading() }),
    })
    const { pages, revisions, digest, problems } = found
    if (isTTY) process.stderr.write('\r\x1b[K')
    for (const problem of problems) process.stdout.write(`${problem}\n`)
    const outcome = problems.length === 0 ? 'no problems' : `${formatCount(problems.length)} problems`
    process.stdout.write(`${formatCount(pages)} pages, ${formatCount(revisions)} revisions: ${outcome}\n`)
    if (digest !== undefined) process.stdout.write(`digest ${digest}\n`)
    if (problems.length > 0) process.exitCode = 1
  })
}

/** When the store is missing, `Store.open` throws an error with advice. */
async function requireStore(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'store/data.mdb'))) return
  const { Store } = await import('../storage/store.js')
  await Store.open(dataDir).close()
}
