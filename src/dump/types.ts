/** Events of the streaming reader of MediaWiki XML dumps. Offsets and lines refer to the decompressed XML. */
import type { LogEvent } from '../domain/logEvent.js'
import type { Editor, IncomingRevision } from '../domain/revision.js'
import type { Namespace, TitleCase } from '../domain/site.js'

export interface DumpSite {
  /** Version attribute of the root element, such as `0.11`. */
  readonly schema: string
  /** `xml:lang` of the root element, or undefined. */
  readonly language: string | undefined
  readonly name: string | undefined
  readonly wikiId: string | undefined
  readonly base: string | undefined
  readonly generator: string | undefined
  readonly case: TitleCase
  /** Empty when the dump has no siteinfo. */
  readonly namespaces: readonly Namespace[]
  /** The file is a snapshot of rendered pages, so names of namespaces may be missing. */
  readonly isSnapshot?: true
}

/** A page or a part of one. A long history comes in several parts, in the dump's order. */
export interface DumpPage {
  /** Full title as written in the dump. */
  readonly title: string
  /** Namespace number as written; undefined in old schemas. */
  readonly namespace: number | undefined
  /** `NO_ID` of domain/page.ts: not stated. */
  readonly id: number
  /**
   * Target from `<redirect title>`. Null: the schema states redirects, and this page has none. Undefined: not stated.
   */
  readonly redirectTarget: string | null | undefined
  readonly revisions: readonly DumpRevision[]
  /** 0 for the first part of a page, 1 for the next. */
  readonly part: number
  /** True in the part that ends with `</page>`. */
  readonly last: boolean
  readonly line: number
  /** Full titles of redirects to the page. Present for a page of a snapshot, which has no other revisions. */
  readonly redirects?: readonly string[]
}

export interface DumpRevision extends IncomingRevision {
  readonly line: number
}

/** One upload of a file, in a dump made with uploads. */
export interface DumpUpload {
  /** Full title of the file's page as written in the dump. */
  readonly page: string
  /** Namespace number of that page as written; undefined in old schemas. */
  readonly namespace: number | undefined
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Undefined: hidden, or not stated. */
  readonly uploader: Editor | undefined
  /** True if a newer upload has replaced it. */
  readonly isOld: boolean
  readonly sizeBytes: number | undefined
  /** Base 36, 31 digits. */
  readonly sha1: string | undefined
  /** True if the `contents` events since the last upload belong to this one. */
  readonly hasContents: boolean
  readonly line: number
}

/** An entry of the wiki's public log, in a dump of such entries. */
export interface DumpLogItem extends Omit<LogEvent, 'title'> {
  /** Full title as written. Undefined: hidden. */
  readonly title: string | undefined
  readonly line: number
}

/** Reports something that the reader repaired or left out. */
export interface DumpWarning extends WarningPlace {
  readonly kind: WarningKind
  /** The cause, in words that follow `the page is left out: ` and the like. If nothing is left out, the repair. */
  readonly reason: string
  readonly leftOut: LeftOut | undefined
}

export interface WarningPlace {
  readonly line: number
  readonly title: string | undefined
  readonly pageId: number | undefined
  readonly revisionId: number | undefined
}

/** `rest`: the rest of a page whose earlier parts were passed on. `file`: an upload with its contents. */
export type LeftOut = 'page' | 'rest' | 'revision' | 'file' | 'log entry'

/** The subject of a warning. */
export type WarningKind =
  | 'page-title'
  | 'page-id'
  | 'page-without-id'
  | 'page-namespace'
  | 'page-redirect'
  | 'page-empty'
  | 'page-end'
  | 'page-misplaced'
  | 'revision-id'
  | 'revision-without-id'
  | 'revision-parent'
  | 'revision-time'
  | 'revision-editor'
  | 'revision-comment'
  | 'revision-model'
  | 'revision-sha1'
  | 'revision-text'
  | 'revision-end'
  | 'revision-misplaced'
  | 'hidden-size'
  | 'file'
  | 'log-entry'
  | 'board'
  | 'element'
  | 'characters'
  | 'format'
  | 'site'

export type DumpEvent =
  | { readonly type: 'site'; readonly site: DumpSite }
  | { readonly type: 'page'; readonly page: DumpPage }
  /** A piece of the contents of the upload that comes next. */
  | { readonly type: 'contents'; readonly bytes: Buffer }
  | { readonly type: 'upload'; readonly upload: DumpUpload }
  | { readonly type: 'logItem'; readonly item: DumpLogItem }
  /** With `leftOut` of `file`, contents that came since the last upload are left out as well. */
  | ({ readonly type: 'warning' } & DumpWarning)
