/** The sizes in which the server offers pictures, and the names of scaled ones. */
import type { FileFacts } from '../domain/file.js'
import { SVG } from '../domain/mediaTypes.js'

export interface Size {
  readonly width: number
  readonly height: number
}

/** An offered size of a picture. */
export interface PictureForm extends Size {
  /** True for the file itself, false for a scaled picture. */
  readonly isOriginal: boolean
}

export const PREFERRED_BOX: Size = { width: 800, height: 600 }
export const LARGEST_BOX: Size = { width: 2560, height: 2048 }
/** Widths offered for every picture. Others are rounded up, so that clients cannot fill the disk with sizes. */
export const WIDTH_STEPS: readonly number[] = [
  20, 40, 60, 120, 180, 250, 330, 400, 500, 640, 800, 960, 1024, 1280, 1600, 1920, 2560,
]

/** Formats of scaled pictures by the file's type. Of a GIF, only the first frame is used. */
const FORMATS = {
  'image/jpeg': 'jpg',
  'image/tiff': 'jpg',
  'image/png': 'png',
  'image/gif': 'png',
  [SVG]: 'png',
  'image/webp': 'webp',
  'image/avif': 'webp',
} as const satisfies Record<string, string>
export type PictureFormat = (typeof FORMATS)[keyof typeof FORMATS]

export const FORMAT_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** Types that browsers cannot show, or not safely: only scaled pictures are offered. */
const ALWAYS_RENDERED: readonly string[] = ['image/tiff', SVG]

/** Undefined for files that cannot be scaled. */
export function pictureFormat(mimeType: string): PictureFormat | undefined {
  return Object.hasOwn(FORMATS, mimeType) ? FORMATS[mimeType as keyof typeof FORMATS] : undefined
}

/** MIME type of the scaled pictures of a scalable file. */
export function pictureType(mimeType: string): string {
  return FORMAT_TYPES[pictureFormat(mimeType) ?? 'png']
}

/** Pictures with more pixels are offered as they are: scaling them takes more memory than a process for files has. */
export const MAX_IMAGE_PIXELS = 100_000_000

/** Size of the picture; undefined when it cannot be scaled. */
export function pictureSize(facts: FileFacts): Size | undefined {
  const { width, height, mimeType } = facts
  if (!width || !height || pictureFormat(mimeType) === undefined) return undefined
  return width * height <= MAX_IMAGE_PIXELS ? { width, height } : undefined
}

/**
 * The largest form within a box, which is the file itself when that fits and browsers can show it. Never enlarges; at
 * least one pixel wide.
 */
export function pictureWithin(size: Size, box: Size, mimeType: string): PictureForm {
  const width = Math.max(
    1,
    Math.min(size.width, box.width, Math.floor((box.height * size.width) / size.height)),
  )
  return formOfWidth(size, width, mimeType)
}

/**
 * The smallest offered form that is at least `width` wide, or else the largest form. For pages and lists, where the
 * browser scales it down.
 */
export function thumbnailFor(size: Size, width: number, mimeType: string): PictureForm {
  const largest = pictureWithin(size, LARGEST_BOX, mimeType)
  const step = WIDTH_STEPS.find((candidate) => candidate >= width)
  return step === undefined || step >= largest.width ? largest : formOfWidth(size, step, mimeType)
}

/** Whether a scaled picture of this width is offered. */
export function isOffered(size: Size, width: number, mimeType: string): boolean {
  return [
    thumbnailFor(size, width, mimeType),
    pictureWithin(size, PREFERRED_BOX, mimeType),
    pictureWithin(size, LARGEST_BOX, mimeType),
  ].some((form) => form.width === width && !form.isOriginal)
}

/** Name of a scaled picture, such as `800px-Big.png` or `800px-Plan.svg.png`. */
export function pictureName(dbkey: string, width: number, mimeType: string): string {
  const format = pictureFormat(mimeType)
  const sameFormat = format !== undefined && FORMAT_TYPES[format] === mimeType
  return `${width}px-${dbkey}${format === undefined || sameFormat ? '' : `.${format}`}`
}

function formOfWidth(size: Size, width: number, mimeType: string): PictureForm {
  const height = Math.max(1, Math.round((width * size.height) / size.width))
  return { width, height, isOriginal: width === size.width && !ALWAYS_RENDERED.includes(mimeType) }
}
