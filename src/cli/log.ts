/** `palimpsest log`: lists the log's entries, and cuts its beginning off. */
import { type Command, InvalidArgumentError } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { parseTimestamp } from '../domain/timestamp.js'
import { addExamples } from './help.js'
import type { LogPlace } from './log/entries.js'

export function addLogCommand(program: Command): void {
  const log = program.command('log').summary('list or cut the log').description('List the log, or cut it.')
  addShow(log)
  addCut(log)
}

function addShow(log: Command): void {
  const show = log
    .command('show')
    .summary('list the entries of the log')
    .description('List the changes of the wiki that the log has, one line each, oldest first.')
    .option('--after <n>', 'begin after this entry', parseSequence, 0)
    .option('--json', 'print one JSON object a line, without texts')
  addSettings(show, 'log')
  show.action(async ({ after, json }: { after: number; json?: true }) => {
    const { showLog } = await import('./log/entries.js')
    await showLog(readSettings(givenFlags(show)).dataDir, { after, json: json ?? false })
  })
}

function addCut(log: Command): void {
  const cut = log
    .command('cut')
    .summary("cut the log's beginning off")
    .description(
      "Remove the log's entries before an entry or a day. The wiki stays as it is, and the rest still proves itself.\n" +
        'A replay then needs a copy of the store from before.',
    )
    .requiredOption(
      '--before <when>',
      'number of the first entry to keep, or a day such as 2030-12-31',
      parsePlace,
    )
  addSettings(cut, 'log')
  addExamples(cut, [['keep the entries of this year', 'palimpsest log cut --before 2027-01-01']])
  cut.action(async ({ before }: { before: LogPlace }) => {
    const { cutBefore } = await import('./log/entries.js')
    await cutBefore(readSettings(givenFlags(cut)).dataDir, before)
  })
}

function parseSequence(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of an entry.')
}

function parsePlace(text: string): LogPlace {
  if (/^\d{1,15}$/.test(text)) return { sequence: Number(text) }
  const time = parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (time === undefined)
    throw new InvalidArgumentError('It must be the number of an entry, or a day such as 2030-12-31.')
  return { time }
}
