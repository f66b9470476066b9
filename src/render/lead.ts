/** The first paragraph and picture of a page, for previews and for services that link to it. */
import type { DomElement } from './parsoid/dom.js'
import { isSilent, shownText } from './shownText.js'
import { elementsOf } from './walk.js'

const MAX_LEAD_LENGTH = 400
/** Shorter paragraphs are coordinates and the like. */
const MIN_LEAD_LENGTH = 20
const MIN_PICTURE_WIDTH = 80
/** Elements to look at before giving up. */
const MAX_STEPS = 5000
/** Boxes beside the text, and notes above it. */
const ASIDE_CLASS = /(?:^|\s)(?:infobox|hatnote|navbox|ambox|metadata|mw-empty-elt|dablink|toc)/
const HEADING = /^h[1-6]$/

/** Beginning of the first paragraph before the first heading, or of the first one at all. */
export function leadText(body: DomElement): string {
  let fallback = ''
  let isLead = true
  let steps = 0
  for (const element of elementsOf(body, (element) => isSilent(element) || isAside(element))) {
    if (++steps > MAX_STEPS) break
    if (HEADING.test(element.localName)) isLead = false
    if (element.localName !== 'p') continue
    const text = shownText(element, MAX_LEAD_LENGTH)
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

const isAside = (element: DomElement): boolean => ASIDE_CLASS.test(element.getAttribute('class') ?? '')
