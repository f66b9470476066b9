/** Cleans the lines of a plain text of markup at their ends. */

const LIST_MARKS = /^[*#:;\s]+/
const TABLE_MARKS = /^[|!][-+]?/
const HEADING = /^(={1,6})([^\n]*?)\1\s*$/
const RULE = /^-{4,}/
const BLANKS = /[^\S\n]+/g

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
  if (rest.startsWith('=')) rest = HEADING.exec(rest)?.[2] ?? rest
  else if (rest.startsWith('-')) rest = rest.replace(RULE, '')
  else if (rest.startsWith('|') || rest.startsWith('!')) rest = rest.replace(TABLE_MARKS, '')
  return rest.replace(LIST_MARKS, '').trim()
}
