import type { IncomingRevision } from './revision.js'

/** A page with some of its revisions as an importer hands it over. */
export interface IncomingPage {
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
}
