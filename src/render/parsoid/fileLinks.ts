/**
 * The query of the link from a picture to its page, with the shown page (`page=`) or language (`lang=`) of the file.
 * The engine omits the query, and on the way back it would treat a link with one as a link to elsewhere.
 */
import type { DomDocument, DomElement } from './dom.js'

/** The query, with its parameters in MediaWiki's order and without others. */
const QUERY = /\?(?:page=[^&]*(?:&lang=[^&]*)?|lang=[^&]*)$/

/** Adds the query to the link of a picture that leads to the picture's own page. */
export function addFileQuery(image: DomElement): void {
  const resource = image.getAttribute('resource')
  const link = image.parentNode as DomElement
  if (resource === null || link.nodeName !== 'A' || link.getAttribute('href') !== resource) return
  if (!isInFigure(link)) return
  const query = [
    ...parameter('page', pageOf(link.parentNode as DomElement)),
    ...parameter('lang', image.getAttribute('lang')),
  ].join('&')
  if (query !== '') link.setAttribute('href', `${resource}?${query}`)
}

function isInFigure(element: DomElement): boolean {
  for (let node = element.parentNode; node !== null; node = node.parentNode)
    if (node.nodeName === 'FIGURE' || node.nodeName === 'FIGURE-INLINE') return true
  return false
}

/** Removes the query again for the engine. */
export function dropFileQueries({ body }: DomDocument): void {
  for (const media of Array.from(
    body.querySelectorAll('figure img[resource], figure-inline img[resource]'),
  )) {
    const link = media.parentNode as DomElement
    const href = link.getAttribute('href') ?? ''
    const plain = href.replace(QUERY, '')
    if (plain !== href && plain === media.getAttribute('resource')) link.setAttribute('href', plain)
  }
}

function parameter(name: string, value: string | null | undefined): string[] {
  return value === null || value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
}

/** The option `page` of a picture. It stays in the element's description, since no attribute shows it. */
function pageOf(container: DomElement): string | undefined {
  const described = container.getAttribute('data-mw')
  if (described === null) return undefined
  const { attribs = [] } = JSON.parse(described) as { readonly attribs?: readonly (readonly unknown[])[] }
  const option = attribs.find(
    ([name]) => name === 'page' || (name as { readonly txt?: string }).txt === 'page',
  )
  return (option?.[1] as { readonly txt?: string } | undefined)?.txt
}
