/** Tests of an element's types without a new regular expression each time: each pass makes some for each node. */
import type { EditedFile } from '../sourceEdits.js'

export const TYPE_TESTS: readonly EditedFile[] = [
  {
    file: 'parsoid/lib/utils/DOMUtils.js',
    edits: [
      {
        before: `		return this.matchNameAndTypeOf(
			n, name, JSUtils.rejoin('^', JSUtils.escapeRegExp(type), '$')
		) !== null;`,
        after: `		return n.nodeName === name && this.hasTypeOf(n, type);`,
      },
      {
        before: `		return this.matchTypeOf(
			n, JSUtils.rejoin('^', JSUtils.escapeRegExp(type), '$')
		) !== null;`,
        after: `		if (!this.isElt(n)) { return false; }
		const types = n.getAttribute('typeof');
		if (types === null || types.length < type.length) { return false; }
		return types === type || (types.includes(type) && types.split(/\\s+/g).includes(type));`,
      },
      {
        before: `		if (!n.hasAttribute('typeof')) { return null; }
		for (const ty of n.getAttribute('typeof').split(/\\s+/g)) {`,
        after: `		const types = n.getAttribute('typeof');
		if (types === null) { return null; }
		if (!/\\s/.test(types)) { return type.test(types) ? types : null; }
		for (const ty of types.split(/\\s+/g)) {`,
      },
    ],
  },
  {
    file: 'parsoid/lib/utils/WTUtils.js',
    edits: [
      {
        before: `static FIRST_ENCAP_REGEXP() { return /(?:^|\\s)(mw:(?:Transclusion|Param|LanguageVariant|Extension(\\/[^\\s]+)))(?=$|\\s)/; }`,
        after: `static FIRST_ENCAP_REGEXP() { return FIRST_ENCAPSULATED; }`,
      },
      {
        before: `const TPL_META_TYPE_REGEXP = `,
        after: `const FIRST_ENCAPSULATED = /(?:^|\\s)(mw:(?:Transclusion|Param|LanguageVariant|Extension(\\/[^\\s]+)))(?=$|\\s)/;
const TPL_META_TYPE_REGEXP = `,
      },
    ],
  },
]

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
