/** URLs of files: on this server, on a front of it, or in another wiki's repository. */
import { createHash } from 'node:crypto'
import type { FileFacts } from '../domain/file.js'
import { SVG } from '../domain/mediaTypes.js'
import { type PictureForm, pictureName } from './pictureForms.js'

/** The settings that say where files are; empty ones are not set. */
export interface FileUrlSettings {
  /** Where clients find this server's files, without a slash at the end. */
  readonly mediaUrl: string
  readonly remoteFileUrl: string
  readonly remoteThumbnailUrl: string
  readonly fileDescriptionUrl: string
  readonly html: boolean
}

const VERSION_DIGITS = 16

/** Changes with the contents of a file, so that its URLs can be kept for ever. */
export function fileVersion(sha256: string): string {
  return sha256.slice(0, VERSION_DIGITS)
}

export class FileUrls {
  readonly #settings: FileUrlSettings
  readonly #baseUrl: string

  /** `baseUrl` is that of the API, without `/v1`. */
  constructor(settings: FileUrlSettings, baseUrl: string) {
    this.#settings = settings
    this.#baseUrl = baseUrl
  }

  /** Whether a file can be shown: its contents are here, or there is a URL for them and its size is known. */
  canShow({ sha256, width, height }: FileFacts): boolean {
    return sha256 !== null || (this.#settings.remoteFileUrl !== '' && width !== null && height !== null)
  }

  /** Whether another repository is known, which may have any file. */
  get hasRemote(): boolean {
    return this.#settings.remoteFileUrl !== ''
  }

  /** Where the other repository has a file, if it has it. */
  remoteOriginal(dbkey: string): string {
    return fillPattern(this.#settings.remoteFileUrl, dbkey)
  }

  /** A picture of the other repository, scaled; undefined when it is not known where such are. */
  remoteThumbnail(dbkey: string, width: number, mimeType: string): string | undefined {
    const { remoteThumbnailUrl } = this.#settings
    return remoteThumbnailUrl === '' ? undefined : fillPattern(remoteThumbnailUrl, dbkey, { width, mimeType })
  }

  original(dbkey: string, { sha256 }: FileFacts): string {
    if (sha256 === null) return this.remoteOriginal(dbkey)
    return `${this.#mediaUrl()}/${fileVersion(sha256)}/${encodeURIComponent(dbkey)}`
  }

  /** Whether there are URLs for scaled pictures of a file. */
  canScale({ sha256 }: FileFacts): boolean {
    return sha256 !== null || this.#settings.remoteThumbnailUrl !== ''
  }

  rendering(dbkey: string, facts: FileFacts, { width, isOriginal }: PictureForm): string {
    if (isOriginal) return this.original(dbkey, facts)
    if (facts.sha256 === null) {
      return fillPattern(this.#settings.remoteThumbnailUrl, dbkey, { width, mimeType: facts.mimeType })
    }
    const name = pictureName(dbkey, width, facts.mimeType)
    return `${this.original(dbkey, facts)}/${encodeURIComponent(name)}`
  }

  /** The page that describes a file; `title` is its whole title in URL form. */
  description(dbkey: string, title: string): string {
    const { fileDescriptionUrl, html } = this.#settings
    if (fileDescriptionUrl !== '') return fillPattern(fileDescriptionUrl, dbkey)
    return `${this.#baseUrl}/v1/page/${encodeURIComponent(title)}${html ? '/html' : ''}`
  }

  #mediaUrl(): string {
    return this.#settings.mediaUrl === '' ? `${this.#baseUrl}/media` : this.#settings.mediaUrl
  }
}

/**
 * Fills `{name}`, `{hash1}` and `{hash2}` (the first one and two hex digits of the name's MD5, as MediaWiki's folders
 * have them), `{width}`, and `{thumbnail}`, the name that MediaWiki gives to a scaled picture.
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

/** MediaWiki turns SVG into PNG and TIFF into JPEG, and leaves the other types as they are. */
function remoteThumbnailName(
  dbkey: string,
  { width, mimeType }: { width: number; mimeType: string },
): string {
  if (mimeType === SVG) return `${width}px-${dbkey}.png`
  return mimeType === 'image/tiff' ? `lossy-page1-${width}px-${dbkey}.jpg` : `${width}px-${dbkey}`
}
