/** Properties: of a page the displayed title and the sort key for categories, of the wiki its name and addresses. */
import { sameTitle } from '../../../domain/title.js'
import { decodeCharacterReferences } from '../../../domain/characterReferences.js'
import { costlyText, type FunctionCall, type FunctionTable } from '../functionCall.js'
import { withoutMarkers } from '../stripMarkers.js'
import { directionOf } from '../../../domain/direction.js'
import type { SiteFacts } from '../source.js'

const TAG = /<[^<>]{0,1000}>/g
const QUOTES = /'{2,5}/g

export const PROPERTY_FUNCTIONS: FunctionTable = {
  DISPLAYTITLE: setDisplayTitle,
  DEFAULTSORT: setDefaultSort,
  DEFAULTSORTKEY: setDefaultSort,
  DEFAULTCATEGORYSORT: setDefaultSort,
}

/** May only change the look of the title: without markup, the text must name the page. */
function setDisplayTitle(call: FunctionCall): string {
  const { titles, page, report } = call.expander
  const text = withoutMarkers(costlyText(call, 0))
  const plain = decodeCharacterReferences(text.replace(TAG, '').replace(QUOTES, ''))
  const title = titles.parse(plain)
  if (title && sameTitle(title, page.title)) report.setProperty('displaytitle', text)
  else report.addWarning(`the display title "${plain.slice(0, 255)}" does not name the page`)
  return ''
}

/** The last call wins, unless it has the argument `noreplace`. */
function setDefaultSort(call: FunctionCall): string {
  const { report } = call.expander
  const key = withoutMarkers(call.text(0))
  const keepsFirst = call.expander.locale.facts.means('defaultsort_noreplace', call.text(1))
  if (key !== '' && !(keepsFirst && report.defaultSort !== undefined)) report.setDefaultSort(key)
  return ''
}

// Words for the wiki itself, and for signs that have another meaning in wikitext.

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
