/**
 * The tags that MediaWiki's core and its usual extensions add to wikitext. This table is the only list of them: the
 * preprocessor, the engine, links, saving and search all read it. `wikitextElements.ts` finds where a tag ends.
 */

export interface ExtensionTagFacts {
  /**
   * `literal`: not wikitext, so it has no links. `wikitext`: its links belong to the page. `files`: also wikitext, but
   * each line begins with a file name.
   */
  readonly content: 'literal' | 'wikitext' | 'files'
  /**
   * How search indexes the content. `wikitext`: its visible text. `aside`: the same, but an excerpt never shows it
   * alone. `source`: the source as written. `nothing`: not at all, since it is for machines or plain text cannot show
   * it.
   */
  readonly search: 'wikitext' | 'aside' | 'source' | 'nothing'
}

const LITERAL_SOURCE: ExtensionTagFacts = { content: 'literal', search: 'source' }
const LITERAL_HIDDEN: ExtensionTagFacts = { content: 'literal', search: 'nothing' }
const WIKITEXT: ExtensionTagFacts = { content: 'wikitext', search: 'wikitext' }
const WIKITEXT_HIDDEN: ExtensionTagFacts = { content: 'wikitext', search: 'nothing' }
const FILES: ExtensionTagFacts = { content: 'files', search: 'nothing' }

/** By name, in lower case. */
export const EXTENSION_TAG_FACTS: ReadonlyMap<string, ExtensionTagFacts> = new Map([
  ['categorytree', LITERAL_HIDDEN],
  ['ce', LITERAL_HIDDEN],
  ['charinsert', LITERAL_HIDDEN],
  ['chem', LITERAL_HIDDEN],
  ['gallery', FILES],
  ['graph', LITERAL_HIDDEN],
  ['hiero', LITERAL_HIDDEN],
  ['imagemap', FILES],
  ['indicator', WIKITEXT_HIDDEN],
  ['inputbox', LITERAL_HIDDEN],
  ['langconvert', WIKITEXT],
  ['mapframe', LITERAL_HIDDEN],
  ['maplink', LITERAL_HIDDEN],
  ['math', LITERAL_HIDDEN],
  ['nowiki', LITERAL_SOURCE],
  ['phonos', WIKITEXT],
  ['poem', WIKITEXT],
  ['pre', LITERAL_SOURCE],
  ['ref', { content: 'wikitext', search: 'aside' }],
  ['references', WIKITEXT],
  ['score', LITERAL_HIDDEN],
  ['section', WIKITEXT_HIDDEN],
  ['source', LITERAL_SOURCE],
  ['syntaxhighlight', LITERAL_SOURCE],
  ['templatedata', LITERAL_HIDDEN],
  ['templatestyles', LITERAL_HIDDEN],
  ['timeline', LITERAL_HIDDEN],
])

/** All names, in lower case. The preprocessor and saves leave the content of these tags as written. */
export const EXTENSION_TAGS: ReadonlySet<string> = new Set(EXTENSION_TAG_FACTS.keys())
