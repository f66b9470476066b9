/** The sizes in which a file's picture is offered, and the names of scaled pictures. */
import type { FileFacts } from '../domain/file.js'
import { SVG } from '../domain/mediaTypes.js'

export interface Size {
  readonly width: number
  readonly height: number
}

/** A form in which a picture is offered. */
export interface PictureForm extends Size {
  /** The file itself; otherwise a picture made from it. */
  readonly isOriginal: boolean
}

export const PREFERRED_BOX: Size = { width: 800, height: 600 }
export const LARGEST_BOX: Size = { width: 2560, height: 2048 }
/** Widths that every picture has. Others are rounded up to the next: nobody can fill a disk with sizes. */
export const WIDTH_STEPS: readonly number[] = [
  20, 40, 60, 120, 180, 250, 330, 400, 500, 640, 800, 960, 1024, 1280, 1600, 1920, 2560,
]

/** What a scaled picture is written as, by the type of the file. GIFs become their first frame. */
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

/** Types that browsers do not show as pictures, or only with care: they are offered as scaled pictures alone. */
const ALWAYS_RENDERED: readonly string[] = ['image/tiff', SVG]

/** Undefined: no scaled picture can be made of such a file. */
export function pictureFormat(mimeType: string): PictureFormat | undefined {
  return Object.hasOwn(FORMATS, mimeType) ? FORMATS[mimeType as keyof typeof FORMATS] : undefined
}

/** MIME type of the scaled pictures of a file of this type, for which there must be some. */
export function pictureType(mimeType: string): string {
  return FORMAT_TYPES[pictureFormat(mimeType) ?? 'png']
}

/** Size of the picture; undefined when the file has none that can be scaled, or more pixels than `maxPixels`. */
export function pictureSize(facts: FileFacts, maxPixels: number): Size | undefined {
  const { width, height, mimeType } = facts
  if (!width || !height || pictureFormat(mimeType) === undefined) return undefined
  return width * height <= maxPixels ? { width, height } : undefined
}

/**
 * The largest form within a box; the file itself where that fits and is shown as it is. Never enlarged, and at least a
 * pixel wide.
 */
export function pictureWithin(size: Size, box: Size, mimeType: string): PictureForm {
  const width = Math.max(
    1,
    Math.min(size.width, box.width, Math.floor((box.height * size.width) / size.height)),
  )
  return formOfWidth(size, width, mimeType)
}

/**
 * The smallest form that is offered and at least `width` wide; the file itself where none but it is. For pages
 * and lists: what they show narrower is scaled by the browser.
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

/** `800px-Big.png`, `800px-Plan.svg.png`: the name of a scaled picture, by the name of the file. */
export function pictureName(dbkey: string, width: number, mimeType: string): string {
  const format = pictureFormat(mimeType)
  const sameFormat = format !== undefined && FORMAT_TYPES[format] === mimeType
  return `${width}px-${dbkey}${format === undefined || sameFormat ? '' : `.${format}`}`
}

function formOfWidth(size: Size, width: number, mimeType: string): PictureForm {
  const height = Math.max(1, Math.round((width * size.height) / size.width))
  return { width, height, isOriginal: width === size.width && !ALWAYS_RENDERED.includes(mimeType) }
}
