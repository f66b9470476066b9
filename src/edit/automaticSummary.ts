/** The comment of an edit whose editor wrote none. */
import { redirectTarget } from '../domain/redirect.js'
import { cutLetters } from './comment.js'

/** Letters of the new text that the comment of a new page quotes, the mark of the cut among them. */
const MAX_QUOTED_LETTERS = 200
const CUT = '...'
/** A link that the cut left open. */
const OPEN_LINK = /\[\[([^[\]]*)\]?$/

export interface SummarisedText {
  readonly text: string
  readonly contentModel: string
}

/**
 * What an edit from `before` (undefined: the page is new) to `after` did: made, changed or removed a redirect,
 * created or blanked the page. Empty for other edits. Only wikitext can be a redirect.
 */
export function automaticSummary(before: SummarisedText | undefined, after: SummarisedText): string {
  const oldTarget = before && targetOf(before)
  const newTarget = targetOf(after)
  if (newTarget !== undefined && newTarget !== oldTarget) {
    return oldTarget === undefined
      ? `Redirected page to [[${newTarget}]]`
      : `Changed redirect target from [[${oldTarget}]] to [[${newTarget}]]`
  }
  if (oldTarget !== undefined && newTarget === undefined) return `Removed redirect to [[${oldTarget}]]`
  if (before === undefined) {
    return after.text === '' ? 'Created blank page' : `Created page with "${quoted(after.text)}"`
  }
  return after.text === '' && before.text !== '' ? 'Blanked the page' : ''
}

function targetOf({ text, contentModel }: SummarisedText): string | undefined {
  return contentModel === 'wikitext' ? redirectTarget(text) : undefined
}

/** The start of a text in one line. */
function quoted(text: string): string {
  const start = cutLetters(text, MAX_QUOTED_LETTERS + 1).replaceAll('\n', ' ')
  const whole = start.length === text.length && cutLetters(start, MAX_QUOTED_LETTERS) === start
  if (whole) return start
  return cutLetters(start, MAX_QUOTED_LETTERS - CUT.length).replace(OPEN_LINK, '$1') + CUT
}
