/** `<mapframe>` and `<maplink>`: the place and labels of a map, and a link to one at OpenStreetMap. Nothing loads. */
import { escapeHtml } from '../../domain/html.js'
import { jsonLabels, standIn } from './standIn.js'
import { MAX_TAG_LENGTH, type ExtensionTag, type TagWiki } from './tag.js'

/** A link to a map within a line: its text and the coordinates. */
export async function renderMapLink(tag: ExtensionTag, wiki: TagWiki): Promise<string> {
  const text = await textOf(tag, wiki)
  const shown = placeOf(tag)
  if (text === '' && shown === '') return ''
  const separate = text !== '' && shown !== '' ? ` (${shown})` : shown
  return `<span class="mw-kartographer-maplink">${text}${separate}</span>`
}

/** A box with the caption, the coordinates, and the labels on the map. */
export async function renderMapFrame(tag: ExtensionTag, wiki: TagWiki): Promise<string> {
  const text = await textOf(tag, wiki)
  const place = placeOf(tag)
  const caption = [
    text === '' ? '' : `<div class="mw-stand-in-caption">${text}</div>`,
    place === '' ? '' : `<div>${place}</div>`,
  ]
  const labels = tag.content.length > MAX_TAG_LENGTH ? [] : jsonLabels(tag.content)
  return standIn('map', 'Map', labels, caption.join(''))
}

async function textOf({ attributes }: ExtensionTag, wiki: TagWiki): Promise<string> {
  const text = attributes.get('text') ?? ''
  return text === '' ? '' : (await wiki.parseInline(text)).innerHTML
}

const LEAST_ZOOM = 1
const USUAL_ZOOM = 13
const MOST_ZOOM = 19

/** Coordinates such as `37°48′37″N 122°23′58″W`, as a link to a map. Empty when the tag gives no valid ones. */
function placeOf({ attributes }: ExtensionTag): string {
  const latitude = degreesOf(attributes.get('latitude'), 90)
  const longitude = degreesOf(attributes.get('longitude'), 180)
  if (latitude === undefined || longitude === undefined) return ''
  const words = `${formatDegrees(latitude, 'N', 'S')} ${formatDegrees(longitude, 'E', 'W')}`
  const asked = Number(attributes.get('zoom') ?? USUAL_ZOOM)
  const zoom = Number.isInteger(asked) ? Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, asked)) : USUAL_ZOOM
  const place = `?mlat=${latitude}&mlon=${longitude}#map=${zoom}/${latitude}/${longitude}`
  const href = escapeHtml(`https://www.openstreetmap.org/${place}`)
  return `<a rel="mw:ExtLink nofollow" class="external text" href="${href}"><span class="geo-dms">${escapeHtml(words)}</span></a>`
}

const DEGREES = /^[+-]?\d{1,3}(?:\.\d{0,20})?$/

function degreesOf(text: string | undefined, most: number): number | undefined {
  const trimmed = (text ?? '').trim()
  if (!DEGREES.test(trimmed)) return undefined
  const degrees = Number(trimmed)
  return Math.abs(degrees) <= most ? degrees : undefined
}

function formatDegrees(degrees: number, positive: string, negative: string): string {
  const seconds = Math.round(Math.abs(degrees) * 3600)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${parts[0]}°${parts[1]}′${parts[2]}″${degrees < 0 && seconds > 0 ? negative : positive}`
}

// `<graph>`: the texts of a diagram in the Vega language.

export function renderGraph({ content }: ExtensionTag): string {
  return standIn('graph', 'Graph', content.length > MAX_TAG_LENGTH ? [] : jsonLabels(content))
}
