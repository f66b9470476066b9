/** Reads a file's type, picture size and duration. Runs in a process where a hostile file can do no harm. */
import { readFile, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { parseFile } from 'music-metadata'
import sharp from 'sharp'
import type { ContentFacts } from '../domain/file.js'
import { mediaTypeOf, SVG, UNKNOWN_MIME_TYPE } from '../domain/mediaTypes.js'
import { pictureFormat } from './pictureForms.js'

export interface Inspection {
  readonly facts: ContentFacts
  /** How the file differs from what it claims to be. */
  readonly problem: string | undefined
}

/** Size limit of SVG drawings, since no library reads them in bounded memory. */
export const MAX_SVG_BYTES = 16 * 2 ** 20

/** Types to treat as a more usual one. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'audio/opus': 'audio/ogg',
  'audio/vorbis': 'audio/ogg',
  'audio/x-flac': 'audio/flac',
  'audio/vnd.wave': 'audio/wav',
}
const MAY_BE_SVG = [UNKNOWN_MIME_TYPE, 'application/xml', 'text/xml']

/** Facts from the contents alone; `name` only tells whether a text may be a drawing. */
export async function inspectFile(path: string, name: string): Promise<Inspection> {
  const detected = (await fileTypeFromFile(path))?.mime ?? UNKNOWN_MIME_TYPE
  const isSvg = MAY_BE_SVG.includes(detected) && /\.svg$/i.test(name)
  const mimeType = isSvg ? SVG : (ALIASES[detected] ?? detected)
  const mediaType = mediaTypeOf(mimeType)
  const facts = { width: 0, height: 0, durationSeconds: null, mediaType, mimeType }
  try {
    if (pictureFormat(mimeType) !== undefined) {
      return { facts: { ...facts, ...(await pictureSize(path, mimeType)) }, problem: undefined }
    }
    if (mediaType === 'AUDIO' || mediaType === 'VIDEO' || mediaType === 'MULTIMEDIA') {
      return { facts: { ...facts, ...(await playFacts(path)) }, problem: undefined }
    }
    return { facts, problem: undefined }
  } catch (error) {
    const problem = `is no sound ${mimeType} (${firstLine(error)})`
    return { facts: isSvg ? UNKNOWN : facts, problem }
  }
}

const UNKNOWN: ContentFacts = {
  width: 0,
  height: 0,
  durationSeconds: null,
  mediaType: 'UNKNOWN',
  mimeType: UNKNOWN_MIME_TYPE,
}

/** The size as displayed, after the rotation that the picture requests. */
async function pictureSize(path: string, mimeType: string): Promise<{ width: number; height: number }> {
  const source = mimeType === SVG ? await readDrawing(path) : path
  const { autoOrient, format } = await sharp(source, { limitInputPixels: false }).metadata()
  if (mimeType === SVG && format !== 'svg') throw new Error(`it is ${format}`)
  return { width: Math.round(autoOrient.width), height: Math.round(autoOrient.height) }
}

/**
 * The bytes of a drawing. The library gets no path, so a drawing cannot reference other files. It never loads anything
 * from the network.
 */
export async function readDrawing(path: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > MAX_SVG_BYTES) throw new Error(`a drawing of more than ${MAX_SVG_BYTES} bytes`)
  return readFile(path)
}

async function playFacts(path: string): Promise<Partial<ContentFacts>> {
  const { format } = await parseFile(path, { duration: true, skipCovers: true })
  const video = format.trackInfo.find((track) => track.video !== undefined)?.video
  return {
    durationSeconds: format.duration ?? null,
    width: video?.pixelWidth ?? 0,
    height: video?.pixelHeight ?? 0,
  }
}

/** The first line of a message, at most 200 characters. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1)[0]!.slice(0, 200)
}
