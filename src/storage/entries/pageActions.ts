/**
 * Changes of whole pages: moves, deletions, and what takes these back; uploads of files. These are bodies of log
 * entries. Each also adds to the wiki's public log.
 */
import type { FileFacts } from '../../domain/file.js'
import type { Protection, ProtectionLevel } from '../../domain/protection.js'
import type { Editor } from '../../domain/revision.js'
import type { Title } from '../../domain/title.js'

/** A text with its author, as a change brings it. */
export interface TextFields {
  readonly editor: Editor
  readonly comment: string
  readonly minor: boolean
  readonly contentModel: string
  readonly text: string
  /** Of a redacted entry: facts of the text, which is empty. */
  readonly lostText?: { readonly sizeBytes: number }
}

/** The text is that of the page: a move makes a revision, whose comment tells of it. */
export interface MoveChange extends TextFields {
  readonly kind: 'move'
  readonly pageId: number
  readonly baseRevisionId: number
  readonly from: Title
  /** The new title. */
  readonly namespace: number
  readonly dbkey: string
  /** For the public log. */
  readonly reason: string
  /** The page that stays behind. Its title is that of `from`, unless one of them was redacted. */
  readonly redirect: LeftRedirect | null
  /** A redirect at the new title that is deleted. */
  readonly replaced: ReplacedRedirect | null
  readonly protections: readonly StatedProtection[]
  /** The file of the page, which moves with it. */
  readonly file?: { readonly from: string; readonly to: string }
}

/** What becomes of the protection of a title. */
export interface StatedProtection extends Title, Protection {
  readonly expires: number | null
  readonly move?: ProtectionLevel
}

export interface LeftRedirect extends Title, Pick<TextFields, 'comment' | 'text' | 'lostText'> {}

/** Its title is the new one of the page, unless one of them was redacted. */
export interface ReplacedRedirect extends Title {
  readonly pageId: number
  readonly latestId: number
  /** For the public log. */
  readonly reason: string
}

interface PageChange extends Title {
  readonly pageId: number
  readonly editor: Editor
  /** For the public log. */
  readonly reason: string
  /** The name of the page's file, which goes and comes with it. It stands apart from the title, since other entries
   * name files without their pages. */
  readonly file?: string
}

/** The page loses its title, and nobody sees its revisions any more. */
export interface DeleteChange extends PageChange {
  readonly kind: 'delete'
  readonly protections: readonly StatedProtection[]
}

/** A deleted page gets its title again. */
export interface UndeleteChange extends PageChange {
  readonly kind: 'undelete'
}

/**
 * A file gets contents, which were written to disk before. Its page is created with the text, or gets a revision with
 * the same text that tells of the upload.
 */
export interface UploadChange extends TextFields, Title {
  readonly kind: 'upload'
  /** Null: there is no page. */
  readonly pageId: number | null
  readonly baseRevisionId: number | null
  /** Apply sets the time. */
  readonly file: { readonly dbkey: string; readonly facts: FileFacts }
}

/** As the entry `protect` of operators, with who did it and why. */
export interface RestrictChange extends StatedProtection {
  readonly kind: 'restrict'
  /** Null: there is no page. */
  readonly pageId: number | null
  readonly action: 'protect' | 'modify' | 'unprotect'
  readonly editor: Editor
  readonly reason: string
  /** For the public log: which kinds of protection these are, in words. */
  readonly description: string
}

export type PageAction = MoveChange | DeleteChange | UndeleteChange | UploadChange | RestrictChange

/** `logId` is the id of the entry in the public log. */
export type PageActionVerdict =
  | {
      readonly result: 'moved'
      readonly pageId: number
      readonly revisionId: number
      readonly timestamp: number
      readonly logId: number
      /** Revision of the page that stays behind. */
      readonly redirect?: { readonly pageId: number; readonly revisionId: number; readonly timestamp: number }
    }
  | { readonly result: 'deleted'; readonly pageId: number; readonly logId: number }
  | { readonly result: 'restricted'; readonly logId: number }
  | {
      readonly result: 'uploaded'
      readonly pageId: number
      readonly revisionId: number
      readonly timestamp: number
      readonly logId: number
    }
  | {
      readonly result: 'undeleted'
      readonly pageId: number
      readonly revisions: number
      readonly logId: number
    }
