/** `palimpsest diff`: compares two files, or many pairs of texts, as the server compares revisions. */
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { ThaiBreaker } from '../diff/thaiBreaks.js'
import { addExamples } from './help.js'
import { readJsonLines } from './texts/jsonLines.js'
import { exitWithTrouble, readText, TROUBLE } from './texts/textInput.js'

const NEWLINE = Buffer.from('\n')

interface DiffOptions {
  readonly json?: boolean
  readonly jsonl?: boolean
  readonly thaiDictionary: string
}

export function addDiffCommand(program: Command): void {
  const command = program
    .command('diff')
    .summary('compare two files by line and word')
    .description(
      'Compare two files by line and word, as the server compares revisions.\n' +
        'Exit status: 2 when a text cannot be read, else 0.',
    )
    .argument('[from]', 'file with the old text')
    .argument('[to]', 'file with the new text')
    .option('--json', 'print the JSON array that the server answers with')
    .option(
      '--jsonl',
      'read a pair {"from","to"} from each line of standard input, and print a JSON array for each',
    )
    .option(
      '--thai-dictionary <file>',
      "dictionary of libthai for Thai texts; auto takes that of Debian's package libthai-data, none takes ICU",
      'auto',
    )
  addExamples(command, [
    ['two files', 'palimpsest diff old.wiki new.wiki'],
    ['many pairs', 'palimpsest diff --jsonl < pairs.jsonl > differences.jsonl'],
  ])
  exitWithTrouble(command)
  command.action(async (from: string | undefined, to: string | undefined, options: DiffOptions) => {
    if (options.jsonl && from === undefined) return compareStandardInput(options)
    if (options.jsonl || from === undefined || to === undefined) {
      return command.error('error: give either two files or --jsonl', { exitCode: TROUBLE })
    }
    return compareFiles(from, to, options)
  })
}

/** Loads the diff engine on demand, so that other commands start without it. */
async function compareFiles(fromPath: string, toPath: string, options: DiffOptions): Promise<void> {
  const [{ compare, compareLines }, { layOutDiff }] = await Promise.all([
    import('../diff/compare.js'),
    import('./diff/coloredDiff.js'),
  ])
  const [from, to] = await Promise.all([readText(fromPath), readText(toPath)])
  const thaiBreaker = (await thaiBreakersOf(options))()
  if (options.json) process.stdout.write(`${compare(from, to, { thaiBreaker }).toString()}\n`)
  else process.stdout.write(layOutDiff(compareLines(from, to, { thaiBreaker }), takesColors()))
}

async function compareStandardInput(options: DiffOptions): Promise<void> {
  const { compare } = await import('../diff/compare.js')
  const thaiBreakers = await thaiBreakersOf(options)
  async function* compareLines(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const { from, to } of readJsonLines(input, ['from', 'to'])) {
      yield Buffer.concat([compare(from, to, { thaiBreaker: thaiBreakers() }), NEWLINE])
    }
  }
  await pipeline(process.stdin, compareLines, process.stdout, { end: false })
}

/** Reads the dictionary when the first Thai text comes. */
async function thaiBreakersOf({ thaiDictionary }: DiffOptions): Promise<() => ThaiBreaker> {
  const { readThaiDictionary, thaiBreakers } = await import('../workers/compute/thaiDictionaryFile.js')
  return thaiBreakers(() => {
    const { bytes, fault } = readThaiDictionary(thaiDictionary)
    if (fault !== undefined)
      process.stderr.write(`palimpsest: ${fault}: ICU cuts the words of Thai texts instead\n`)
    return bytes
  })
}

/** Whether standard output is a terminal with colours. Respects NO_COLOR. */
function takesColors(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors()
}
