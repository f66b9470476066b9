/** `palimpsest expand`: expands templates and modules of texts, and opens a console on modules. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { addSettings, type Config, givenFlags, readSettings } from '../config/config.js'
import { SETTINGS } from '../config/settings.js'
import type { ExpandedText } from '../workers/expand/expandTasks.js'
import type { Expansions } from '../workers/expand/expansions.js'
import { addExamples } from './help.js'
import { readEachJsonLine } from './texts/jsonLines.js'
import { printableLines } from '../domain/printable.js'
import { exitWithTrouble, readStandardInput, readText, TextInputError, TROUBLE } from './texts/textInput.js'

/** Exit status when a module failed, or a limit left something out. */
const FAILED = 1
const STANDARD_INPUT = '-'
const DEFAULT_TITLE = 'Main Page'
/** Longest line of --jsonl: the longest text of a wiki, escaped in JSON. */
const MAX_LINE_BYTES = 16 * 2 ** 20

interface ExpandOptions {
  readonly title: string
  readonly pages?: string
  readonly jsonl?: boolean
  readonly lua?: boolean
}

export function addExpandCommand(program: Command): void {
  const command = program
    .command('expand')
    .summary('expand templates and modules of a text')
    .description(
      'Print a wikitext with its templates, parser functions and modules expanded. Templates come from the wiki in ' +
        '--data-dir, which may be served meanwhile, from --pages, or both. Errors of modules go to standard error.\n' +
        'Exit status: 1 when a module fails or a limit leaves something out, 2 when a text cannot be read.',
    )
    .argument('[file]', 'file with the wikitext; - is standard input')
    .option('--title <title>', 'title of the page that holds the text', DEFAULT_TITLE)
    .option(
      '--pages <dir>',
      'folder of pages, which come before those of the wiki. Paths are titles: Template:Note.wiki or Template/Note.wiki, ' +
        'Module/Note.lua',
    )
    .option(
      '--jsonl',
      'read {"title","text"} from each line of standard input, and print ' +
        '{"expanded","categories","errors","warnings","log"} for each; a line that cannot be read gives errors alone. ' +
        'The exit status is 0 with errors, too',
    )
    .option(
      '--lua',
      "open a console on modules, where p = require('Module:Note') and =p.main are lines; variables stay",
    )
  addSettings(command, 'expand')
  addExamples(command, [
    ['a text on the wiki in ./data', "echo '{{Note|Hello}}' | palimpsest expand -"],
    ['a template before it is saved', 'palimpsest expand --pages drafts test.wiki'],
    ['many texts', 'palimpsest expand --jsonl < texts.jsonl > expanded.jsonl'],
    ['modules, line by line', 'palimpsest expand --lua'],
  ])
  exitWithTrouble(command)
  command.action((file: string | undefined, options: ExpandOptions) => expand(file, options, command))
}

async function expand(file: string | undefined, options: ExpandOptions, command: Command): Promise<void> {
  const { title, jsonl = false, lua = false } = options
  if ([file !== undefined, jsonl, lua].filter(Boolean).length !== 1) {
    command.error('error: give a file, or - for standard input, or --jsonl, or --lua', { exitCode: TROUBLE })
  }
  const expansions = await openExpansions(readSettings(givenFlags(command)), options, command)
  try {
    if (lua) await openConsole(expansions, title)
    else if (jsonl) await expandStandardInput(expansions)
    else await expandFile(expansions, file ?? STANDARD_INPUT, title)
  } finally {
    await expansions.close()
  }
}

/** Loads the engine on demand, because other commands start faster without it. */
async function openExpansions(
  config: Config,
  { pages: pagesDir }: ExpandOptions,
  command: Command,
): Promise<Expansions> {
  const [{ Expansions }, { renderSettings }] = await Promise.all([
    import('../workers/expand/expansions.js'),
    import('../workers/html/renderTasks.js'),
  ])
  const { dataDir, luaTimeMs, renderTimeoutMs } = config
  const isNamed = dataDir !== SETTINGS.dataDir.default || givenFlags(command).dataDir !== undefined
  const hasWiki = isNamed || existsSync(join(dataDir, 'store/data.mdb'))
  if (!hasWiki && pagesDir === undefined) {
    process.stderr.write(
      `palimpsest: there is no wiki in ${dataDir}, so templates and modules are missing: name one with --data-dir, ` +
        'or a folder of pages with --pages\n',
    )
  }
  return new Expansions({
    dataDir: hasWiki ? dataDir : undefined,
    pagesDir,
    renderSettings: renderSettings(config),
    limitMs: luaTimeMs + renderTimeoutMs,
  })
}

async function expandFile(expansions: Expansions, file: string, title: string): Promise<void> {
  const text = file === STANDARD_INPUT ? await readStandardInput() : await readText(file)
  const answer = await expansions.run({ task: 'expand', title, text, nowMs: Date.now() })
  if (answer.result === 'evaluated') throw new Error('a text was evaluated')
  if (answer.result !== 'expanded') throw new TextInputError(answer.reason)
  const { expanded, errors, isWhole } = answer.text
  process.stdout.write(expanded.endsWith('\n') ? expanded : `${expanded}\n`)
  process.stderr.write(notesOn(answer.text))
  if (errors.length > 0 || !isWhole) process.exitCode = FAILED
}

/** Log, warnings and errors, for people. */
function notesOn({ errors, warnings, log }: ExpandedText): string {
  const lines = [
    ...log.map((line) => `log: ${line}`),
    ...warnings.map((warning) => `palimpsest: ${warning}`),
    ...errors.flatMap(({ message, traceback, within }) => [
      `palimpsest: ${message}`,
      ...traceback.map((line) => `  ${line}`),
      `  called in ${within.join(', in ')}`,
    ]),
  ]
  return lines.map((line) => `${printableLines(line)}\n`).join('')
}

async function expandStandardInput(expansions: Expansions): Promise<void> {
  async function* expandLines(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
    for await (const line of readEachJsonLine(input, ['title', 'text'], MAX_LINE_BYTES))
      yield `${JSON.stringify(await expandLine(expansions, line))}\n`
  }
  await pipeline(process.stdin, expandLines, process.stdout, { end: false })
}

/** Faults of a text become errors of its line. */
async function expandLine(
  expansions: Expansions,
  line: { readonly title: string; readonly text: string } | TextInputError,
): Promise<object> {
  if (line instanceof TextInputError) return { errors: [{ message: line.message }] }
  const answer = await expansions.run({ task: 'expand', ...line, nowMs: Date.now() })
  if (answer.result === 'evaluated') throw new Error('a text was evaluated')
  if (answer.result !== 'expanded') return { errors: [{ message: answer.reason }] }
  const { expanded, categories, errors, warnings, log } = answer.text
  return { expanded, categories, errors, warnings, log }
}

async function openConsole(expansions: Expansions, title: string): Promise<void> {
  const { LuaConsole } = await import('./expand/luaConsole.js')
  const failures = await new LuaConsole(expansions, title).run()
  if (failures > 0 && !process.stdin.isTTY) process.exitCode = FAILED
}
