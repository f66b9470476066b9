/**
 * Titles sorted by their folded form, so that all titles with a prefix are one range of rows.
 *
 *     key     namespace, folded title, 0 for a page and 1 for a redirect, page id
 *     value   page:     open JSON: {"id":…,"key":…,"title":…,"excerpt":…,"matched_title":null,"description":…
 *             redirect: 0 length of title u16   2 title with its namespace   target namespace u16   target dbkey
 */
import { foldTitle } from '../text/fold.js'
import type { IndexedPage, IndexedRowView, RedirectTarget } from './indexedRow.js'
import type { CompletionKey } from './tables.js'

/** LMDB's keys end at 1,978 bytes. Folding may lengthen titles of 255 bytes, but hardly beyond this. */
const MAX_FOLDED_BYTES = 500

/** Key of a page's row; `title` is in reading form, without the namespace. */
export function completionKeyOf(
  namespace: number,
  title: string,
  isRedirect: boolean,
  pageId: number,
): CompletionKey {
  return [namespace, cutFolded(foldTitle(title)), isRedirect ? 1 : 0, pageId]
}

/** The key of a page's row, from its indexed state. */
export function completionKeyOfRow(view: IndexedRowView, pageId: number): CompletionKey {
  return completionKeyOf(view.namespace, view.title, view.isRedirect, pageId)
}

export function cutFolded(folded: string): string {
  if (folded.length * 3 <= MAX_FOLDED_BYTES) return folded
  const bytes = Buffer.from(folded)
  // A split letter becomes U+FFFD, both in keys and in the search.
  return bytes.length <= MAX_FOLDED_BYTES ? folded : bytes.toString('utf8', 0, MAX_FOLDED_BYTES)
}

/** The row of a page; undefined for a redirect without a valid target. */
export function encodeCompletion(page: IndexedPage): Buffer | undefined {
  const { redirect, title } = page
  if (redirect === null) return undefined
  if (redirect !== undefined) return encodeRedirect(title, redirect)
  const head = JSON.stringify({
    id: page.pageId,
    key: page.key,
    title,
    excerpt: title,
    matched_title: null,
    description: page.description ?? null,
  })
  return Buffer.from(head.slice(0, -1))
}

function encodeRedirect(title: string, target: RedirectTarget): Buffer {
  const titleBytes = Buffer.from(title)
  const dbkey = Buffer.from(target.dbkey)
  const row = Buffer.allocUnsafe(4 + titleBytes.length + dbkey.length)
  row.writeUInt16BE(titleBytes.length, 0)
  titleBytes.copy(row, 2)
  row.writeUInt16BE(target.namespace, 2 + titleBytes.length)
  dbkey.copy(row, 4 + titleBytes.length)
  return row
}

/** Title of a redirect, with its namespace, and its target. */
export function decodeRedirect(row: Buffer): { readonly title: string; readonly target: RedirectTarget } {
  const titleEnd = 2 + row.readUInt16BE(0)
  return {
    title: row.toString('utf8', 2, titleEnd),
    target: {
      namespace: row.readUInt16BE(titleEnd),
      dbkey: row.toString('utf8', titleEnd + 2, row.length),
    },
  }
}
