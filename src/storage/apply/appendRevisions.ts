/** Adds revisions at the end of a page's history. Their facts follow from the last rows. */
import type { HistoryRow } from '../rows/rows.js'
import type { WriteContext } from './writeContext.js'
import { countEditors, countRevision, HistoryWalk, REVERT_RADIUS } from './derive.js'
import type { PageState } from './pageState.js'
import { deriveRow, findEarlierSize, lastLinks, type NewRevision, putRevision } from './revisionRows.js'
import type { Tables } from '../tables/tables.js'
import { encodeDeltaText, encodeFullText, MAX_RUN, type SourceText } from '../pages/texts.js'

/** Tells if revisions, which are in order, all come after the page's latest one. */
export function followsLatest(page: PageState, added: readonly NewRevision[]): boolean {
  const first = added[0]
  if (first === undefined) return true
  const { latestTimestamp, latestId } = page
  return first.timestamp > latestTimestamp || (first.timestamp === latestTimestamp && first.id > latestId)
}

export function appendRevisions(context: WriteContext, page: PageState, added: readonly NewRevision[]): void {
  if (added.length === 0) return
  const { tables } = context
  const walk = new HistoryWalk((id, child) => findEarlierSize(tables, page.id, id, child), context.marks)
  // A new page has no rows. Skip the range read, which costs as much as all other lookups.
  if (!page.isNew) for (const link of lastLinks(tables, page.id, REVERT_RADIUS)) walk.skip(link)
  const rows: HistoryRow[] = []
  for (const revision of added) {
    const { id, timestamp } = revision
    const { parentId, sizeBytes, sha1, madeHere } = revision.row
    // Not a copy of the row with more fields, which takes a microsecond.
    const derived = walk.step({ id, timestamp, parentId, sizeBytes, sha1, madeHere })
    const row = deriveRow(revision, derived)
    putRevision(tables, page.id, revision, row)
    countRevision(page.counts, row)
    rows.push(row)
  }
  countEditors(tables, page, rows)
  appendTexts(tables, page, added)
}

interface Link {
  readonly id: number
  readonly text: Pick<SourceText, 'utf8'>
}

/** A revision to insert; without a text where it is hidden. */
interface Insertion {
  readonly id: number
  readonly text: Pick<SourceText, 'utf8'> | undefined
}

/** Makes the last of `added` the page's latest revision, and packs earlier texts against their successors. */
export function appendTexts(tables: Tables, page: PageState, added: readonly NewRevision[]): void {
  const chain: Link[] = page.latestText === undefined ? [] : [{ id: page.latestId, text: page.latestText }]
  for (const { id, text } of added) if (text !== undefined) chain.push({ id, text })
  const latest = added.at(-1)!
  const last = chain.at(-1)
  page.latestRun = packChain(tables, chain, page.latestText === undefined ? 0 : page.latestRun)
  if (last !== undefined && last.id !== latest.id) {
    // The latest text is hidden, so the last visible one is not in the title row.
    tables.text.putSync(last.id, encodeFullText(last.text.utf8, page.latestRun))
    page.latestRun = 0
  }
  page.latestId = latest.id
  page.latestTimestamp = latest.timestamp
  page.latestModel = latest.row.contentModel
  page.latestText = latest.text
}

/** Packs the texts of revisions inserted before the latest one, as a chain of their own that ends in a full text. */
export function insertTexts(tables: Tables, added: readonly Insertion[]): void {
  const chain: Link[] = []
  for (const { id, text } of added) if (text !== undefined) chain.push({ id, text })
  const last = chain.at(-1)
  if (last === undefined) return
  tables.text.putSync(last.id, encodeFullText(last.text.utf8, packChain(tables, chain, 0)))
}

/** Writes rows for all links except the last, and returns the run of the last. `run` is that of the first. */
function packChain(tables: Tables, chain: readonly Link[], run: number): number {
  for (let n = 0; n < chain.length - 1; n++) {
    const { id, text } = chain[n]!
    const next = chain[n + 1]!
    const full = run === MAX_RUN
    const row = full
      ? encodeFullText(text.utf8, run)
      : encodeDeltaText(text.utf8, run, next.id, next.text.utf8)
    tables.text.putSync(id, row)
    run = full ? 0 : run + 1
  }
  return run
}
