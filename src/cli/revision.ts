/** `palimpsest revision`: hides parts of single revisions, and shows them again. */
import { type Command, InvalidArgumentError } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import type { HideChange, RevisionPart } from '../storage/administration.js'
import type { Verdict } from '../storage/entries.js'
import { applyChange, CommandError, withStore } from './storeAccess.js'

type Parts = Partial<Record<RevisionPart, true>>

export function addRevisionCommand(program: Command): void {
  const revision = program.command('revision').description('hide or show parts of revisions')
  const descriptions = [
    ['hide', true, 'hide parts of a revision; the store keeps them'],
    ['show', false, 'show hidden parts of a revision again'],
  ] as const
  for (const [name, hide, description] of descriptions) {
    const command = revision
      .command(name)
      .description(description)
      .argument('<id>', 'id of the revision', parseRevisionId)
      .option('--text', 'its text; never that of the latest revision of a page')
      .option('--comment', 'its summary')
      .option('--user', 'who made it')
    addSettings(command, 'revision').action((id: number, { text, comment, user }: Parts) => {
      if (!text && !comment && !user) {
        return command.error('error: say --text, --comment or --user (add --help for the flags)')
      }
      const parts = {
        ...(text && { text: hide }),
        ...(comment && { comment: hide }),
        ...(user && { user: hide }),
      }
      return changeRevision(readSettings(givenFlags(command)).dataDir, {
        kind: 'hide',
        revisionId: id,
        ...parts,
      })
    })
  }
}

function parseRevisionId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > 0xffffffff) throw new InvalidArgumentError('It must be the id of a revision.')
  return id
}

function changeRevision(dataDir: string, change: HideChange): Promise<void> {
  return withStore(dataDir, (store) => {
    const fault = faultOf(applyChange(store, change), change.revisionId)
    if (fault !== undefined) throw new CommandError(fault)
    const row = store.getRevision(change.revisionId)
    const flags = { text: row?.textHidden, comment: row?.commentHidden, user: row?.userHidden }
    const hidden = Object.entries(flags).flatMap(([part, isHidden]) => (isHidden ? [part] : []))
    const state = hidden.length === 0 ? 'nothing' : hidden.join(', ')
    process.stdout.write(`revision ${change.revisionId}: hidden is ${state}\n`)
  })
}

function faultOf(verdict: Verdict, id: number): string | undefined {
  if (verdict.result === 'missing') return `there is no revision ${id}`
  if (verdict.result === 'latest-text') {
    return `revision ${id} is the latest of its page, whose text cannot be hidden: edit the page first`
  }
  if (verdict.result === 'part-unknown') return `the store never had the ${verdict.part} of revision ${id}`
  return undefined
}
