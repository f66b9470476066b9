/** Tags that MediaWiki's core and its usual extensions add to wikitext. Their content is theirs to read. */

/** Their content is no wikitext. */
export const LITERAL_TAGS: readonly string[] = [
  ...['nowiki', 'pre', 'syntaxhighlight', 'source', 'math', 'chem', 'ce', 'score', 'timeline', 'hiero'],
  ...['graph', 'mapframe', 'maplink', 'templatedata', 'templatestyles', 'inputbox', 'categorytree'],
  'charinsert',
]

/** Their content is wikitext, or has some in it, such as the links of a gallery. */
const WIKITEXT_TAGS: readonly string[] = [
  ...['gallery', 'imagemap', 'indicator', 'langconvert', 'poem', 'ref', 'references', 'section'],
]

/** All of them, in lower case: what expands templates, signs and labels links leaves their content alone. */
export const EXTENSION_TAGS: ReadonlySet<string> = new Set([...LITERAL_TAGS, ...WIKITEXT_TAGS])
