/** How plain text treats the content of each element of wikitext. */
import { EXTENSION_TAG_FACTS } from '../../domain/extensionTags.js'

/** `markup`: only the tags are markup; their content is read as usual. The others are as in extensionTags.ts. */
export type ElementContent = 'markup' | 'aside' | 'source' | 'nothing'

const MARKUP =
  `abbr b bdi bdo big blockquote br caption center cite data dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i
   includeonly ins kbd li mark noinclude ol onlyinclude p q rb rp rt rtc ruby s samp small span strike strong sub sup
   table td th time tr translate tt tvar u ul var wbr`.split(/\s+/)

/** By element name. Other names are not tags, as in `a <b and c> d`. */
export const ELEMENTS: ReadonlyMap<string, ElementContent> = new Map<string, ElementContent>([
  ...MARKUP.map((name) => [name, 'markup'] as const),
  ['code', 'source'],
  ['script', 'nothing'],
  ['style', 'nothing'],
  ...[...EXTENSION_TAG_FACTS].map(
    ([name, { search }]) => [name, search === 'wikitext' ? 'markup' : search] as const,
  ),
])
