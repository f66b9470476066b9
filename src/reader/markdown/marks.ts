/**
 * Emphasis and special characters of Markdown. Until a block is whole, emphasis is noncharacters in its text: whether
 * asterisks would act depends on the characters around them.
 */

export const STRONG = ['\ufdd0', '\ufdd1'] as const
export const EMPHASIS = ['\ufdd2', '\ufdd3'] as const
export const STRIKE = ['\ufdd4', '\ufdd5'] as const
/** A line break that an author wrote. */
export const BREAK = '\ufdd6'
const NONCHARACTERS = /[\ufdd0-\ufdef]/g
const MARKS = /[\ufdd0-\ufdd5]/
const ALL_MARKS = /[\ufdd0-\ufdd5]/g
const SIGNS: Readonly<Record<string, string>> = {
  [STRONG[0]]: '**',
  [STRONG[1]]: '**',
  [EMPHASIS[0]]: '*',
  [EMPHASIS[1]]: '*',
  [STRIKE[0]]: '~~',
  [STRIKE[1]]: '~~',
}
const CLOSING: Readonly<Record<string, string>> = {
  [STRONG[0]]: STRONG[1],
  [EMPHASIS[0]]: EMPHASIS[1],
  [STRIKE[0]]: STRIKE[1],
}

/** A text of the page without the characters that have a meaning here. */
export const withoutMarks = (text: string): string => text.replace(NONCHARACTERS, '')

const SPECIAL = /[\\`*_[<&$~]/
const ALL_SPECIAL = /[\\`*_[<&$~]/g
const PUNCTUATION = /[!-/:-@[-`{-~]/
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{0,31});/y
const WORD = /[\p{L}\p{N}]/u

/** A text whose characters mean themselves. Those that would not act stay as they are. */
export function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text
  // Blanks at the ends may go.
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  return text.replace(ALL_SPECIAL, (sign, at: number) => {
    const before = at > start ? text[at - 1]! : ''
    const after = at + 1 < end ? text[at + 1]! : ''
    return acts(sign, { before, after }, text, at) ? `\\${sign}` : sign
  })
}

function acts(
  sign: string,
  { before, after }: { readonly before: string; readonly after: string },
  text: string,
  at: number,
): boolean {
  switch (sign) {
    case '\\':
      return after === '' || PUNCTUATION.test(after)
    case '_':
      return !(WORD.test(before) && WORD.test(after)) && !(before === ' ' && after === ' ')
    case '*':
    case '~':
      return !(before === ' ' && after === ' ')
    case '<':
      return after === '' || /[a-zA-Z/!?]/.test(after)
    case '&':
      ENTITY.lastIndex = at
      return ENTITY.test(text)
    default:
      return true
  }
}

/** Signs at the start of a line that would make a heading, a list, a quote, a rule or a table of it. */
const LINE_START = /^(?:(#{1,6}|[-+>])(?=\s|$)|(>|\||={1,}\s*$|[-:][-:| ]*$)|(\d{1,9})([.)])(?=\s|$))/

export function escapeLineStart(line: string): string {
  return line.replace(LINE_START, (all, one?: string, _other?: string, number?: string, dot?: string) =>
    number === undefined ? `\\${one ?? all}` : `${number}\\${dot}`,
  )
}

/** Replaces marks by signs where those act, else by nothing. */
export function resolveMarks(text: string): string {
  if (!MARKS.test(text)) return text
  const joined = text.replace(/\ufdd1\ufdd0|\ufdd3\ufdd2|\ufdd5\ufdd4/g, '')
  const kept = keptMarks(joined)
  return joined.replace(ALL_MARKS, (mark, at: number) => (kept.has(at) ? SIGNS[mark]! : ''))
}

/** Places of the marks that act. */
function keptMarks(text: string): Set<number> {
  const kept = new Set<number>()
  const open: { readonly at: number; readonly mark: string; readonly opens: boolean }[] = []
  let before = ''
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]!
    if (!MARKS.test(mark)) {
      before = mark
      continue
    }
    const runStart = at
    while (MARKS.test(text[at + 1] ?? '')) at++
    const after = text[at + 1] ?? ''
    const run = text.slice(runStart, at + 1)
    // An end and a start side by side would be one run of asterisks.
    const isMixed = /[\ufdd1\ufdd3\ufdd5][\ufdd0\ufdd2\ufdd4]/.test(run)
    for (let place = runStart; place <= at; place++) {
      const sign = text[place]!
      if (CLOSING[sign] !== undefined) {
        open.push({ at: place, mark: sign, opens: !isMixed && isFlanking(after, before) })
        continue
      }
      const start = open.pop()
      if (start !== undefined && CLOSING[start.mark] === sign && start.opens && isFlanking(before, after)) {
        kept.add(start.at)
        kept.add(place)
      }
    }
  }
  return kept
}

const SPACE = /^[\s\u00a0\ufdd6]?$/
const PUNCTUATION_SIGN = /^[\p{P}\p{S}]$/u

/** Whether a run of signs acts between the character inside of it and the one outside. */
function isFlanking(inside: string, outside: string): boolean {
  if (SPACE.test(inside)) return false
  return !PUNCTUATION_SIGN.test(inside) || SPACE.test(outside) || PUNCTUATION_SIGN.test(outside)
}
