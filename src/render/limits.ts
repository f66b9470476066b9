/**
 * What a wikitext must not hold, since the engine would take far too long or break: found in linear time before it
 * is asked. The numbers are well above what real pages have.
 */

/** More than this many braces without a partner are shown as text; fewer the engine sorts out itself. */
const MAX_LONE_BRACES = 40
/** Deeper nesting of braces than any template has that works. */
const MAX_BRACE_DEPTH = 60
const MAX_LIST_DEPTH = 60
/** MediaWiki's own. Cells that templates make are counted by the engine, up to the same number. */
export const MAX_TABLE_CELLS = 30_000
const MAX_REFERENCES = 2500
const MAX_LENGTH = 2_200_000
const OPENING = 0x7b
const CLOSING = 0x7d

/** A wikitext is too much for the engine; the message says in what. */
export class WikitextLimitError extends Error {
  override readonly name = 'WikitextLimitError'
}

/**
 * The wikitext as it may be given to the engine: the same, or with its braces as character references where too many
 * have no partner. Throws a WikitextLimitError.
 */
export function boundWikitext(wikitext: string): string {
  if (wikitext.length > MAX_LENGTH) throw new WikitextLimitError(`more than ${MAX_LENGTH} characters`)
  checkListDepth(wikitext)
  // Rows, captions and ends of tables are no cells.
  if (countMatches(wikitext, /\|\||!!|^[ \t]*(?:!|\|(?![-+}]))/gm, MAX_TABLE_CELLS) > MAX_TABLE_CELLS)
    throw new WikitextLimitError(`more than ${MAX_TABLE_CELLS} table cells`)
  if (countMatches(wikitext, /<ref[\s>/]/gi, MAX_REFERENCES) > MAX_REFERENCES)
    throw new WikitextLimitError(`more than ${MAX_REFERENCES} references`)
  const { lone, depth } = measureBraces(wikitext)
  if (lone <= MAX_LONE_BRACES && depth <= MAX_BRACE_DEPTH) return wikitext
  return escapeBraces(wikitext)
}

function checkListDepth(wikitext: string): void {
  for (const [marks] of wikitext.matchAll(/^[*#:;]+/gm)) {
    if (marks.length > MAX_LIST_DEPTH)
      throw new WikitextLimitError(`a list of more than ${MAX_LIST_DEPTH} levels`)
  }
}

function countMatches(text: string, pattern: RegExp, enough: number): number {
  let count = 0
  while (count <= enough && pattern.exec(text) !== null) count++
  return count
}

/** Braces that stand two or more in a row: how many find no partner, and how deep they nest. */
function measureBraces(text: string): { readonly lone: number; readonly depth: number } {
  let lone = 0
  let depth = 0
  let deepest = 0
  for (let at = text.indexOf('{{'); at >= 0 && at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign !== OPENING && sign !== CLOSING) continue
    const run = runLength(text, at, sign)
    at += run - 1
    if (run < 2) continue
    if (sign === OPENING) depth += run
    else if (run > depth) {
      lone += run - depth
      depth = 0
    } else depth -= run
    if (depth > deepest) deepest = depth
  }
  return { lone: lone + depth, depth: Math.floor((deepest - depth) / 2) }
}

function runLength(text: string, from: number, sign: number): number {
  let at = from + 1
  while (text.charCodeAt(at) === sign) at++
  return at - from
}

/** All double braces of a page that is mostly braces: nothing of it is a template that works. */
function escapeBraces(text: string): string {
  return text
    .replace(/\{{2,}/g, (run) => '&#123;'.repeat(run.length))
    .replace(/\}{2,}/g, (run) => '&#125;'.repeat(run.length))
}
