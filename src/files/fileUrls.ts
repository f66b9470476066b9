/** URLs of files: on this server, on a proxy or CDN in front of it, or in another wiki's repository. */
import { createHash } from 'node:crypto'
import type { FileFacts } from '../domain/file.js'
import { SVG } from '../domain/mediaTypes.js'
import { type PictureForm, pictureName } from './pictureForms.js'

/** The settings for URLs of files; empty ones are not set. */
export interface FileUrlSettings {
  /** Base URL of this server's files for clients, without a slash at the end. */
  readonly mediaUrl: string
  readonly remoteFileUrl: string
  readonly remoteThumbnailUrl: string
  /** For files that the mirrored wiki has itself. Empty: those of the other repository. */
  readonly wikiFileUrl: string
  readonly wikiThumbnailUrl: string
  readonly fileDescriptionUrl: string
  /** `none`: the server has no HTML of pages. */
  readonly html: string
}

const VERSION_DIGITS = 16

/** Version of a file's contents, which allows clients to cache its URLs forever. */
export function fileVersion(sha256: string): string {
  return sha256.slice(0, VERSION_DIGITS)
}

export class FileUrls {
  readonly #settings: FileUrlSettings
  readonly #baseUrl: string

  /** `baseUrl` is the URL of the API, without `/v1`. */
  constructor(settings: FileUrlSettings, baseUrl: string) {
    this.#settings = settings
    this.#baseUrl = baseUrl
  }

  /** Whether a file can be shown. Its contents are here, or another repository has them and its size is known. */
  canShow(facts: FileFacts): boolean {
    const { sha256, width, height } = facts
    return sha256 !== null || (this.#patternsOf(facts).file !== '' && width !== null && height !== null)
  }

  /** Whether another repository is configured, which may have any file. */
  get hasRemote(): boolean {
    return this.#settings.remoteFileUrl !== ''
  }

  /** URL of a file in the other repository, which may not have it. */
  remoteOriginal(dbkey: string): string {
    return fillPattern(this.#settings.remoteFileUrl, dbkey)
  }

  /** URL of a scaled picture in the other repository; undefined when the setting for it is empty. */
  remoteThumbnail(dbkey: string, width: number, mimeType: string): string | undefined {
    const { remoteThumbnailUrl } = this.#settings
    return remoteThumbnailUrl === '' ? undefined : fillPattern(remoteThumbnailUrl, dbkey, { width, mimeType })
  }

  original(dbkey: string, facts: FileFacts): string {
    const { sha256 } = facts
    if (sha256 === null) return fillPattern(this.#patternsOf(facts).file, dbkey)
    return `${this.#mediaUrl()}/${fileVersion(sha256)}/${encodeURIComponent(dbkey)}`
  }

  /** Whether scaled pictures of a file have URLs. */
  canScale(facts: FileFacts): boolean {
    return facts.sha256 !== null || this.#patternsOf(facts).thumbnail !== ''
  }

  rendering(dbkey: string, facts: FileFacts, { width, isOriginal }: PictureForm): string {
    if (isOriginal) return this.original(dbkey, facts)
    if (facts.sha256 === null) {
      return fillPattern(this.#patternsOf(facts).thumbnail, dbkey, { width, mimeType: facts.mimeType })
    }
    const name = pictureName(dbkey, width, facts.mimeType)
    return `${this.original(dbkey, facts)}/${encodeURIComponent(name)}`
  }

  /** URL of the page that describes a file. `title` is its full title in URL form. */
  description(dbkey: string, title: string): string {
    const { fileDescriptionUrl, html } = this.#settings
    if (fileDescriptionUrl !== '') return fillPattern(fileDescriptionUrl, dbkey)
    return `${this.#baseUrl}/v1/page/${encodeURIComponent(title)}${html === 'none' ? '' : '/html'}`
  }

  /** The patterns for a file whose contents are elsewhere. Both are of one repository. */
  #patternsOf({ isOfWiki = false }: FileFacts): { readonly file: string; readonly thumbnail: string } {
    const { remoteFileUrl, remoteThumbnailUrl, wikiFileUrl, wikiThumbnailUrl } = this.#settings
    return isOfWiki && wikiFileUrl !== ''
      ? { file: wikiFileUrl, thumbnail: wikiThumbnailUrl }
      : { file: remoteFileUrl, thumbnail: remoteThumbnailUrl }
  }

  #mediaUrl(): string {
    return this.#settings.mediaUrl === '' ? `${this.#baseUrl}/media` : this.#settings.mediaUrl
  }
}

/**
 * Fills the placeholders of a URL. `{name}` is the file's name. `{hash1}` and `{hash2}` are the first one and two hex
 * digits of its MD5, as in MediaWiki's folders. `{thumbnail}` is MediaWiki's name of a scaled picture, and `{width}`
 * its width.
 */
function fillPattern(
  pattern: string,
  dbkey: string,
  scaled: { readonly width: number; readonly mimeType: string } = { width: 0, mimeType: '' },
): string {
  const hash = createHash('md5').update(dbkey).digest('hex')
  const values: Readonly<Record<string, string>> = {
    name: encodeURIComponent(dbkey),
    hash1: hash.slice(0, 1),
    hash2: hash.slice(0, 2),
    width: String(scaled.width),
    thumbnail: encodeURIComponent(remoteThumbnailName(dbkey, scaled)),
  }
  return pattern.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}

/** MediaWiki converts SVG to PNG and TIFF to JPEG, and keeps other types. */
function remoteThumbnailName(
  dbkey: string,
  { width, mimeType }: { width: number; mimeType: string },
): string {
  if (mimeType === SVG) return `${width}px-${dbkey}.png`
  return mimeType === 'image/tiff' ? `lossy-page1-${width}px-${dbkey}.jpg` : `${width}px-${dbkey}`
}
