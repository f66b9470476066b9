/** All parser functions and words, by their names in wikitext. */
import type { ParserFunction } from '../functionCall.js'
import type { SiteFacts } from '../source.js'
import { CONDITIONALS } from './conditionals.js'
import { EXTENSION_FUNCTIONS, TAG_FUNCTIONS } from './extensions.js'
import { INVOKE } from './invoke.js'
import { LANGUAGE_FUNCTIONS } from './languages.js'
import { COUNT_WORDS, NUMBER_FUNCTIONS } from './numbers.js'
import { PAGE_NAMES, PATH_FUNCTIONS } from './pageNames.js'
import { PROPERTY_FUNCTIONS, SITE_WORDS, UNCASED_SITE_WORDS } from './properties.js'
import { REVISION_WORDS, UNCASED_REVISION_WORDS } from './revisions.js'
import { SECTION_FUNCTIONS } from './sections.js'
import { STRING_FUNCTIONS } from './stringFunctions.js'
import { TEXT_FUNCTIONS } from './text.js'
import { TIME_FUNCTIONS, TIME_WORDS } from './time.js'
import { URL_FUNCTIONS } from './urls.js'

/** Called with a colon. Names in capitals match exactly; names in lower case match any case. */
const FUNCTIONS: ReadonlyMap<string, ParserFunction> = new Map(
  Object.entries({
    ...CONDITIONALS,
    ...COUNT_WORDS,
    ...EXTENSION_FUNCTIONS,
    ...INVOKE,
    ...LANGUAGE_FUNCTIONS,
    ...NUMBER_FUNCTIONS,
    ...PAGE_NAMES,
    ...PATH_FUNCTIONS,
    ...PROPERTY_FUNCTIONS,
    ...REVISION_WORDS,
    ...SECTION_FUNCTIONS,
    ...TAG_FUNCTIONS,
    ...TEXT_FUNCTIONS,
    ...TIME_FUNCTIONS,
    ...UNCASED_REVISION_WORDS,
    ...URL_FUNCTIONS,
  }),
)
const OPTIONAL_FUNCTIONS: ReadonlyMap<string, ParserFunction> = new Map(Object.entries(STRING_FUNCTIONS))

/** Called without a colon and arguments. */
const WORDS: ReadonlyMap<string, ParserFunction> = new Map(
  Object.entries({ ...COUNT_WORDS, ...PAGE_NAMES, ...REVISION_WORDS, ...SITE_WORDS, ...TIME_WORDS }),
)
const UNCASED_WORDS: ReadonlyMap<string, ParserFunction> = new Map(
  Object.entries({ ...UNCASED_REVISION_WORDS, ...UNCASED_SITE_WORDS }),
)
const TABLES = [FUNCTIONS, OPTIONAL_FUNCTIONS, WORDS, UNCASED_WORDS]
const MAX_NAME_LENGTH = 60
const CAPITAL = /[A-Z]/

export function findFunction(name: string, site: SiteFacts): ParserFunction | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const known = aliasOf(name, site)
  const cased = CAPITAL.test(known) ? FUNCTIONS.get(known) : undefined
  const folded = known.toLowerCase()
  return cased ?? FUNCTIONS.get(folded) ?? (site.stringFunctions ? OPTIONAL_FUNCTIONS.get(folded) : undefined)
}

export function findWord(name: string, site: SiteFacts): ParserFunction | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const known = aliasOf(name, site)
  return WORDS.get(known) ?? UNCASED_WORDS.get(known.toLowerCase())
}

/** True if a table has exactly this name. */
export function isKnownWord(name: string): boolean {
  return TABLES.some((table) => table.has(name))
}

/** All names of the tables. */
export function knownNames(): string[] {
  return TABLES.flatMap((table) => [...table.keys()])
}

/** Local names that match any case are stored in lower case. */
function aliasOf(name: string, { wordAliases }: SiteFacts): string {
  return wordAliases.get(name) ?? wordAliases.get(name.toLowerCase()) ?? name
}
