/** Makes one scaled picture of a file. Runs in a process where a hostile file can do no harm. */
import sharp, { type Sharp } from 'sharp'
import { SVG } from '../domain/mediaTypes.js'
import { readDrawing } from './inspect.js'
import type { PictureFormat } from './pictureForms.js'

export interface ThumbnailOrder {
  /** Path of the original. */
  readonly path: string
  readonly mimeType: string
  readonly maxPixels: number
  readonly width: number
  readonly height: number
  readonly format: PictureFormat
  /** Path of the new picture. */
  readonly target: string
}

const QUALITY = 82

/** Writes the picture. Throws when the file is broken or has too many pixels. */
export async function makeThumbnail(order: ThumbnailOrder): Promise<void> {
  const { path, mimeType, maxPixels, width, height, format, target } = order
  const source = mimeType === SVG ? await readDrawing(path) : path
  const picture = sharp(source, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' })
  await encode(picture.autoOrient().resize(width, height, { fit: 'fill' }), format).toFile(target)
}

function encode(picture: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'jpg':
      return picture.flatten({ background: 'white' }).jpeg({ quality: QUALITY })
    case 'png':
      return picture.png()
    case 'webp':
      return picture.webp({ quality: QUALITY })
  }
}
