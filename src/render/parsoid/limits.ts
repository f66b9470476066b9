/**
 * Limits on wikitext that would make the engine fail or take far too long. The checks take linear time and run before
 * the engine. The limits are well above the numbers of real pages.
 */

/** With more unmatched braces than this, all double braces become text. The engine handles fewer of them well. */
const MAX_LONE_BRACES = 40
/** No working template nests braces this deeply. */
const MAX_BRACE_DEPTH = 60
const MAX_LIST_DEPTH = 60
/**
 * Links and files within the text of others. The engine calls itself for each level. Where that ends depends on the
 * stack and the version of Node: 1,000 levels take all the memory of a thread, 2,000 fill its stack.
 */
const MAX_LINK_DEPTH = 100
/** MediaWiki's limit. The engine applies the same one to cells that templates produce. */
export const MAX_TABLE_CELLS = 30_000
const MAX_REFERENCES = 2500
const MAX_LENGTH = 2_200_000
const OPENING = 0x7b
const CLOSING = 0x7d

/** A wikitext exceeds a limit of the engine; the message names the limit. */
export class WikitextLimitError extends Error {
  override readonly name = 'WikitextLimitError'
}

/**
 * The wikitext to pass to the engine. Usually unchanged; its braces become character references if too many of them are
 * unmatched or nested. Throws a WikitextLimitError.
 */
export function boundWikitext(wikitext: string): string {
  if (wikitext.length > MAX_LENGTH) throw new WikitextLimitError(`more than ${MAX_LENGTH} characters`)
  checkListDepth(wikitext)
  checkLinkDepth(wikitext)
  // Rows, captions and ends of tables are not cells.
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

/** Only links with a text count: brackets in a row have none, and cost the engine nothing. */
function checkLinkDepth(wikitext: string): void {
  let depth = 0
  const open: boolean[] = []
  for (const [sign, bar] of wikitext.matchAll(/\[\[(?:[^[\]|\n]*(\|))?|\]\]/g)) {
    if (sign === ']]') {
      if (open.pop() === true) depth--
      continue
    }
    const hasText = bar !== undefined
    open.push(hasText)
    if (hasText && ++depth > MAX_LINK_DEPTH)
      throw new WikitextLimitError(`more than ${MAX_LINK_DEPTH} links within each other`)
  }
}

function countMatches(text: string, pattern: RegExp, enough: number): number {
  let count = 0
  while (count <= enough && pattern.exec(text) !== null) count++
  return count
}

/** Counts unmatched braces among runs of two or more, and measures the depth of their nesting. */
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

/** Escapes all double braces of a page that is mostly braces, where no template would work anyway. */
function escapeBraces(text: string): string {
  return text
    .replace(/\{{2,}/g, (run) => '&#123;'.repeat(run.length))
    .replace(/\}{2,}/g, (run) => '&#125;'.repeat(run.length))
}
