/** Bulk imports: batches of pages, and the end of a dump. */
import type {
  BatchPlace,
  ImportEntry,
  ImportVerdict,
  PageOutcome,
  PagesEntry,
  Verdict,
} from '../entries/entries.js'
import { readMeta, type RunningImport, writeMeta } from '../tables/meta.js'
import { applyLatest } from './applyLatest.js'
import { applyPage } from './applyPage.js'
import type { WriteContext } from './writeContext.js'

/** Applies a batch of pages. The pages cannot be searched until the bulk build has indexed them. */
export function applyPages(context: WriteContext, entry: PagesEntry): ImportVerdict {
  const { pages, came } = entry
  const hasCome = (pageId: number): boolean => came.has(pageId)
  const outcomes = pages.map((page) => {
    const outcome =
      page.redirects === undefined
        ? applyPage(context, page, hasCome)
        : applyLatest(context, { ...page, redirects: page.redirects }, hasCome)
    if (outcome.rival === undefined) came.add(page)
    return outcome
  })
  const isEffective = outcomes.some(hasEffect)
  const sum = (of: (outcome: PageOutcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const newPages = sum(({ newPage, addedRedirects = 0 }) => Number(newPage) + addedRedirects)
  const addedRevisions = sum(({ addedRevisions, addedRedirects = 0 }) => addedRevisions + addedRedirects)
  if (isEffective) noteProgress(context, entry, newPages, addedRevisions)
  return { result: 'imported', isEffective, newPages, addedRevisions, outcomes }
}

/** Marks the import as ended. Only then do servers show a first import. */
export function applyImportEnd({ tables }: WriteContext, _entry: ImportEntry): Verdict {
  writeMeta(tables, 'import', null)
  return { result: 'done' }
}

function hasEffect(outcome: PageOutcome): boolean {
  const { newPage, addedRevisions, changedRevisions, renamed, addedRedirects = 0 } = outcome
  return newPage || addedRevisions + changedRevisions + addedRedirects > 0 || renamed
}

function noteProgress(
  { tables }: WriteContext,
  { dump, time }: BatchPlace & { readonly time: number },
  newPages: number,
  addedRevisions: number,
): void {
  const running = readMeta(tables, 'import') ?? undefined
  const progress: RunningImport = {
    name: running?.name ?? dump,
    pages: (running?.pages ?? 0) + newPages,
    revisions: (running?.revisions ?? 0) + addedRevisions,
    newest: Math.max(running?.newest ?? 0, time),
  }
  writeMeta(tables, 'import', progress)
}
