/** Pictures, sounds and videos of a page, in the order of its HTML. Attributes are quoted; time is linear. */
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { attributeOf, titleOf } from './bodyFacts.js'

export interface MediaItem {
  readonly type: 'image' | 'video' | 'audio'
  /** Title of the file in URL form, with its namespace. */
  readonly title: string
  /** Number of the section, from 0 before the first heading. */
  readonly section: number
  /** Whether it stands within the text, and is no icon. */
  readonly isShown: boolean
  /** Addresses by scale, such as `1x`. */
  readonly sources: readonly { readonly src: string; readonly scale: string }[]
  readonly caption?: { readonly html: string; readonly text: string }
}

const MAX_ITEMS = 1000
const MAX_CAPTION_LENGTH = 2000
/** Smaller pictures are icons. */
const MIN_SIDE = 48
const TOKEN =
  /<(section|img|video|audio|figure|figcaption|\/figcaption|\/figure)((?:\s(?:"[^"]*"|'[^']*'|[^'"<>])*)?)>/g
const IN_CAPTION =
  /<(\/?)(b|i|em|strong|sub|sup)(?:\s(?:"[^"]*"|'[^']*'|[^'"<>])*)?>|<(?:"[^"]*"|'[^']*'|[^'"<>])*>/g

/** `html` is the inside of a body. */
export function mediaItems(html: string): MediaItem[] {
  const items: MediaItem[] = []
  let section = 0
  /** Of the figure that is open. */
  let inFigure = 0
  let captionStart: number | undefined
  for (const { 0: token, 1: name = '', 2: attributes = '', index } of html.matchAll(TOKEN)) {
    if (name === 'section')
      section = Math.max(section, Number(attributeOf(attributes, 'data-mw-section-id')) || 0)
    else if (name === 'figure') inFigure = items.length
    else if (name === 'figcaption') captionStart = index + token.length
    else if (name === '/figcaption' && captionStart !== undefined) {
      const caption = captionOf(html.slice(captionStart, Math.min(index, captionStart + MAX_CAPTION_LENGTH)))
      captionStart = undefined
      const item = items.length > inFigure ? items.at(-1) : undefined
      if (item !== undefined && caption !== undefined) items[items.length - 1] = { ...item, caption }
    } else if (!name.startsWith('/') && items.length < MAX_ITEMS) {
      const item = itemOf(name, attributes, section)
      if (item !== undefined) items.push(item)
    }
  }
  return items
}

function itemOf(name: string, attributes: string, section: number): MediaItem | undefined {
  const resource = attributeOf(attributes, 'resource')
  if (!resource.startsWith('./')) return undefined
  const src = attributeOf(attributes, 'src') || attributeOf(attributes, 'poster')
  const scaled = attributeOf(attributes, 'srcset').split(/,\s+/)
  const sides = ['width', 'height'].map((side) => Number(attributeOf(attributes, side)) || Infinity)
  return {
    type: name === 'img' ? 'image' : name === 'video' ? 'video' : 'audio',
    title: titleOf(resource),
    section,
    isShown: Math.min(...sides) >= MIN_SIDE,
    sources: [
      ...(src === '' ? [] : [{ src, scale: '1x' }]),
      ...scaled.flatMap((part) => {
        const [address, scale] = part.trim().split(/\s+/)
        return address !== undefined && scale !== undefined && /^\d\.?\d*x$/.test(scale)
          ? [{ src: address, scale }]
          : []
      }),
    ].sort((a, b) => parseFloat(a.scale) - parseFloat(b.scale)),
  }
}

/** Emphasis stays. Undefined if there is no text. */
function captionOf(html: string): { html: string; text: string } | undefined {
  const clean = html.replace(IN_CAPTION, (_tag, slash?: string, name?: string) =>
    name === undefined ? '' : `<${slash}${name}>`,
  )
  // A tag that the bound has cut.
  const whole = clean.replace(/<[^>]*$/, '').trim()
  const text = decodeCharacterReferences(whole.replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' ? undefined : { html: whole, text }
}
