/**
 * States of the wiki that a mirror follows. A state says how its subject is now upstream; it is no operation. So the
 * same states twice, or in another order, end in the same store.
 */
import type { FileFacts } from './file.js'
import type { Interwiki } from './interwiki.js'
import type { TimedProtection } from './protection.js'
import type { Editor, IncomingRevision } from './revision.js'
import type { Site } from './site.js'

/**
 * Where a mirror stands. The follower adds what it needs to go on; the store keeps all of it as JSON. It has no
 * undefined members, so that JSON gives the same object back.
 */
export interface UpstreamPlace {
  /** Of the action API. */
  readonly url: string
  readonly wikiId: string
}

/**
 * One batch of states, small enough for one transaction. Its order does not matter: pages that exchange their titles,
 * and revisions that go from one page to another, may come in one batch or in several.
 */
export interface UpstreamStates {
  /** At most one state of a page, and at most one page with a title. */
  readonly pages: readonly UpstreamPage[]
  readonly files: readonly UpstreamFile[]
  readonly protections: readonly UpstreamProtection[]
  /** Accounts that have another name now. Their revisions come as `change` of pages, maybe in several batches. */
  readonly renames: readonly UpstreamName[]
  /** Names of all bots; undefined: as before. */
  readonly bots?: readonly string[]
  /** Names and settings of the wiki. Undefined: as before. */
  readonly site?: Site
  /** The whole interwiki map; undefined: as before. */
  readonly interwiki?: readonly Interwiki[]
}

export type UpstreamPage = GonePage | PresentPage

/** The page is not there any more. Nothing of it stays. */
export interface GonePage {
  readonly id: number
  readonly gone: true
}

/**
 * A page that is there. A page that loses all its revisions to others is gone, without a state of its own. One that
 * loses its title keeps its revisions, unseen, until a state names it again.
 */
export interface PresentPage {
  readonly id: number
  readonly namespace: number
  readonly dbkey: string
  /** As stated: not always the newest by time. The newest by time if the page has no such revision. */
  readonly latestId: number
  /** Target in reading form; null: no redirect. */
  readonly redirectTarget: string | null
  /** Revisions that the store lacks. */
  readonly add: readonly UpstreamRevision[]
  /**
   * Ids of revisions that the store has with another page, and that belong to this one now. Their texts are in memory
   * until the batch is written, so their number should be bounded.
   */
  readonly take: readonly number[]
  /** Ids of revisions of this page that are gone. Those that another page has now have no effect. */
  readonly remove: readonly number[]
  /**
   * Revisions of the page, maybe taken by this state, that show other parts than the store, or another name of their
   * editor. Ids that the store does not have with this page have no effect.
   */
  readonly change: readonly ShownRevision[]
}

/** The pages of a batch that are there. */
export const presentPages = (pages: readonly UpstreamPage[]): PresentPage[] =>
  pages.filter((page): page is PresentPage => !('gone' in page))

export interface UpstreamRevision extends IncomingRevision {
  /** Id of a revision in the store, or earlier in `add`, that has the same text. Then `text` is absent. */
  readonly sameTextAs?: number
}

/** What a known revision shows now. Absent parts are hidden. */
export interface ShownRevision {
  readonly id: number
  readonly editor: Editor | undefined
  readonly comment: string | undefined
  readonly isTextShown: boolean
  /** Given when the text is shown and the store does not have it. */
  readonly text?: string
}

export interface UpstreamFile {
  readonly dbkey: string
  /** Null: there is no such file. Facts without contents keep contents with the same SHA-1 that the store has. */
  readonly facts: FileFacts | null
}

/** Protection of a title, with or without a page. All levels `none`: it is not protected. */
export interface UpstreamProtection extends TimedProtection {
  readonly namespace: number
  readonly dbkey: string
}

export interface UpstreamName {
  readonly userId: number
  readonly name: string
}
