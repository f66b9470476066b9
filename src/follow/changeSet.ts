/** Places that may have changed. A row of changes says where to look, and no more: the wiki's present state decides. */
import type { Namespaces } from '../domain/namespaces.js'
import { type Title, titleId } from '../domain/title.js'
import { type ChangeRow, titleIn } from './api/answers.js'
import { listOf } from './api/fields.js'

/** Parts of a page to compare. */
export interface PageChange {
  /** All revisions, not only the latest and those of the rows. */
  history: boolean
  /** Newest revision of the page that a row names; an answer that does not know it may be old. */
  newestRevision: number
  /** Newest time of a row that says that the page is there; 0: none does. */
  stated: number
  /** A row says that the page was deleted. */
  isDeleted: boolean
  /** The latest revision is wanted at once, though it may be of a later change. */
  wantsLatest: boolean
}

export interface TitleChange {
  readonly title: Title
  history: boolean
}

/** Each place is in it once, however many rows name it. */
export class ChangeSet {
  readonly pages = new Map<number, PageChange>()
  readonly titles = new Map<string, TitleChange>()
  /** Revisions, with the newest time of a row that names each. */
  readonly revisions = new Map<number, number>()
  /** Names of accounts, before and after they were renamed. */
  readonly users = new Set<string>()
  /** Accounts whose names may be shown again. */
  readonly unblocked = new Set<string>()
  bots = false
  /** A row hides where to look. */
  recent = false

  page(id: number, more: Partial<PageChange> = {}): void {
    if (id === 0) return
    const nothing = { history: false, newestRevision: 0, stated: 0, isDeleted: false, wantsLatest: false }
    const known = this.pages.get(id) ?? nothing
    known.wantsLatest ||= more.wantsLatest ?? true
    known.history ||= more.history ?? false
    known.isDeleted ||= more.isDeleted ?? false
    known.newestRevision = Math.max(known.newestRevision, more.newestRevision ?? 0)
    known.stated = Math.max(known.stated, more.stated ?? 0)
    this.pages.set(id, known)
  }

  title(title: Title | undefined, { history = false } = {}): void {
    if (title === undefined || title.namespace < 0) return
    const known = this.titles.get(titleId(title))
    if (known === undefined) this.titles.set(titleId(title), { title, history })
    else known.history ||= history
  }

  revision(id: number, time = 0): void {
    if (id !== 0) this.revisions.set(id, Math.max(time, this.revisions.get(id) ?? 0))
  }

  /** A copy that may grow. */
  copy(): ChangeSet {
    return Object.assign(new ChangeSet(), structuredClone({ ...this }))
  }

  /** Adds what a row names. */
  add(row: ChangeRow, namespaces: Namespaces): void {
    const { pageId, revisionId, time, title, action } = row
    if (row.isActionHidden) {
      this.recent = true
      return
    }
    const isDeleted = DELETIONS.includes(action)
    this.revision(revisionId, time)
    // The page of a deleted redirect stands in the row of its deletion alone.
    // Revisions of moves and protections have no rows of their own.
    const wantsLatest = row.type !== 'edit' && row.type !== 'new'
    this.page(pageId, isDeleted ? { isDeleted } : { newestRevision: revisionId, stated: time, wantsLatest })
    if (row.type === 'log') this.title(title)
    ;(ACTIONS[action] ?? ACTIONS[action.split('/')[0]!])?.(this, row, namespaces)
  }
}

const DELETIONS = ['delete/delete', 'delete/delete_redir', 'delete/delete_redir2']

type Action = (changes: ChangeSet, row: ChangeRow, namespaces: Namespaces) => void

const moved: Action = (changes, { parameters }, namespaces) =>
  changes.title(titleIn(parameters, 'target_ns', 'target_title', namespaces))

const withHistory: Action = (changes, { pageId, title }) => {
  if (pageId !== 0) changes.page(pageId, { history: true })
  changes.title(title, { history: true })
}

/** A block may hide a name in all revisions. Its own row is not public then; that of its end is. */
const unhidden: Action = (changes, { title }) => {
  if (title !== undefined) changes.unblocked.add(title.dbkey.replaceAll('_', ' '))
}

/** Places that rows of some kinds name beside their page, title and revision. */
const ACTIONS: Readonly<Record<string, Action>> = {
  move: moved,
  'delete/restore': withHistory,
  'delete/revision': (changes, { parameters, time }) => {
    if (parameters['type'] !== 'revision') return
    for (const id of listOf(parameters['ids'], 'ids'))
      if (isRevisionId(id)) changes.revision(Number(id), time)
  },
  merge: (changes, row, namespaces) => {
    withHistory(changes, row, namespaces)
    changes.title(titleIn(row.parameters, 'dest_ns', 'dest_title', namespaces), { history: true })
  },
  import: withHistory,
  'protect/move_prot': (changes, { parameters }, namespaces) =>
    changes.title(titleIn(parameters, 'oldtitle_ns', 'oldtitle_title', namespaces)),
  rights: (changes) => void (changes.bots = true),
  renameuser: (changes, { parameters }) => {
    for (const name of [parameters['olduser'], parameters['newuser']])
      if (typeof name === 'string') changes.users.add(name)
  },
  'block/reblock': unhidden,
  'block/unblock': unhidden,
}

/** The API writes them as numbers; some versions as texts. */
const isRevisionId = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= 4_000_000_000) ||
  (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value))
