/**
 * Removes calls that only write traces, and assertions on the way to HTML, which only write to the console. Nobody can
 * turn traces on here. A page made tens of thousands of such calls, with their arguments.
 */
const TRACE =
  /(?<![\w$.])((?:[\w$]+\.)*env\.log\()(?=\s*(?:['"](?:trace|debug)\b|(?:this|self)\.traceType\b))/g
const ASSERTION = /(?<![\w$.])console\.assert\(/g
/** Elsewhere an assertion does work: on the way to wikitext, one takes the last token off a list. */
const ASSERTS_ONLY = /\/parsoid\/lib\/(?:wt2html|utils|tokens)\//

export function withoutTraces(text: string, path: string): string {
  if (!path.includes('/parsoid/lib/')) return text
  const silent = text.replace(TRACE, 'false && $1')
  return ASSERTS_ONLY.test(path) ? silent.replace(ASSERTION, 'false && $&') : silent
}
