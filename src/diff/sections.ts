/** Section headings of a wikitext, as a comparison lists them. */

export interface Section {
  /** 1 to 6. */
  readonly level: number
  /** The heading's line as the text has it. */
  readonly heading: string
  /** Offset of the line in the text, in bytes of UTF-8. */
  readonly offset: number
}

/** Elements in which lines are no headings. Asked for positions in rising order. */
export interface Opaque {
  holds(at: number): boolean
}

/**
 * Elements without wikitext for a comparison, which may hold lines that look like headings. An unclosed one reaches to
 * the end.
 */
const OPAQUE =
  /<!--[^]*?(?:-->|$(?![^]))|<(nowiki|pre)(?=[\s/>])[^<>]*>(?:(?<=\/>)|[^]*?(?:<\/\1\s*>|$(?![^])))/gi
const COMMENT = /<!--[^]*?-->/g
const HEADING_LINE = /^=.*=[ \t]*$/
const MAX_LEVEL = 6

/**
 * The headings in the order of the text. Ignores those in opaque elements, by default comments, `nowiki` and `pre` as a
 * comparison does, and HTML's `h2`. It is fast for most texts: a line that does not begin with `=` costs only a search
 * for the next line break.
 */
export function sections(text: string, opaque: Opaque = new OpaqueParts(text)): Section[] {
  const found: Section[] = []
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

/** Start of the next line after `from` that begins with an equals sign; -1 when there is no such line. */
function nextHeading(text: string, from: number): number {
  const at = text.indexOf('\n=', from)
  return at < 0 ? -1 : at + 1
}

/** The level of a line; 0 when it is not a heading. Ignores comments in the line. */
function headingLevel(line: string): number {
  const text = line.includes('<!--') ? line.replace(COMMENT, '') : line
  if (!HEADING_LINE.test(text)) return 0
  const marks = text.trimEnd()
  let left = 0
  while (marks[left] === '=') left++
  // A line of equals signs only: the middle one is the heading's text.
  if (left === marks.length) return Math.min(MAX_LEVEL, Math.floor((left - 1) / 2))
  let right = 0
  while (marks[marks.length - 1 - right] === '=') right++
  return Math.min(MAX_LEVEL, left, right)
}

/** The parts of a text that are not wikitext. */
class OpaqueParts implements Opaque {
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
