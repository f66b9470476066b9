/** Escaping of texts that must show literally, and markup for errors. */

const BRACE_RUN = /\{{2,}/g
const WIKITEXT = /["&'<=>[\]{|}]/g
const LINE_START = /^[#*:; \t\n]/

/** Escapes braces that were not expanded, so that later stages do not take them for a template. */
export function escapeBraces(text: string): string {
  return text.includes('{{') ? text.replace(BRACE_RUN, (run) => '&#123;'.repeat(run.length)) : text
}

/** Escapes an outside text, such as a title, so that wikitext shows it literally. */
export function escapeWikitext(text: string): string {
  return text.replace(WIKITEXT, reference).replace(LINE_START, reference)
}

/** An error visible to readers, in the markup of parser functions. */
export function strongError(text: string): string {
  return `<strong class="error">${text}</strong>`
}

/** An error visible to readers, in the markup of the expansion itself. */
export function spanError(text: string): string {
  return `<span class="error">${text}</span>`
}

/** Trims wikitext's blanks at both ends. Linear, unlike an expression with `\s+$`. */
export function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/** Space, tab, newline, carriage return, vertical tab, NUL. */
function isBlank(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 9 || unit === 13 || unit === 11 || unit === 0
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}
