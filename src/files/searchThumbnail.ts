/** The small pictures in search results. */
import type { FileFacts } from '../domain/file.js'
import type { FileUrls } from './fileUrls.js'
import { pictureSize, pictureType, type Size, thumbnailFor } from './pictureForms.js'

/** Width in pixels, as in MediaWiki. */
const SEARCH_WIDTH = 60

/** Context for pictures. */
export interface PictureView {
  readonly urls: FileUrls
}

/** The JSON form: spec 2.1. */
export interface SearchThumbnail {
  readonly mimetype: string
  /** Bytes; null for a scaled picture, which may not exist yet. */
  readonly size: number | null
  readonly width: number
  readonly height: number
  readonly duration: number | null
  readonly url: string
}

/** A small picture of a file; undefined when the file has none. */
export function searchThumbnail(
  dbkey: string,
  facts: FileFacts,
  view: PictureView,
): SearchThumbnail | undefined {
  const size = view.urls.canShow(facts) ? scalableSize(facts, view) : undefined
  if (size === undefined) return undefined
  const form = thumbnailFor(size, SEARCH_WIDTH, facts.mimeType)
  const { width, height, isOriginal } = form
  return {
    mimetype: isOriginal ? facts.mimeType : pictureType(facts.mimeType),
    size: isOriginal ? facts.sizeBytes : null,
    width,
    height,
    duration: facts.durationSeconds,
    url: view.urls.rendering(dbkey, facts, form),
  }
}

/** Size of the picture; undefined when no scaled picture is available. */
export function scalableSize(facts: FileFacts, { urls }: PictureView): Size | undefined {
  return urls.canScale(facts) ? pictureSize(facts) : undefined
}
