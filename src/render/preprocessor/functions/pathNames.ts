/** `#titleparts` and `#rel2abs`, which work on the parts of titles between slashes. */
import { costlyText, type FunctionCall } from '../functionCall.js'
import { escapeHtml } from '../../../domain/html.js'
import { strongError } from '../literal.js'
import { withoutMarkers } from '../stripMarkers.js'
import type { FunctionTable } from './table.js'

const MAX_PARTS = 25
const MAX_PATH_LENGTH = 2048

export const PATH_FUNCTIONS: FunctionTable = {
  '#titleparts': titleParts,
  '#rel2abs': absolutePath,
}

/**
 * Arguments: title, number of parts, first part. A number of 0 means all parts, and a negative one drops that many at
 * the end. The first part counts from 1, or from the end if it is negative.
 */
function titleParts(call: FunctionCall): string {
  const text = withoutMarkers(call.text(0))
  const title = call.expander.titles.parse(text)
  if (title === undefined) return text
  const all = call.expander.titles.fullText(title).split('/')
  const parts =
    all.length > MAX_PARTS ? [...all.slice(0, MAX_PARTS - 1), all.slice(MAX_PARTS - 1).join('/')] : all
  const count = parseInt(call.text(1), 10) || 0
  const place = parseInt(call.text(2), 10) || 0
  const rest = parts.slice(place > 0 ? place - 1 : place)
  return rest.slice(0, count === 0 ? rest.length : count).join('/')
}

/** A path that begins with `/`, `./` or `../` is relative to the second argument, or to the page. */
function absolutePath(call: FunctionCall): string {
  const path = withoutEnd(withoutMarkers(costlyText(call, 0)).slice(0, MAX_PATH_LENGTH))
  const from = costlyText(call, 1) || call.expander.titles.fullText(call.expander.page.title)
  if (path === '' || path === '.') return from
  const parts: string[] = /^\.{0,2}\/|^\.\.?$/.test(path) ? segments(from) : []
  for (const part of segments(path)) {
    if (part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) {
      const shown = escapeHtml(path)
      return strongError(
        `Error: Invalid depth in path: "${shown}" (tried to access a node above the root node).`,
      )
    }
  }
  return parts.join('/')
}

/** The path without blanks and slashes at its end. */
function withoutEnd(path: string): string {
  let end = path.length
  while (path[end - 1] === ' ' || path[end - 1] === '/') end--
  return path.slice(0, end)
}

function segments(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}
