/** Section headings of a wikitext, as a comparison lists them. */

export interface Section {
  /** 1 to 6. */
  readonly level: number
  /** The heading's line as it stands in the text. */
  readonly heading: string
  /** UTF-8 bytes from the start of the text to the line. */
  readonly offset: number
}

/** What is no wikitext, and may hold lines that look like headings. Unclosed ones reach to the end of the text. */
const OPAQUE =
  /<!--[^]*?(?:-->|$(?![^]))|<(nowiki|pre)(?=[\s/>])[^<>]*>(?:(?<=\/>)|[^]*?(?:<\/\1\s*>|$(?![^])))/gi
const COMMENT = /<!--[^]*?-->/g
const HEADING_LINE = /^=.*=[ \t]*$/
const MAX_LEVEL = 6

/**
 * The headings in the order of the text; those in comments, `nowiki` and `pre` do not count, nor does HTML's `h2`.
 * Most texts have no such elements, and lines that do not begin with `=` cost a search for the next line break.
 */
export function sections(text: string): Section[] {
  const found: Section[] = []
  const opaque = new OpaqueParts(text)
  let measured = 0
  let offset = 0
  for (
    let start = text.startsWith('=') ? 0 : nextHeading(text, 0);
    start >= 0;
    start = nextHeading(text, start)
  ) {
    const lineEnd = text.indexOf('\n', start)
    const heading = text.slice(start, lineEnd < 0 ? text.length : lineEnd)
    const level = opaque.holds(start) ? 0 : headingLevel(heading)
    if (level === 0) continue
    offset += Buffer.byteLength(text.slice(measured, start))
    measured = start
    found.push({ level, heading, offset })
  }
  return found
}

/** Start of the next line after `from` that begins with an equals sign; -1: none. */
function nextHeading(text: string, from: number): number {
  const at = text.indexOf('\n=', from)
  return at < 0 ? -1 : at + 1
}

/** The level of a line, 0 when it is no heading. Comments in it do not count. */
function headingLevel(line: string): number {
  const text = line.includes('<!--') ? line.replace(COMMENT, '') : line
  if (!HEADING_LINE.test(text)) return 0
  const marks = text.trimEnd()
  let left = 0
  while (marks[left] === '=') left++
  // Nothing but equals signs: the middle one is the heading's text.
  if (left === marks.length) return Math.min(MAX_LEVEL, Math.floor((left - 1) / 2))
  let right = 0
  while (marks[marks.length - 1 - right] === '=') right++
  return Math.min(MAX_LEVEL, left, right)
}

/** The parts of a text that are no wikitext. Asked from front to back. */
class OpaqueParts {
  readonly #text: string
  readonly #pattern = new RegExp(OPAQUE)
  #start = 0
  #end = 0

  constructor(text: string) {
    this.#text = text
  }

  holds(at: number): boolean {
    while (this.#end <= at) {
      const match = this.#pattern.exec(this.#text)
      this.#start = match?.index ?? Infinity
      this.#end = match === null ? Infinity : this.#pattern.lastIndex
    }
    return at >= this.#start
  }
}
