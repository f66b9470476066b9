import type { IncomingRevision } from './revision.js'

/** A page with some of its revisions as an importer hands it over. */
export interface IncomingPage {
  readonly id: number
  readonly namespace: number
  /** Title without the namespace prefix, underscores for spaces, normalised. */
  readonly dbkey: string
  /**
   * Target that the source states for a redirect, in reading form; null: not a redirect; undefined: look at the text.
   */
  readonly redirectTarget: string | null | undefined
  readonly revisions: readonly IncomingRevision[]
}
