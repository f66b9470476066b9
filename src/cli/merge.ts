/** `palimpsest merge`: merges two edits of one text as the server does on an edit conflict, from files or a stream. */
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { addExamples } from './help.js'
import { readJsonLines } from './texts/jsonLines.js'
import { exitWithTrouble, readText, TROUBLE } from './texts/textInput.js'

/** Exit status of an edit conflict. */
const CONFLICT = 1

export function addMergeCommand(program: Command): void {
  const command = program
    .command('merge')
    .summary('merge two edits of one text')
    .description(
      'Merge two edits of one text, as the server does on an edit conflict.\n' +
        'Print the merged text, which ends with one newline.\n' +
        'Exit status: 1 when the edits conflict, 2 when a text cannot be read.',
    )
    .argument('[mine]', 'file with one edit')
    .argument('[base]', 'file with the text that both edits began with')
    .argument('[theirs]', 'file with the other edit')
    .option(
      '--jsonl',
      'read {"mine","base","theirs"} from each line of standard input, and print {"clean":true,"text"} or ' +
        '{"clean":false} for each; the exit status is 0 with conflicts, too',
    )
  addExamples(command, [['three files', 'palimpsest merge mine.wiki base.wiki theirs.wiki > merged.wiki']])
  exitWithTrouble(command)
  command.action(async (...[mine, base, theirs, { jsonl = false }]: MergeArguments) => {
    if (jsonl && mine === undefined) return mergeStandardInput()
    if (jsonl || mine === undefined || base === undefined || theirs === undefined) {
      return command.error('error: give either three files or --jsonl', { exitCode: TROUBLE })
    }
    return mergeFiles(mine, base, theirs)
  })
}

type MergeArguments = [
  mine: string | undefined,
  base: string | undefined,
  theirs: string | undefined,
  options: { readonly jsonl?: boolean },
]

/** Loads the merge engine on demand, so that other commands start without it. */
async function mergeFiles(minePath: string, basePath: string, theirPath: string): Promise<void> {
  const { merge3 } = await import('../diff/merge3.js')
  const [mine, base, theirs] = await Promise.all([
    readText(minePath),
    readText(basePath),
    readText(theirPath),
  ])
  const merge = merge3(mine, base, theirs)
  if (merge.clean) {
    process.stdout.write(merge.text)
    return
  }
  process.stderr.write(
    `palimpsest: ${minePath} and ${theirPath} conflict: both change the same lines, or neighbouring ones, of ${basePath}\n`,
  )
  process.exitCode = CONFLICT
}

async function mergeStandardInput(): Promise<void> {
  const { merge3 } = await import('../diff/merge3.js')
  async function* mergeLines(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
    for await (const { mine, base, theirs } of readJsonLines(input, ['mine', 'base', 'theirs'])) {
      yield `${JSON.stringify(merge3(mine, base, theirs))}\n`
    }
  }
  await pipeline(process.stdin, mergeLines, process.stdout, { end: false })
}
