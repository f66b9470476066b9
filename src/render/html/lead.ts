/** The first paragraph and picture of a page, for previews and for services that link to it. */
import { TEMPLATE } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle } from '../../domain/title.js'
import { type VariantMarkup, writeMarkup } from '../../domain/variantMarkup.js'
import { type DomElement, elementsOf, isElement, nodesOf } from './dom.js'

// The text of an element as a reader sees it, in one line.

const TEXT_NODE = 3
const VARIANT = 'mw:LanguageVariant'
/** Elements whose text is not part of a sentence. */
const SILENT: ReadonlySet<string> = new Set([
  'style',
  'script',
  'table',
  'figure',
  'link',
  'meta',
  'annotation',
])
const SILENT_CLASS = /(?:^|\s)(?:mw-ref|reference|mw-editsection|noprint|navigation-not-searchable)(?:\s|$)/
const HIDDEN_STYLE = /display\s*:\s*none/i

/**
 * At most `maxLength` characters, without references, hidden parts and what `skips` names. A longer text ends at a
 * word, with an ellipsis.
 */
export function shownText(
  root: DomElement,
  maxLength: number,
  skips: (element: DomElement) => boolean = () => false,
): string {
  let text = ''
  for (const node of nodesOf(root, (element) => isSilent(element) || skips(element))) {
    if (node.nodeType === TEXT_NODE) text += node.nodeValue ?? ''
    else if (isElement(node)) text += variantText(node)
    if (text.length > 2 * maxLength) break
  }
  return shorten(text.replace(/\s+/g, ' ').trim(), maxLength)
}

/** Markup of language variants shows what its attribute says. It stays markup: see `render/variants`. */
function variantText(element: DomElement): string {
  if (element.getAttribute('typeof')?.includes(VARIANT) !== true) return ''
  const markup = JSON.parse(element.getAttribute('data-mw-variant') ?? '{}') as VariantMarkup
  return writeMarkup(element.localName === 'meta' ? { ...markup, isHidden: true } : markup)
}

/** Parts that readers do not see, or that interrupt a sentence. */
function isSilent(element: DomElement): boolean {
  return (
    SILENT.has(element.localName) ||
    SILENT_CLASS.test(element.getAttribute('class') ?? '') ||
    HIDDEN_STYLE.test(element.getAttribute('style') ?? '')
  )
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength)
  const space = cut.lastIndexOf(' ')
  return `${(space > maxLength / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`
}

const MAX_LEAD_LENGTH = 400
/** Shorter paragraphs are coordinates and the like. */
const MIN_LEAD_LENGTH = 20
const MIN_PICTURE_WIDTH = 80
/** Elements to look at before giving up. */
const MAX_STEPS = 5000
/** Boxes beside the text, and notes above it. */
const ASIDE_CLASS = /(?:^|\s)(?:infobox|hatnote|navbox|ambox|metadata|mw-empty-elt|dablink|toc)/
const MISSING_CLASS = /(?:^|\s)new(?:\s|$)/
const HEADING = /^h[1-6]$/
/** Templates write coordinates at the beginning, and show them elsewhere. */
const COORDINATES = /^coordinates$/i
const COORDINATES_CLASS = /(?:^|\s)geo(?:-|\s|$)/
/** Missing templates leave separators beside brackets, empty brackets, and spaces before commas. */
const LEFT_OVER = /(?<=[(（])[\s,;:/、]+|[\s,;:/、]+(?=[)）])|\s+(?=,)/g
const EMPTY_BRACKETS = /\s*[(（][)）]/g

/** Beginning of the first paragraph before the first heading, or of the first one at all. */
export function leadText(body: DomElement, namespaces: Namespaces): string {
  const isSkipped = (element: DomElement): boolean =>
    isCoordinates(element) || isMissingTemplate(element, namespaces)
  let fallback = ''
  let isLead = true
  let steps = 0
  for (const element of elementsOf(body, (element) => isSilent(element) || isAside(element))) {
    if (++steps > MAX_STEPS) break
    if (HEADING.test(element.localName)) isLead = false
    if (element.localName !== 'p') continue
    const shown = shownText(element, MAX_LEAD_LENGTH, isSkipped)
    const text = shown.replace(LEFT_OVER, '').replace(EMPTY_BRACKETS, '').trim()
    if (text.length >= MIN_LEAD_LENGTH) return text
    fallback ||= text
    if (!isLead && fallback !== '') break
  }
  return fallback
}

/** Address of the first picture before the first heading. */
export function leadPicture(body: DomElement): string | undefined {
  let steps = 0
  for (const element of elementsOf(body)) {
    if (++steps > MAX_STEPS || HEADING.test(element.localName)) return undefined
    const src = element.localName === 'img' ? element.getAttribute('src') : null
    if (src !== null && Number(element.getAttribute('width')) >= MIN_PICTURE_WIDTH) return src
  }
  return undefined
}

function isAside(element: DomElement): boolean {
  return ASIDE_CLASS.test(element.getAttribute('class') ?? '') || element.getAttribute('role') === 'note'
}

function isCoordinates(element: DomElement): boolean {
  return (
    COORDINATES.test(element.getAttribute('id') ?? '') ||
    COORDINATES_CLASS.test(element.getAttribute('class') ?? '')
  )
}

/** In the place of a missing template stands a link to it. */
function isMissingTemplate(element: DomElement, namespaces: Namespaces): boolean {
  if (element.localName !== 'a' || !MISSING_CLASS.test(element.getAttribute('class') ?? '')) return false
  const parsed = parseTitle(element.getAttribute('title') ?? '', namespaces)
  return parsed.ok && parsed.title.namespace === TEMPLATE
}
