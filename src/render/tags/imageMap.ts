/**
 * `<imagemap>`: a picture whose areas link to pages. The first line is the picture, written as a link to it. The others
 * are areas in coordinates of the full size, and `desc`, the corner of the link to the file's page.
 */
import { FILE } from '../../domain/namespaceIds.js'
import { createHash } from 'node:crypto'
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { parseTitle } from '../../domain/title.js'
import { escapeHtml } from '../../domain/html.js'
import type { DomElement, DomNode } from '../html/dom.js'
import { firstOf, MAX_TAG_LENGTH, type ExtensionTag, type TagWiki } from './tag.js'

const MAX_LINES = 2000
const COMMENT = /^\s*#/
const WIKI_LINK = /^\[\[\s*([^[\]{}|<>\n]{1,1000})(?:\|([^[\]\n]{0,1000}))?\s*\]\]\s*$/
const EXTERNAL_LINK = /^\[((?:https?:|ftp:|mailto:)?[^\s[\]{}|<>"]{1,2000})(?:\s+([^[\]\n]{0,1000}))?\]\s*$/i
const DESC_PLACES = ['top-right', 'bottom-right', 'bottom-left', 'top-left', 'none'] as const
/** Number of coordinates of each shape; null: any number of pairs. */
const SHAPES: ReadonlyMap<string, number | null> = new Map([
  ['default', 0],
  ['rect', 4],
  ['circle', 3],
  ['poly', null],
])
const NUMBER = /^[+-]?\d{1,9}(?:\.\d{0,9})?$/

interface Area {
  readonly shape: string
  readonly coordinates: readonly number[]
  /** Wikitext of the link, with the area's number as its label. */
  readonly link: string
  readonly title: string
  readonly lineNumber: number
}

interface ImageMap {
  readonly image: string
  readonly areas: readonly Area[]
  readonly desc: (typeof DESC_PLACES)[number]
}

/** An error in the map, with MediaWiki's message. */
class ImageMapError extends Error {
  override readonly name = 'ImageMapError'
}

export async function renderImageMap({ content }: ExtensionTag, wiki: TagWiki): Promise<string> {
  try {
    return await htmlOf(readMap(content, wiki), content, wiki)
  } catch (error) {
    if (!(error instanceof ImageMapError)) throw error
    return `<strong class="error">${escapeHtml(error.message)}</strong>`
  }
}

function readMap(content: string, wiki: TagWiki): ImageMap {
  if (content.length > MAX_TAG_LENGTH) throw new ImageMapError('Error: the map is too long')
  const lines = content.split('\n').map((line, n) => ({ text: line.trim(), lineNumber: n + 1 }))
  const [first, ...rest] = lines.filter(({ text }) => text !== '' && !COMMENT.test(text))
  if (first === undefined || !namesFile(first.text, wiki)) {
    throw new ImageMapError('Error: must specify an image in the first line')
  }
  if (rest.length > MAX_LINES) throw new ImageMapError('Error: the map is too long')
  const areas: Area[] = []
  let desc: ImageMap['desc'] = 'bottom-right'
  for (const { text, lineNumber } of rest) {
    if (/^desc(?:\s|$)/.test(text)) desc = readDesc(text)
    else areas.push(readArea(text, lineNumber, areas.length))
  }
  if (areas.length === 0 && desc === 'none') {
    throw new ImageMapError('Error: at least one area specification must be given')
  }
  return { image: first.text, areas, desc }
}

function namesFile(line: string, { namespaces }: TagWiki): boolean {
  const parsed = parseTitle(decodeCharacterReferences(line.split('|', 1)[0] ?? ''), namespaces)
  return parsed.ok && parsed.title.namespace === FILE
}

function readDesc(text: string): ImageMap['desc'] {
  const place = text.slice('desc'.length).trim()
  const known = DESC_PLACES.find((name) => name === place)
  if (known !== undefined) return known
  throw new ImageMapError(`Error: invalid desc specification, must be one of: ${DESC_PLACES.join(', ')}`)
}

function readArea(text: string, lineNumber: number, index: number): Area {
  const bracket = text.indexOf('[')
  if (bracket < 0) throw new ImageMapError(`Error: no valid link was found at the end of line ${lineNumber}`)
  const [shape = '', ...words] = text.slice(0, bracket).trim().split(/\s+/)
  const { link, title } = readLink(text.slice(bracket), lineNumber, index)
  return { shape, coordinates: readCoordinates(shape, words, lineNumber), link, title, lineNumber }
}

function readLink(text: string, lineNumber: number, index: number): { link: string; title: string } {
  const wikiLink = WIKI_LINK.exec(text)
  if (wikiLink !== null) {
    const [, target = '', label] = wikiLink
    // Without the colon, a file link would show a picture, and a category link would add the page to the category.
    const isRelative = /^[/#:]/.test(target)
    const title = decodeCharacterReferences(label ?? target.replace(/^:/, '')).trim()
    return { link: `[[${isRelative ? '' : ':'}${target}|${index}]]`, title }
  }
  const external = EXTERNAL_LINK.exec(text)
  if (external === null)
    throw new ImageMapError(`Error: no valid link was found at the end of line ${lineNumber}`)
  const [, url = '', label] = external
  return { link: `[${url} ${index}]`, title: decodeCharacterReferences(label ?? url).trim() }
}

function readCoordinates(shape: string, words: readonly string[], lineNumber: number): number[] {
  const count = SHAPES.get(shape)
  if (count === undefined) {
    throw new ImageMapError(
      `Error: unrecognized shape at line ${lineNumber}, each line must start with one of: ${[...SHAPES.keys()].join(', ')}`,
    )
  }
  const given = count === null ? words : words.slice(0, count)
  if (given.length < (count ?? 2))
    throw new ImageMapError(`Error: not enough coordinates for shape at line ${lineNumber}`)
  if (count === null && given.length % 2 === 1)
    throw new ImageMapError(`Error: found poly with odd number of coordinates on line ${lineNumber}`)
  if (!given.every((word) => NUMBER.test(word)))
    throw new ImageMapError(`Error: invalid coordinate at line ${lineNumber}, must be a number`)
  return given.map(Number)
}

async function htmlOf(map: ImageMap, content: string, wiki: TagWiki): Promise<string> {
  const body = await wiki.parseInline(`[[${map.image}]]`)
  const figure = firstOf(body, 'figure[typeof*="mw:Image"], figure-inline[typeof*="mw:Image"]')
  const picture = figure && firstOf(figure, 'img')
  const link = picture?.parentNode
  if (!figure || !picture || !link) throw new ImageMapError('Error: image is invalid or non-existent')
  const links = await readLinks(map.areas, wiki)
  const name = `ImageMap_${createHash('sha256').update(content).digest('hex').slice(0, 16)}`
  const outside = map.areas.find(({ shape }) => shape === 'default')
  const filePage = picture.getAttribute('resource') ?? ''
  replaceLink(link, picture, outside && links.get(outside), outside?.title)
  const shapes = map.areas.filter((area) => area !== outside)
  if (shapes.length > 0) picture.setAttribute('usemap', `#${name}`)
  const extras = figure.ownerDocument.createElement('span')
  extras.innerHTML = areasHtml(shapes, links, name, scaleOf(picture)) + descHtml(map.desc, filePage)
  for (let part = extras.firstChild; part !== null; part = extras.firstChild)
    figure.insertBefore(part, firstOf(figure, 'figcaption') ?? null)
  const wrapper = figure.ownerDocument.createElement(figure.nodeName === 'FIGURE' ? 'div' : 'span')
  wrapper.setAttribute('class', `mw-ext-imagemap mw-ext-imagemap-desc-${map.desc}`)
  wrapper.appendChild(figure)
  const holder = wrapper.ownerDocument.createElement('div')
  holder.appendChild(wrapper)
  return holder.innerHTML
}

interface AreaLink {
  readonly rel: string
  readonly href: string
  readonly isNew: boolean
}

/** The links as the engine renders them, checked and complete. Throws for an invalid one. */
async function readLinks(areas: readonly Area[], wiki: TagWiki): Promise<Map<Area, AreaLink>> {
  const links = new Map<Area, AreaLink>()
  if (areas.length === 0) return links
  const body = await wiki.parse(areas.map(({ link }) => link).join('\n\n'))
  for (const anchor of Array.from(body.querySelectorAll('a[href]'))) {
    const area = areas[Number(anchor.textContent)]
    if (area === undefined) continue
    const isNew = /(?:^| )new(?: |$)/.test(anchor.getAttribute('class') ?? '')
    links.set(area, { rel: anchor.getAttribute('rel') ?? '', href: anchor.getAttribute('href') ?? '', isNew })
  }
  const bad = areas.find((area) => !links.has(area))
  if (bad !== undefined) throw new ImageMapError(`Error: invalid title in link at line ${bad.lineNumber}`)
  return links
}

/** A picture with a map does not link to its own page. It links to the target of `default`, or nowhere. */
function replaceLink(link: DomNode, picture: DomElement, to: AreaLink | undefined, title = ''): void {
  const holder = link.parentNode
  if (holder === null) return
  const replacement = picture.ownerDocument.createElement(to === undefined ? 'span' : 'a')
  if (to !== undefined) {
    replacement.setAttribute('rel', to.rel)
    replacement.setAttribute('href', to.href)
    if (title !== '') replacement.setAttribute('title', title)
    if (to.isNew) replacement.setAttribute('class', 'new')
  }
  holder.insertBefore(replacement, link)
  holder.removeChild(link)
  replacement.appendChild(picture)
}

/** Factor from coordinates of the full size to those of the displayed size. */
function scaleOf(picture: DomElement): number {
  const full = Number(picture.getAttribute('data-file-width') ?? 0)
  const shown = Number(picture.getAttribute('width') ?? 0)
  return full > 0 && shown > 0 ? shown / full : 1
}

function areasHtml(
  areas: readonly Area[],
  links: ReadonlyMap<Area, AreaLink>,
  name: string,
  scale: number,
): string {
  if (areas.length === 0) return ''
  const html = areas.map((area) => {
    const { rel = '', href = '', isNew = false } = links.get(area) ?? {}
    const coords = area.coordinates.map((number) => Math.round(number * scale)).join(',')
    const title = escapeHtml(area.title)
    const label = title === '' ? 'alt=""' : `alt="${title}" title="${title}"`
    const shape = area.shape === 'default' ? 'shape="default"' : `shape="${area.shape}" coords="${coords}"`
    const state = isNew ? ' class="new"' : ''
    return `<area rel="${escapeHtml(rel)}" href="${escapeHtml(href)}" ${shape} ${label}${state}/>`
  })
  return `<map name="${name}" id="${name}">${html.join('')}</map>`
}

function descHtml(desc: ImageMap['desc'], filePage: string): string {
  if (desc === 'none' || filePage === '') return ''
  const attributes = `class="mw-ext-imagemap-desc" href="${escapeHtml(filePage)}" title="About this image"`
  return `<a ${attributes}>ⓘ</a>`
}
