/** What a rendering may ask of the wiki. All answers are synchronous: the store is in the same thread. */
import type { Title } from '../domain/title.js'

/** The page that is rendered, and the revision of it. */
export interface RenderedPage {
  readonly title: Title
  /** 0: the page does not exist. */
  readonly pageId: number
  readonly revision: RenderedRevision | undefined
}

export interface RenderedRevision {
  readonly id: number
  /** 0: none, or not known. */
  readonly parentId: number
  /** Seconds since 1970 (UTC). */
  readonly timestamp: number
  readonly sizeBytes: number
  /** Empty when hidden. */
  readonly userName: string
  /** In hex. */
  readonly sha1: string
  readonly latestId: number
}

/** A page that a rendering reads. */
export interface SourcePage {
  readonly pageId: number
  readonly revisionId: number
  /** Seconds since 1970 (UTC). */
  readonly timestamp: number
  /** Of its latest editor; empty when hidden. */
  readonly userName: string
  readonly sizeBytes: number
  readonly contentModel: string
  readonly wikitext: string
}

/** A file that can be shown. */
export interface RenderedFile {
  /** In pixels, as the height; 0: not known, or nothing to see. */
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  /** Seconds, of audio and video. */
  readonly duration?: number
  readonly mime: string
  /** MediaWiki's word: BITMAP, DRAWING, AUDIO, VIDEO, … */
  readonly mediaType: string
  /** Of the original. */
  readonly url: string
  readonly descriptionUrl: string
  /** URL of the file scaled to a width in pixels. */
  thumbUrl(width: number): string
}

export interface RenderSource {
  /** The latest text of a page; undefined when there is no such page, or its text is hidden. */
  readPage(title: Title): SourcePage | undefined
  pageExists(title: Title): boolean
  /** A file by its name with underscores; undefined when there is none. */
  readFile(dbkey: string): RenderedFile | undefined
}
