/**
 * The inside of a Parsoid body as clients of the action API expect it: without the marks that tell Parsoid how to make
 * wikitext of it again. Attributes are quoted; time is linear.
 */
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { escapeHtml } from '../domain/html.js'
import { decodePercent } from '../domain/percent.js'

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s"'<>=/]+(?:="[^"]*"|='[^']*')?)*)\s*(\/?)>/g
const ATTRIBUTE = /\s+([^\s"'<>=/]+)(?:=("[^"]*"|'[^']*'))?/g

const MARKS = new Set([
  'about',
  'typeof',
  'data-mw',
  'data-parsoid',
  'data-mw-section-id',
  'resource',
  'property',
])
/** Ids that Parsoid gives to elements, in base 64. */
const OWN_ID = /^"mw[\w-]{2,6}"$/
const OWN_SPAN = /^ class="mw-(?:linkback|reflink)-text"$/
/** Relations and classes under which these clients know the elements. */
const RELATIONS: Readonly<Record<string, string>> = {
  '"mw:referencedBy"': ' class="mw-cite-backlink"',
  '"mw:ExtLink"': ' class="external text" rel="nofollow"',
  '"mw:WikiLink/Interwiki"': ' class="extiw"',
}
const CLASSES: Readonly<Record<string, string>> = {
  '"mw-ref"': '"reference"',
  '"mw-ref reference"': '"reference"',
  '"mw-references references"': '"references"',
  '"mw-reference-text"': '"reference-text"',
  '"mw-reference-text reference-text"': '"reference-text"',
}

/** Links below `wikiPath`. */
export function plainBody(html: string, wikiPath: string): string {
  /** Whether each open span stays. */
  const spans: boolean[] = []
  return html.replace(TAG, (tag, end: string, name: string, given: string, slash: string) => {
    if (name === 'section') return ''
    if (end !== '') return name === 'span' && spans.pop() === false ? '' : tag
    if (name === 'link' || name === 'meta')
      return /(?:rel|property)="mw:/.test(given) ? redirectIn(given, wikiPath) : tag
    const attributes = plainAttributes(given, wikiPath)
    if (name !== 'span' || slash !== '') return `<${name}${attributes}${slash}>`
    // Such a span holds the text of a template, or of a reference.
    const stays = (attributes !== '' && !OWN_SPAN.test(attributes)) || given === ''
    spans.push(stays)
    return stays ? `<span${attributes}>` : ''
  })
}

function plainAttributes(given: string, wikiPath: string): string {
  return given.replace(ATTRIBUTE, (attribute: string, name: string, stated?: string) => {
    const value = stated ?? ''
    if (MARKS.has(name) || (name === 'id' && OWN_ID.test(value))) return ''
    if (name === 'rel')
      return value.startsWith('"mw:') || value.startsWith('"dc:') ? relationOf(value) : attribute
    if (name === 'class') return ` class=${CLASSES[value] ?? value}`
    if (name === 'href' && value.startsWith('"./')) return ` href="${wikiPath}${value.slice(3)}`
    return attribute
  })
}

const REDIRECT = /rel="mw:PageProp\/redirect" href="\.\/([^"]*)"/

/** The note on a redirect page in place of its mark; nothing for other marks. */
function redirectIn(given: string, wikiPath: string): string {
  const target = REDIRECT.exec(given)?.[1]
  if (target === undefined) return ''
  const text = escapeHtml(decodePercent(decodeCharacterReferences(target)).replaceAll('_', ' '))
  const link = `<a href="${wikiPath}${target}" title="${text}">${text}</a>`
  return `<div class="redirectMsg"><p>Redirect to:</p><ul class="redirectText"><li>${link}</li></ul></div>`
}

const relationOf = (value: string): string => RELATIONS[value] ?? ''
