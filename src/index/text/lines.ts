/** Cleans the lines of a plain text of markup at their ends. */

const LIST_MARKS = /^[*#:;\s]+/
const TABLE_MARKS = /^[|!][-+]?/
const HEADING = /^(={1,6})([^\n]*?)\1\s*$/
const RULE = /^-{4,}/
/** Signs at the start of a line that may be markup. Most lines have none. */
const MARK = /^[=|!*#:;-]/
/** Blanks that are not a single space. */
const BLANKS = /[^\S\n]{2,}|[^\S\n ]/g

/** The lines that contain text, with single spaces. */
export function tidyLines(text: string): string {
  const lines: string[] = []
  for (const line of text.replace(BLANKS, ' ').split('\n')) {
    const tidy = tidyLine(line)
    if (tidy !== '' && tidy !== '.' && tidy !== ',') lines.push(tidy)
  }
  return lines.join('\n')
}

function tidyLine(line: string): string {
  let rest = line.trim()
  if (!MARK.test(rest)) return rest
  if (rest.startsWith('=')) rest = HEADING.exec(rest)?.[2] ?? rest
  else if (rest.startsWith('-')) rest = rest.replace(RULE, '')
  else if (rest.startsWith('|') || rest.startsWith('!')) rest = rest.replace(TABLE_MARKS, '')
  return rest.replace(LIST_MARKS, '').trim()
}
