/** `palimpsest verify`: checks a whole store. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config.js'
import { originalProblems } from '../files/verifyOriginals.js'
import { Store } from '../storage/store.js'
import { digestStore } from '../storage/verify/digest.js'
import { verifyStore } from '../storage/verify/verify.js'
import { formatCount } from './import/progress.js'

export function addVerifyCommand(program: Command): void {
  const command = program
    .command('verify')
    .description('walk the whole store and compare every text, list and counter with what it must be')
    .option('--digest', 'also print one hash over the state of the store')
    .option('--files', 'also read the contents of all files and compare their hashes')
  addSettings(command, 'verify').action(async (options: { digest?: boolean; files?: boolean }) => {
    const { dataDir } = readSettings(givenFlags(command))
    const store = Store.open(dataDir)
    try {
      const onProgress = process.stderr.isTTY ? showPages : undefined
      const { pages, revisions, problems: found } = verifyStore(store, onProgress && { onProgress })
      const problems = [...found]
      const hashes = options.files ?? false
      for await (const problem of originalProblems(dataDir, store, { hashes })) problems.push(problem)
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
      for (const problem of problems) process.stdout.write(`${problem}\n`)
      const outcome = problems.length === 0 ? 'no problems' : `${formatCount(problems.length)} problems`
      process.stdout.write(`${formatCount(pages)} pages, ${formatCount(revisions)} revisions: ${outcome}\n`)
      if (options.digest) process.stdout.write(`digest ${digestStore(store)}\n`)
      if (problems.length > 0) process.exitCode = 1
    } finally {
      await store.close()
    }
  })
}

function showPages({ pages, revisions }: { pages: number; revisions: number }): void {
  if (pages % 1000 === 0)
    process.stderr.write(`\r${formatCount(pages)} pages, ${formatCount(revisions)} revisions`)
}
