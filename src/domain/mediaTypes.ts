/** Kinds of files by MIME type, and MIME types by the ending of a name. */
import type { MediaType } from './file.js'

export const UNKNOWN_MIME_TYPE = 'application/octet-stream'
export const SVG = 'image/svg+xml'

const BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  svg: SVG,
  djvu: 'image/vnd.djvu',
  xcf: 'image/x-xcf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  mid: 'audio/midi',
  midi: 'audio/midi',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  ogg: 'application/ogg',
  ogv: 'video/ogg',
  webm: 'video/webm',
  mp4: 'video/mp4',
  mpg: 'video/mpeg',
  mpeg: 'video/mpeg',
  pdf: 'application/pdf',
  stl: 'model/stl',
}

const OFFICE = /^application\/(?:pdf|msword|rtf|vnd\.(?:ms-|oasis\.opendocument|openxmlformats))/
const ARCHIVES = [
  'application/zip',
  'application/gzip',
  'application/x-bzip2',
  'application/x-xz',
  'application/x-tar',
  'application/x-7z-compressed',
  'application/x-rar-compressed',
]

/** MIME type by file ending, for files whose contents are not at hand. */
export function mimeTypeOfName(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending]! : UNKNOWN_MIME_TYPE
}

export function mediaTypeOf(mimeType: string): MediaType {
  if (mimeType === SVG) return 'DRAWING'
  if (mimeType === 'application/ogg') return 'MULTIMEDIA'
  if (OFFICE.test(mimeType)) return 'OFFICE'
  if (ARCHIVES.includes(mimeType)) return 'ARCHIVE'
  return BY_FAMILY.get(mimeType.slice(0, mimeType.indexOf('/'))) ?? 'UNKNOWN'
}

const BY_FAMILY: ReadonlyMap<string, MediaType> = new Map([
  ['image', 'BITMAP'],
  ['audio', 'AUDIO'],
  ['video', 'VIDEO'],
  ['text', 'TEXT'],
  ['model', '3D'],
])
