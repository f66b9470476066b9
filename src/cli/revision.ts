/** `palimpsest revision`: hides parts of revisions, and shows them again. */
import { type Command, InvalidArgumentError } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import type { HideChange, RevisionPart } from '../storage/entries/administration.js'
import type { Verdict } from '../storage/entries/entries.js'
import { CommandError } from './commandError.js'
import { type StorePlace, withStore } from './storeAccess.js'

type Parts = Partial<Record<RevisionPart, true>>

export function addRevisionCommand(program: Command): void {
  const revision = program
    .command('revision')
    .summary('hide parts of revisions')
    .description('Hide parts of revisions from readers, or show them again.')
  const descriptions = [
    ['hide', true, 'Hide parts of a revision. The store keeps them.'],
    ['show', false, 'Show hidden parts of a revision again.'],
  ] as const
  for (const [name, hide, description] of descriptions) {
    const command = revision
      .command(name)
      .summary(`${name} parts of a revision`)
      .description(description)
      .argument('<id>', 'id of the revision', parseRevisionId)
      .option('--text', 'its text; the text of the latest revision of a page cannot be hidden')
      .option('--comment', 'its edit summary')
      .option('--user', 'name of its editor')
    addSettings(command, 'revision').action((id: number, { text, comment, user }: Parts) => {
      if (!text && !comment && !user) {
        return command.error('error: name --text, --comment, --user, or several of them')
      }
      const parts = {
        ...(text && { text: hide }),
        ...(comment && { comment: hide }),
        ...(user && { user: hide }),
      }
      return changeRevision(readSettings(givenFlags(command)), {
        kind: 'hide',
        revisionId: id,
        ...parts,
      })
    })
  }
}

function parseRevisionId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > 0xffffffff)
    throw new InvalidArgumentError('It must be the id of a revision, a whole number from 1.')
  return id
}

function changeRevision(place: StorePlace, change: HideChange): Promise<void> {
  return withStore(place, async (store, apply) => {
    const fault = faultOf(await apply(change), change.revisionId)
    if (fault !== undefined) throw new CommandError(fault)
    const row = store.getRevision(change.revisionId)
    const flags = { text: row?.textHidden, comment: row?.commentHidden, user: row?.userHidden }
    const hidden = Object.entries(flags).flatMap(([part, isHidden]) => (isHidden ? [part] : []))
    const state = hidden.length === 0 ? 'nothing' : hidden.join(', ')
    process.stdout.write(`revision ${change.revisionId}: hidden: ${state}\n`)
  })
}

function faultOf(verdict: Verdict, id: number): string | undefined {
  if (verdict.result === 'missing') return `there is no revision ${id}`
  if (verdict.result === 'latest-text') {
    return `revision ${id} is the latest of its page, so its text cannot be hidden: save another text first`
  }
  if (verdict.result === 'part-unknown')
    return `revision ${id} came without its ${verdict.part}, so nobody can show it`
  return undefined
}
