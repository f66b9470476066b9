/** Bulk imports: batches of pages, and the end of a dump. */
import type { BatchPlace, ImportEntry, ImportVerdict, PageOutcome, PagesEntry, Verdict } from '../entries.js'
import { readMeta, type RunningImport, writeMeta } from '../meta.js'
import { applyPage } from './applyPage.js'
import type { WriteContext } from './context.js'

/** Applies a batch of pages. The pages cannot be searched until the bulk build has indexed them. */
export function applyPages(context: WriteContext, entry: PagesEntry): ImportVerdict {
  const { pages, came } = entry
  const hasCome = (pageId: number): boolean => came.has(pageId)
  const outcomes = pages.map((page) => {
    const outcome = applyPage(context, page, hasCome)
    if (outcome.rival === undefined) came.add(page)
    return outcome
  })
  const isEffective = outcomes.some(hasEffect)
  const newPages = outcomes.filter(({ newPage }) => newPage).length
  const addedRevisions = outcomes.reduce((sum, outcome) => sum + outcome.addedRevisions, 0)
  if (isEffective) noteProgress(context, entry, newPages, addedRevisions)
  return { result: 'imported', isEffective, newPages, addedRevisions, outcomes }
}

/** Marks the import as ended. Only then do servers show a first import. */
export function applyImportEnd({ tables }: WriteContext, _entry: ImportEntry): Verdict {
  writeMeta(tables, 'import', null)
  return { result: 'done' }
}

function hasEffect(outcome: PageOutcome): boolean {
  return outcome.newPage || outcome.addedRevisions > 0 || outcome.changedRevisions > 0 || outcome.renamed
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
