/** Lookups that throw the API's error when nothing is found, and checks of revisions that are to be compared. */
import type { Title } from '../../domain/title.js'
import type { PageRow, PageSummary, RevisionRow, Store } from '../../storage/store.js'
import { HttpError } from '../reply/errors.js'
import type { PageAnswers } from './pageAnswers.js'
import type { Integer, RequestedTitle } from '../request/params.js'

/** Content models of extensions whose pages are not text. */
const NOT_TEXT = /^(flow-board|wikibase-.*)$/

/** The page with a title; throws rest-nonexistent-title. The row is valid in the same tick, until the next read. */
export function requirePage(
  pages: PageAnswers,
  { asked, title }: RequestedTitle,
): { readonly page: PageRow; readonly title: Title } {
  const page = title === undefined ? undefined : pages.find(title)
  if (title === undefined || page === undefined) throw new HttpError('rest-nonexistent-title', [asked])
  return { page, title }
}

/** A revision by its id; throws rest-nonexistent-revision, also for revisions of deleted pages. */
export function requireRevision(store: Pick<Store, 'getRevision'>, id: Integer): RevisionRow {
  const revision = findRevision(store, id)
  if (revision === undefined) throw new HttpError('rest-nonexistent-revision', [id])
  return revision
}

/** A revision of this page. Throws rest-nonexistent-title-revision for unknown revisions and those of other pages. */
export function requireRevisionOfPage(
  store: Pick<Store, 'getRevision'>,
  id: Integer,
  pageId: number,
  asked: string,
): RevisionRow {
  const revision = findRevision(store, id)
  if (revision?.pageId !== pageId) throw new HttpError('rest-nonexistent-title-revision', [id, asked])
  return revision
}

/** The page of a revision. Throws rest-nonexistent-revision when another process has deleted the page since. */
export function requirePageOf(store: Pick<Store, 'getPageById'>, revision: RevisionRow): PageSummary {
  const page = store.getPageById(revision.pageId)
  if (page === undefined) throw new HttpError('rest-nonexistent-revision', [revision.id])
  return page
}

/** The revision with an id; undefined also for revisions of deleted pages. */
export function findRevision(store: Pick<Store, 'getRevision'>, id: Integer): RevisionRow | undefined {
  return typeof id === 'bigint' ? undefined : store.getRevision(id)
}

/** Throws rest-compare-inaccessible if the text is hidden. `name` is that of the parameter. */
export function requireComparable({ textHidden }: RevisionRow, name: string): void {
  if (textHidden) throw new HttpError('rest-compare-inaccessible', [name])
}

/** Throws rest-compare-wrong-content for pages that are no text. */
export function requireTextModel({ contentModel }: RevisionRow, name: string): void {
  if (NOT_TEXT.test(contentModel)) throw new HttpError('rest-compare-wrong-content', [name])
}
