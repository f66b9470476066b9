/** Summaries of edits as readers see them: sections and links lead to their pages, all else is plain text. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { type Fragment, type Html, html } from '../html.js'
import { encodeFragment } from '../links.js'

/** Path of the page that a link in a summary names; undefined if it names no page of this wiki. */
export type LinkTarget = (title: string) => string | undefined

/** Summaries of this server have 500 letters. Those of dumps may be longer. */
const MAX_LENGTH = 1000
/** No bracket can stand within a link, so each is read once. */
const LINK = /\[\[:?([^[\]|]+)(?:\|([^[\]]*))?\]\]/g
/** The mark keeps the arrow before a heading from right to left. Clients of MediaWiki look for both. */
const ARROW = '→\u200e'
const SECTION_START = '/*'
const SECTION_END = '*/'

/** `page` is the path of the page. The summary may begin with the section that was edited. */
export function commentHtml(comment: string, page: string, linkTo: LinkTarget): Html {
  const shown = comment.length > MAX_LENGTH ? `${comment.slice(0, MAX_LENGTH).toWellFormed()}…` : comment
  const end = shown.startsWith(SECTION_START) ? shown.indexOf(SECTION_END) : -1
  if (end < 0) return html`${withLinks(shown, linkTo)}`
  const section = shown.slice(SECTION_START.length, end).trim()
  const rest = shown.slice(end + SECTION_END.length).trimStart()
  const link = html`<a href="${page}#${encodeFragment(plainHeading(section))}">${ARROW}${section}</a>`
  const heading = html`<span class="autocomment">${link}${rest !== '' && ': '}</span>`
  return html`<span dir="auto">${heading}${rest !== '' && [' ', ...withLinks(rest, linkTo)]}</span>`
}

/** The id of a heading is its text with underscores for blanks. */
function plainHeading(section: string): string {
  return section
    .replace(LINK, (_link, title: string, label?: string) => label ?? title)
    .replace(/'{2,}/g, '')
    .replace(/\s+/g, '_')
}

function withLinks(comment: string, linkTo: LinkTarget): Fragment[] {
  const parts: Fragment[] = []
  let end = 0
  for (const match of comment.matchAll(LINK)) {
    const [link, title = '', label] = match
    const href = linkTo(title)
    if (href === undefined) continue
    parts.push(plain(comment.slice(end, match.index)), html`<a href="${href}">${label || title}</a>`)
    end = match.index + link.length
  }
  parts.push(plain(comment.slice(end)))
  return parts
}

/** Character references mean their letters, as in MediaWiki. */
const plain = decodeCharacterReferences
