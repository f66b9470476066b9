/** The summary of an edit whose editor wrote none. */
import { MAIN } from '../domain/namespaceIds.js'
import { type InterwikiMap, interwikiPrefixOf } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import { redirectTarget } from '../domain/redirect.js'
import { parseTitle, prefixedText } from '../domain/title.js'
import { cutWithMark } from './comment.js'

/** Limit for a summary with a quotation, in bytes. The `$1` that the quotation replaces counts too. */
const MAX_QUOTING_BYTES = 500
const CREATED = 'Created page with "$1"'
const REPLACED = 'Replaced content with "$1"'
/** Factor by which a new text must be shorter than the old one to count as a replacement. */
const REPLACING_FACTOR = 10
const LINE_ENDS = /\n/g
/** A link that the end of the text leaves open. */
const OPEN_LINK = /\[\[([^\]]*)\]?$/

export interface SummarisedText {
  readonly text: string
  readonly contentModel: string
}

/** Names that redirect targets need. */
export interface LinkedWiki {
  readonly namespaces: Namespaces
  readonly interwiki: InterwikiMap
}

/**
 * Summarises an edit from `before` (undefined: the page is new) to `after`, the text as its editor sent it. Covers a
 * redirect that is created, changed or removed, a page that is created or blanked, and nearly all content replaced.
 * Empty for other edits. Only wikitext can be a redirect.
 */
export function automaticSummary(
  before: SummarisedText | undefined,
  after: SummarisedText,
  wiki: LinkedWiki,
): string {
  const oldTarget = before && targetOf(before, wiki)
  const newTarget = targetOf(after, wiki)
  if (newTarget !== undefined && newTarget !== oldTarget) {
    return oldTarget === undefined
      ? `Redirected page to [[${newTarget}]]`
      : `Changed redirect target from [[${oldTarget}]] to [[${newTarget}]]`
  }
  if (before === undefined) return after.text === '' ? 'Created blank page' : quoting(CREATED, after.text)
  if (after.text === '') return before.text === '' ? '' : 'Blanked the page'
  if (oldTarget !== undefined && newTarget === undefined) return `Removed redirect to [[${oldTarget}]]`
  const [oldBytes, newBytes] = [Buffer.byteLength(before.text), Buffer.byteLength(after.text)]
  return oldBytes > REPLACING_FACTOR * newBytes ? quoting(REPLACED, after.text) : ''
}

/** The page that a redirect leads to, in reading form with its fragment. A prefix of another wiki is in lower case. */
function targetOf(
  { text, contentModel }: SummarisedText,
  { namespaces, interwiki }: LinkedWiki,
): string | undefined {
  const link = contentModel === 'wikitext' ? redirectTarget(text) : undefined
  const parsed = link === undefined ? undefined : parseTitle(link, namespaces)
  if (!parsed?.ok) return undefined
  const { title, fragment } = parsed
  const section = fragment && `#${fragment}`
  const prefix = title.namespace === MAIN ? interwikiPrefixOf(title, interwiki) : undefined
  if (prefix === undefined) return prefixedText(title, namespaces) + section
  const name = title.dbkey
    .slice(prefix.length + 1)
    .replaceAll('_', ' ')
    .trimStart()
  return `${prefix}:${name}${section}`
}

/** Puts the start of a text, as one line, into a comment. */
function quoting(comment: string, text: string): string {
  const line = text.slice(0, MAX_QUOTING_BYTES).replace(LINE_ENDS, ' ')
  const start = cutWithMark(line, MAX_QUOTING_BYTES - comment.length, (letter) => Buffer.byteLength(letter))
  return comment.replace('$1', () => start.replace(OPEN_LINK, '$1'))
}
