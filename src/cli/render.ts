/** `palimpsest render`: makes the HTML of pages before anybody asks for it. */
import { type Command, InvalidArgumentError } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { readNamespaces, readThreads, wholeNumber } from './arguments.js'
import { addExamples } from './help.js'
import type { RenderFlags } from './render/runRender.js'

const DESCRIPTION =
  'Make the HTML of all pages that have none, the most linked pages first. Servers may run meanwhile.\n' +
  'A second run goes on where the first one ended, and makes what edits have made stale.\n' +
  'Settings that change HTML must be those of the server.\n' +
  'Exit status: 1 when a page has no HTML because of a fault, or the command was interrupted.'

export function addRenderCommand(program: Command): void {
  const command = program
    .command('render')
    .summary('make the HTML of all pages ahead of requests')
    .description(DESCRIPTION)
    .option('--namespace <list>', 'only these namespaces, by number: 0,14', readNamespaces)
    .option(
      '--threads <n>',
      'threads that render; by default one less than there are processors',
      readThreads,
    )
    .option('--limit <n>', 'make the HTML of this many pages, then end', readCount)
    .option(
      '--max-load <n>',
      'begin no page while the load average of the last minute is above this',
      readLoad,
    )
    .option('--quiet', 'print only errors, and the summary at the end')
  addSettings(command, 'render')
  addExamples(command, EXAMPLES)
  command.action(async (flags: RenderFlags) => {
    const { runRender } = await import('./render/runRender.js')
    await runRender(readSettings(givenFlags(command)), flags)
  })
}

const EXAMPLES: Parameters<typeof addExamples>[1] = [
  ['all pages', 'palimpsest render --data-dir data/simple'],
  [
    'the 1,000 most linked articles, on a busy machine',
    'palimpsest render --namespace 0 --limit 1000 --max-load 4',
  ],
]

const readCount = wholeNumber(10)

function readLoad(text: string): number {
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text)) throw new InvalidArgumentError('It must be a number from 0.')
  return Number(text)
}
