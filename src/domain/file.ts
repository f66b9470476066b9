/** Uploaded files: what the wiki knows about each of them, apart from its description page. */
import type { Editor } from './revision.js'

/** Kinds of files, in MediaWiki's words. */
export const MEDIA_TYPES = [
  'BITMAP',
  'DRAWING',
  'AUDIO',
  'VIDEO',
  'MULTIMEDIA',
  'OFFICE',
  'TEXT',
  'ARCHIVE',
  '3D',
  'UNKNOWN',
] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** Tells if a text is a SHA-256 in hex, as the names of contents on the disk are. */
export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Facts that follow from the contents of a file. */
export interface ContentFacts {
  /** Pixels as shown, after the rotation that the file asks for. 0: not a picture. Null: unknown. */
  readonly width: number | null
  readonly height: number | null
  /** Null where nothing plays. */
  readonly durationSeconds: number | null
  readonly mediaType: MediaType
  readonly mimeType: string
}

/** A file as of its latest upload. Its name is that of its page, in the namespace File. */
export interface FileFacts extends ContentFacts {
  readonly sizeBytes: number
  /** Of the contents, base 36, 31 digits, as MediaWiki writes it. */
  readonly sha1: string
  /** Undefined: hidden, or not known. */
  readonly uploader: Editor | undefined
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Of the contents, in hex: the way to them on the disk. Null: another repository has them. */
  readonly sha256: string | null
  /** The mirrored wiki has the contents itself, not a repository that it shares. Never stored: the origin tells it. */
  readonly isOfWiki?: boolean
}

/** A SHA-1 in hex as base 36 of 31 digits. */
export function sha1Base36(hex: string): string {
  return BigInt(`0x${hex}`).toString(36).padStart(31, '0')
}
