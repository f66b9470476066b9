/** Checks of revisions that are to be compared. */
import type { RevisionRow } from '../../storage/store.js'
import { HttpError } from '../reply/errors.js'

/** Content models of extensions whose pages are not text. */
const NOT_TEXT = /^(flow-board|wikibase-.*)$/

/** Throws rest-compare-inaccessible if the text is hidden. `name` is that of the parameter. */
export function requireComparable({ textHidden }: RevisionRow, name: string): void {
  if (textHidden) throw new HttpError('rest-compare-inaccessible', [name])
}

/** Throws rest-compare-wrong-content for pages that are no text. */
export function requireTextModel({ contentModel }: RevisionRow, name: string): void {
  if (NOT_TEXT.test(contentModel)) throw new HttpError('rest-compare-wrong-content', [name])
}
