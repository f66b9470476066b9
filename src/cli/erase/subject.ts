/** Finds what the command line names, and describes what would go. */
import { FILE } from '../../domain/namespaceIds.js'
import { prefixedText } from '../../domain/title.js'
import type { EraseChange, RevisionPart } from '../../storage/entries/administration.js'
import type { PageSummary, Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import type { EraseFlags } from './flags.js'
import { formatCount } from '../import/progress.js'
import { requireTitle } from '../storeAccess.js'

interface ErasedUser {
  readonly actorIds: readonly number[]
  readonly userId: number | null
}

export interface Subject {
  /** Lines for the operator. */
  readonly description: string
  readonly erases: { readonly changes: readonly EraseChange[] } | { readonly user: ErasedUser }
}

/** Undefined: the flags name nothing. Throws a CommandError for what is not there. */
export function findSubject(store: Store, flags: EraseFlags): Subject | undefined {
  const { page, pageId, revision, user } = flags
  if (page !== undefined) return pageSubject(store, findPage(store, page))
  if (pageId !== undefined) {
    const found = store.getPageById(pageId)
    if (found === undefined) throw new CommandError(`there is no page with the id ${pageId}`)
    return pageSubject(store, found)
  }
  if (revision !== undefined) return revisionSubject(store, revision, partsOf(flags))
  return user === undefined ? undefined : userSubject(store, user)
}

function findPage(store: Store, text: string): PageSummary {
  const title = requireTitle(store, text)
  const pageId = store.getPage(title.namespace, title.dbkey)?.pageId
  const found = pageId === undefined ? undefined : store.getPageById(pageId)
  if (found === undefined) throw new CommandError(`there is no page "${text}"`)
  return found
}

function pageSubject(store: Store, page: PageSummary): Subject {
  const { pageId, counts, namespace, dbkey } = page
  const title = prefixedText(page, store.namespaces())
  const hasFile = namespace === FILE && store.getFile(dbkey) !== undefined
  const file = hasFile ? ', the file of that name with its contents' : ''
  return {
    description: `page ${pageId}, "${title}": ${formatCount(counts.revisions)} revisions with texts and comments, the title and its protection${file}`,
    erases: { changes: [{ kind: 'erase', action: 'page', pageId }] },
  }
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
