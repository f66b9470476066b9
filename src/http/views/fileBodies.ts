/** JSON objects of files: spec 2.4. */
import { FILE } from '../../domain/namespaceIds.js'
import type { FileFacts } from '../../domain/file.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { prefixedKey } from '../../domain/title.js'
import { FileUrls } from '../../files/fileUrls.js'
import { LARGEST_BOX, pictureWithin, PREFERRED_BOX, type Size } from '../../files/pictureForms.js'
import { type PictureView, scalableSize } from '../../files/searchThumbnail.js'
import type { Config } from '../../config/config.js'
import type { Wiki } from '../request/wiki.js'

/** The context for file objects: URLs and namespaces. */
export interface FileView extends PictureView {
  readonly namespaces: Namespaces
}

/** `baseUrl` is the URL of the API as the client of this request sees it. */
export function fileView(config: Config, baseUrl: string, { namespaces }: Wiki): FileView {
  return { namespaces, urls: new FileUrls(config, baseUrl) }
}

interface FileForm {
  readonly mediatype: string
  /** Bytes; null for a scaled picture, which may not exist yet. */
  readonly size: number | null
  readonly width: number
  readonly height: number
  readonly duration: number | null
  readonly url: string
}

/** A file object in a list. */
export interface FileBody {
  readonly title: string
  readonly file_description_url: string
  readonly latest: {
    readonly timestamp: string
    /** The id is 0 for an uploader without an account. Null when the uploader is unknown. */
    readonly user: { readonly id: number; readonly name: string } | null
  }
  readonly preferred: FileForm
  readonly original: FileForm
}

export function fileBody(dbkey: string, facts: FileFacts, view: FileView): FileBody {
  const { namespaces, urls } = view
  return {
    title: dbkey.replaceAll('_', ' '),
    file_description_url: urls.description(dbkey, prefixedKey({ namespace: FILE, dbkey }, namespaces)),
    latest: { timestamp: formatTimestamp(facts.timestamp), user: uploaderOf(facts) },
    preferred: formWithin(PREFERRED_BOX, dbkey, facts, view),
    original: originalForm(dbkey, facts, urls),
  }
}

function uploaderOf({ uploader }: FileFacts): FileBody['latest']['user'] {
  return uploader === undefined ? null : { id: uploader.id ?? 0, name: uploader.name }
}

/** A file object with its largest scaled picture. */
export function fileBodyWithThumbnail(
  dbkey: string,
  facts: FileFacts,
  view: FileView,
): FileBody & { readonly thumbnail: FileForm } {
  return { ...fileBody(dbkey, facts, view), thumbnail: formWithin(LARGEST_BOX, dbkey, facts, view) }
}

/** The file scaled to fit a box; the original when no scaled picture is available. */
function formWithin(box: Size, dbkey: string, facts: FileFacts, view: FileView): FileForm {
  const { urls } = view
  const size = scalableSize(facts, view)
  const rendering = size && pictureWithin(size, box, facts.mimeType)
  if (rendering === undefined || rendering.isOriginal) return originalForm(dbkey, facts, urls)
  return {
    mediatype: facts.mediaType,
    size: null,
    width: rendering.width,
    height: rendering.height,
    duration: facts.durationSeconds,
    url: urls.rendering(dbkey, facts, rendering),
  }
}

function originalForm(dbkey: string, facts: FileFacts, urls: FileUrls): FileForm {
  return {
    mediatype: facts.mediaType,
    size: facts.sizeBytes,
    width: facts.width ?? 0,
    height: facts.height ?? 0,
    duration: facts.durationSeconds,
    url: urls.original(dbkey, facts),
  }
}
