/** Texts that must show as they are, and the marks of faults. */

const BRACE_RUN = /\{{2,}/g
const WIKITEXT = /["&'<=>[\]{|}]/g
const LINE_START = /^[#*:; \t\n]/

/** Braces that nothing expands: written so that nothing downstream takes them for a template. */
export function escapeBraces(text: string): string {
  return text.includes('{{') ? text.replace(BRACE_RUN, (run) => '&#123;'.repeat(run.length)) : text
}

/** Title or other text from outside as wikitext that shows it letter by letter. */
export function escapeWikitext(text: string): string {
  return text.replace(WIKITEXT, reference).replace(LINE_START, reference)
}

/** A fault that readers shall see, as parser functions mark it. */
export function strongError(text: string): string {
  return `<strong class="error">${text}</strong>`
}

/** The same, as the expansion itself marks it. */
export function spanError(text: string): string {
  return `<span class="error">${text}</span>`
}

/** Blanks as wikitext counts them, at both ends. Linear, unlike an expression with `\s+$`. */
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
