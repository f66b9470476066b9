/** `palimpsest erase`: takes words out of the wiki, its log and its file for good. */
import { type Command, InvalidArgumentError } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import type { EraseFlags } from './erase/erase.js'
import { addExamples } from './help.js'

export function addEraseCommand(program: Command): void {
  const command = program
    .command('erase')
    .summary('erase pages, revisions or names for good')
    .description(
      'Take words out of the wiki, its log and its file, so that they occur nowhere in the data folder.\n' +
        'Says what will go, and asks. Nobody can undo it. Servers may run meanwhile.',
    )
    .option('--page <title>', 'erase a page with its history, its protection, and the file of that name')
    .option('--page-id <id>', 'erase the page with this id', parseId)
    .option('--revision <id...>', 'erase text and comment of revisions; the revisions stay', parseIds)
    .option('--user <name>', 'erase a name: its account, and the name of its revisions')
    .option('--text', 'with --revision: the text only')
    .option('--comment', 'with --revision: the comment only')
    .option('--yes', 'do not ask')
  addSettings(command, 'erase')
  addExamples(command, [
    ['two revisions', 'palimpsest erase --revision 17 23'],
    ['finish erasures that were interrupted', 'palimpsest erase'],
  ])
  command.action(async (flags: EraseFlags) => {
    const { page, pageId, revision, user, text, comment } = flags
    const subjects = [page, pageId, revision, user].filter((subject) => subject !== undefined)
    if (subjects.length > 1)
      return command.error('error: name only one of --page, --page-id, --revision and --user')
    if ((text || comment) && revision === undefined)
      return command.error('error: --text and --comment go with --revision')
    const { erase } = await import('./erase/erase.js')
    await erase(readSettings(givenFlags(command)), flags)
  })
}

function parseId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > 0xffffffff) throw new InvalidArgumentError('It must be a whole number from 1.')
  return id
}

const parseIds = (text: string, before: number[] | undefined): number[] => [...(before ?? []), parseId(text)]
