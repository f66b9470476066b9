/** Words for the wiki itself, and for signs that have another meaning in wikitext. */
import { directionOf } from '../../../domain/direction.js'
import type { SiteFacts } from '../source.js'
import type { FunctionTable } from './table.js'

/** Case-sensitive words. */
export const SITE_WORDS: FunctionTable = {
  '!': () => '|',
  '=': () => '=',
  SITENAME: word(({ name }) => name),
  CURRENTVERSION: word(({ version }) => version),
  CONTENTLANGUAGE: word(({ language }) => language),
  CONTENTLANG: word(({ language }) => language),
  PAGELANGUAGE: word(({ language }) => language),
  DIRECTIONMARK: word(directionMark),
  DIRMARK: word(directionMark),
}

/** Recognised in any case; names are lower case here. */
export const UNCASED_SITE_WORDS: FunctionTable = {
  server: word(({ server }) => server),
  servername: word(({ server }) => server.replace(/^(?:https?:)?\/\//, '').replace(/:[0-9]+$/, '')),
  scriptpath: word(({ scriptPath }) => scriptPath),
  stylepath: word(({ scriptPath }) => `${scriptPath}/skins`),
  articlepath: word(({ articlePath }) => articlePath),
}

function word(read: (site: SiteFacts) => string): FunctionTable[string] {
  return ({ expander }) => read(expander.source.site)
}

function directionMark({ language }: SiteFacts): string {
  return directionOf(language) === 'rtl' ? '\u200f' : '\u200e'
}
