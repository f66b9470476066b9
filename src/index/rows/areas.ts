/** Areas of postings, and the texts in them. */
import type { IndexedRowView } from './indexedRow.js'

/** Areas of redirects' titles: this bit plus the namespace. Plain namespaces are below it. */
export const REDIRECT_AREA = 0x8000

export type PostingTable = 'bodyPostings' | 'titlePostings'

/** A text and the area of its postings. */
export interface AreaText {
  readonly area: number
  readonly text: string
}

/** The indexed text of a page; undefined for redirects. */
export function bodyOf(view: IndexedRowView): AreaText | undefined {
  const area = bodyArea(view)
  return area === undefined ? undefined : { area, text: view.body }
}

/** The area of a page's text, without reading the text. */
export const bodyArea = ({ isRedirect, namespace }: IndexedRowView): number | undefined =>
  isRedirect ? undefined : namespace

export function titleOf(view: IndexedRowView): AreaText {
  return { area: titleArea(view.namespace, view.isRedirect), text: view.title }
}

/** The area of a title's postings. */
export const titleArea = (namespace: number, isRedirect: boolean): number =>
  namespace | (isRedirect ? REDIRECT_AREA : 0)
