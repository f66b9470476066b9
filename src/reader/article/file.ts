/** A file with its facts, as its page shows them above the description. */
import type { LocalFormats } from '../../domain/localFormats.js'
import { type Html, html } from '../html.js'
import { sentence, text } from '../messages.js'
import { timeElement } from '../parts/time.js'

interface FileForm {
  readonly url: string
  readonly width: number
  readonly height: number
}

export interface FileFactsView {
  readonly formats: LocalFormats
  readonly name: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** As large as it is shown. */
  readonly picture: FileForm
  readonly original: FileForm & { readonly duration: number | null }
  /** Undefined if the uploader is unknown. */
  readonly uploader: string | undefined
  /** Seconds since 1970. */
  readonly time: number
}

export function fileView(file: FileFactsView): Html {
  const { original, name, uploader, time, formats } = file
  const who = uploader !== undefined && html`<dt>${text('file-uploader')}</dt><dd><bdi>${uploader}</bdi></dd>`
  return html`<div class="file-view" lang="en">
    ${preview(file)}
    <dl class="file-facts">
    <dt>${text('file-original')}</dt><dd><a href="${original.url}" dir="auto">${name}</a></dd>
    <dt>${text('file-kind')}</dt><dd>${kindOf(file)}</dd>
    <dt>${text('file-time')}</dt><dd>${timeElement(time, formats)}</dd>
    ${who}
    </dl>
    </div>`
}

function preview({ mimeType, picture, original, name }: FileFactsView): Html | undefined {
  if (mimeType.startsWith('video/'))
    return html`<video controls preload="metadata" src="${original.url}"></video>`
  if (mimeType.startsWith('audio/'))
    return html`<audio controls preload="metadata" src="${original.url}"></audio>`
  const { url, width, height } = picture
  if (!mimeType.startsWith('image/') || width === 0) return undefined
  return html`<a href="${original.url}"><img src="${url}" width="${width}" height="${height}" alt="${name}"></a>`
}

function kindOf({ mimeType, sizeBytes, original }: FileFactsView): Html {
  const { width, height, duration } = original
  return html`${mimeType}, ${bytesInWords(sizeBytes)}${
    width > 0 && html`, ${sentence('file-pixels', grouped(width), grouped(height))}`
  }${duration !== null && html`, ${sentence('file-seconds', Math.round(duration))}`}`
}

/** `1.4 MB`: readers want the order of magnitude. */
export function bytesInWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${units[unit]!}`
}

const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',')
