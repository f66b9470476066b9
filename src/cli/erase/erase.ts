/** Erases what the command line names, and finishes what earlier commands left. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { removeContents } from '../../files/removeContents.js'
import { eraseAll, type EraseStage, hasErasures, requestUser } from '../../storage/erase/eraser.js'
import type { PageSummary, Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { formatCount } from '../import/progress.js'
import { type ApplyChange, confirm, requireTitle, type StorePlace, withStore } from '../storeAccess.js'
import { FILE } from '../../domain/namespaceIds.js'
import { prefixedText } from '../../domain/title.js'
import type { EraseChange, RevisionPart } from '../../storage/entries/administration.js'

/** Flags of `palimpsest erase`. */
export interface EraseFlags {
  readonly page?: string
  readonly pageId?: number
  readonly revision?: number[]
  readonly user?: string
  readonly text?: true
  readonly comment?: true
  readonly yes?: true
}

/** How often free pages are looked at that readers still see, and for how long. */
const TRIES = 20
const PAUSE_MS = 250

export async function erase(place: StorePlace, flags: EraseFlags): Promise<void> {
  await withStore(place, async (store, apply) => {
    const subject = findSubject(store, flags)
    if (subject !== undefined) {
      process.stdout.write(`${subject.description}\n`)
      if (!flags.yes && !(await confirm('Erase this for good?'))) throw new CommandError('nothing was erased')
      await begin(store, apply, subject)
    } else if (!hasErasures(store)) {
      process.stdout.write('nothing is left to erase\n')
      return
    }
    const held = await finish(store, place.dataDir, apply)
    process.stdout.write('erased\n')
    if (held === 0) return
    throw new CommandError(
      `${formatCount(held)} free pages of the file still have old bytes, since a reader sees them: ` +
        'a server overwrites them later, and so does "palimpsest erase"',
    )
  })
}

async function begin(store: Store, apply: ApplyChange, { erases }: Subject): Promise<void> {
  if ('user' in erases) requestUser(store, erases.user)
  else for (const change of erases.changes) await apply(change)
}

/** Returns the number of free pages that readers of old snapshots still see. */
async function finish(store: Store, dataDir: string, apply: ApplyChange): Promise<number> {
  for (let left = TRIES; ; left--) {
    const held = await finishOnce(store, dataDir, apply)
    if (held === 0 || left === 1) return held
    await sleep(PAUSE_MS)
  }
}

async function finishOnce(store: Store, dataDir: string, apply: ApplyChange): Promise<number> {
  const steps = eraseAll({
    store,
    apply,
    removeContents: (sha256s) => removeContents(store, dataDir, sha256s),
  })
  let shown: EraseStage | undefined
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (step.value instanceof Promise) {
      await step.value
      continue
    }
    if (step.value !== shown && process.stderr.isTTY) process.stderr.write(`${STAGES[step.value]}\n`)
    shown = step.value
    await nextTurn()
  }
}

const STAGES: Readonly<Record<EraseStage, string>> = {
  revisions: 'taking the name out of revisions',
  log: 'taking the words out of the log',
  file: 'overwriting old bytes in the file',
}

interface ErasedUser {
  readonly actorIds: readonly number[]
  readonly userId: number | null
}

/** What the command line names. */
interface Subject {
  /** Lines for the operator. */
  readonly description: string
  readonly erases: { readonly changes: readonly EraseChange[] } | { readonly user: ErasedUser }
}

/** Undefined: the flags name nothing. Throws a CommandError for what is not there. */
function findSubject(store: Store, flags: EraseFlags): Subject | undefined {
  const { page, pageId, revision, user } = flags
  if (page !== undefined) return pagesSubject(store, findPages(store, page))
  if (pageId !== undefined) {
    const found = store.getPageById(pageId) ?? store.getDeletedPage(pageId)
    if (found === undefined) throw new CommandError(`there is no page with the id ${pageId}`)
    return pagesSubject(store, [found])
  }
  if (revision !== undefined) return revisionSubject(store, revision, partsOf(flags))
  return user === undefined ? undefined : userSubject(store, user)
}

/** The page of a title, and those that were deleted under it. */
function findPages(store: Store, text: string): PageSummary[] {
  const title = requireTitle(store, text)
  const present = store.getPageByTitle(title)
  const found = [...(present === undefined ? [] : [present]), ...store.deletedUnder(title)]
  if (found.length === 0) throw new CommandError(`there is no page "${text}"`)
  return found
}

function pagesSubject(store: Store, pages: readonly PageSummary[]): Subject {
  return {
    description: pages.map((page) => descriptionOf(store, page)).join('\n'),
    erases: { changes: pages.map(({ pageId }) => ({ kind: 'erase', action: 'page', pageId })) },
  }
}

function descriptionOf(store: Store, page: PageSummary): string {
  const { pageId, counts, namespace, dbkey } = page
  const title = prefixedText(page, store.namespaces())
  const kind = store.getPageById(pageId) === undefined ? 'deleted page' : 'page'
  const hasFile = namespace === FILE && store.getFile(dbkey) !== undefined
  const file = hasFile ? ', the file of that name with its contents' : ''
  return `${kind} ${pageId}, "${title}": ${formatCount(counts.revisions)} revisions with texts and comments, the title and its protection${file}`
}

function partsOf({ text, comment }: EraseFlags): readonly RevisionPart[] {
  if (!text && !comment) return ['text', 'comment']
  return [...(text ? (['text'] as const) : []), ...(comment ? (['comment'] as const) : [])]
}

function revisionSubject(store: Store, ids: readonly number[], parts: readonly RevisionPart[]): Subject {
  const lines = ids.map((id) => {
    const revision = store.getRevision(id)
    if (revision === undefined) throw new CommandError(`there is no revision ${id}, and nothing was erased`)
    const page = store.getPageById(revision.pageId)!
    const isLatest = page.latestId === id && parts.includes('text')
    const latest = isLatest ? '; it is the latest, so the page shows no text then' : ''
    return `revision ${id} of "${prefixedText(page, store.namespaces())}": ${parts.join(' and ')}${latest}`
  })
  return {
    description: lines.join('\n'),
    erases: { changes: [{ kind: 'erase', action: 'revisions', revisionIds: ids, parts }] },
  }
}

function userSubject(store: Store, name: string): Subject {
  const found = store.accounts.identitiesOf(name)
  const { actorIds, userId, hasAccount } = found
  if (actorIds.length === 0 && userId === null) throw new CommandError(`nobody has the name "${name}"`)
  const account = hasAccount ? 'the account with its tokens and sessions, and ' : ''
  return {
    description: `user "${name}": ${account}the name in all revisions, files and lists`,
    erases: { user: { actorIds, userId } },
  }
}
