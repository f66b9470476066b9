import type { IncomingRevision } from './revision.js'
import type { Title } from './title.js'

/** In the place of the id of a page or revision whose source states none: the store gives it one. */
export const NO_ID = 0

/** The id that the source states, for messages. */
export const statedId = (id: number | undefined): number | undefined => (id === NO_ID ? undefined : id)

/** A page with some of its revisions as an importer hands it over. */
export interface IncomingPage {
  /** NO_ID: not stated. */
  readonly id: number
  readonly namespace: number
  /** Title without the namespace prefix, underscores for spaces, normalised. */
  readonly dbkey: string
  /**
   * Redirect target that the source states, in reading form. Null: the source says that the page is no redirect.
   * Undefined: the source does not say, so the text decides.
   */
  readonly redirectTarget: string | null | undefined
  readonly revisions: readonly IncomingRevision[]
  /**
   * Present if the source has only the latest revision of its time. If the page has a later one, the whole incoming
   * page is left out. The titles lead to the page, and the source has no pages for them.
   */
  readonly redirects?: readonly Title[]
}
