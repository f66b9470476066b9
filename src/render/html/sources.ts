/** The data of the wiki that a rendering reads. Reads are synchronous, since the store is in the same thread. */
import type { Title } from '../../domain/title.js'

/** The rendered page and revision. */
export interface RenderedPage {
  readonly title: Title
  /** 0: the page does not exist. */
  readonly pageId: number
  readonly revision: RenderedRevision | undefined
}

export interface RenderedRevision {
  readonly id: number
  /** 0: none, or unknown. */
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
  /** Name of its latest editor; empty when hidden. */
  readonly userName: string
  readonly sizeBytes: number
  readonly contentModel: string
  readonly wikitext: string
}

/** A file that pages can show. */
export interface RenderedFile {
  /** Pixels, like the height. 0: unknown, or not a picture. */
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  /** Seconds of audio or video. */
  readonly duration?: number
  readonly mime: string
  /** MediaWiki's media type: BITMAP, DRAWING, AUDIO, VIDEO, … */
  readonly mediaType: string
  /** URL of the original file. */
  readonly url: string
  readonly descriptionUrl: string
  /** URL of the file scaled to a width in pixels. */
  thumbUrl(width: number): string
}

export interface RenderSource {
  /** The latest text of a page. Undefined when the page is missing or its text is hidden. */
  readPage(title: Title): SourcePage | undefined
  pageExists(title: Title): boolean
  /** A file by its name with underscores. Undefined when it does not exist. */
  readFile(dbkey: string): RenderedFile | undefined
}
