/** Writes the pages of a store as an XML dump: what readers may see, page after page by their ids. */
import type { Editor } from '../domain/revision.js'
import { prefixedText, type Title } from '../domain/title.js'
import type { RevisionAnchor } from '../storage/pages/history.js'
import type { RevisionText } from '../storage/pages/pageLists.js'
import type { PageSummary, Store } from '../storage/store.js'
import { DUMP_END, dumpHead, PAGE_END, pageHead, revisionXml } from './dumpXml.js'

export interface ExportOptions {
  readonly store: Store
  /** Name and version of this program. */
  readonly generator: string
  /** Only the latest revision of each page. */
  readonly current: boolean
  /** Numbers of the namespaces to export; undefined: all. */
  readonly namespaces: ReadonlySet<number> | undefined
  /** Pages to export, in this order; undefined: all. Each must exist, or is left out. */
  readonly titles: readonly Title[] | undefined
}

export interface ExportCounts {
  pages: number
  revisions: number
  /** Revisions whose size counts slots other than main. The store has no text of these. */
  otherSlots: number
  /** The id of the page that was written last, and the highest one that there is. */
  pageId: number
  lastPageId: number
}

/** Revisions to read at once: their texts are in memory together. */
const REVISIONS = 32
/** Characters to hand over at once. */
const CHUNK_LENGTH = 2 ** 16

/**
 * The dump in pieces. Each page is as it is when its turn comes, and a long history as it is in each of its parts.
 * `counts` is kept up to date.
 */
export function* exportDump(options: ExportOptions, counts: ExportCounts): Generator<string, void> {
  const { store, generator, namespaces } = options
  store.refresh()
  counts.lastPageId = store.counters().nextPageId - 1
  let chunk = dumpHead(store.site(), generator)
  for (const pageId of options.titles === undefined ? store.lists.pageIds() : idsOf(store, options.titles)) {
    store.refresh()
    const page = store.getPageById(pageId)
    if (page === undefined || namespaces?.has(page.namespace) === false) continue
    for (const piece of pageXml(options, page, counts)) {
      chunk += piece
      if (chunk.length < CHUNK_LENGTH) continue
      yield chunk
      chunk = ''
    }
    counts.pages++
    counts.pageId = pageId
  }
  yield chunk + DUMP_END
}

function* idsOf(store: Store, titles: readonly Title[]): Generator<number, void> {
  for (const { namespace, dbkey } of titles) {
    const page = store.getPage(namespace, dbkey)
    if (page !== undefined) yield page.pageId
  }
}

function* pageXml(
  { store, current }: ExportOptions,
  { pageId, namespace, dbkey, redirectTarget, latestId }: PageSummary,
  counts: ExportCounts,
): Generator<string, void> {
  const fullTitle = prefixedText({ namespace, dbkey }, store.namespaces())
  yield pageHead({ fullTitle, namespace, id: pageId, redirectTarget })
  const latest = current ? store.getRevision(latestId) : undefined
  if (latest !== undefined) yield xmlOf({ ...latest, text: store.getText(latestId) }, counts)
  let newerThan: RevisionAnchor | undefined = current ? undefined : { id: 0, pageId, timestamp: 0 }
  while (newerThan !== undefined) {
    const { revisions, hasNewer } = store.lists.texts(pageId, newerThan, REVISIONS)
    for (const revision of revisions) yield xmlOf(revision, counts)
    newerThan = hasNewer ? revisions.at(-1) : undefined
  }
  yield PAGE_END
}

function xmlOf(revision: RevisionText, counts: ExportCounts): string {
  const { json, text, sizeBytes, hasOtherSlots, userHidden, commentHidden } = revision
  const { user, comment } = JSON.parse(json.toString()) as { user: Editor | null; comment: string | null }
  counts.revisions++
  if (hasOtherSlots) counts.otherSlots++
  return revisionXml({
    ...revision,
    editor: userHidden ? undefined : (user ?? undefined),
    comment: commentHidden ? undefined : (comment ?? ''),
    sizeBytes: text === undefined ? sizeBytes : Buffer.byteLength(text),
  })
}
