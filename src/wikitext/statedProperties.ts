/** Properties that the text of a page states: switches such as `__NOTOC__`, its sort key, and its displayed title. */
import { languageOf } from '../language/language.js'

/** Comments and literal parts say nothing. */
const SILENT = /<!--[^]*?(?:-->|$(?![^]))|<(nowiki|pre)\b[^<>]*>[^]*?(?:<\/\1\s*>|$(?![^]))/gi
const SWITCH =
  /__(HIDDENCAT|NOTOC|FORCETOC|NOGALLERY|NOEDITSECTION|NEWSECTIONLINK|NONEWSECTIONLINK|INDEX|NOINDEX|STATICREDIRECT|EXPECTUNUSEDCATEGORY|NOCONTENTCONVERT|NOTITLECONVERT|DISAMBIG)__/g
const NAMED = /\{\{\s*(DISPLAYTITLE|DEFAULTSORT|DEFAULTSORTKEY|DEFAULTCATEGORYSORT)\s*:([^{}|]*)/g
/** Names of properties that differ from the word. */
const NAMES: Readonly<Record<string, string>> = { DISAMBIG: 'disambiguation' }

/** Whether the text of a category's page hides it from readers. Switches of templates are not included. */
export function hidesCategory(wikitext: string, language: string): boolean {
  if (!/__|＿＿/.test(wikitext)) return false
  const text = wikitext.replace(SILENT, '')
  return (
    statedProperties(text).has('hiddencat') ||
    new Set(languageOf(language).localSwitches?.namesIn(text)).has('hiddencat')
  )
}

export function statedProperties(wikitext: string): Map<string, string> {
  const text = wikitext.includes('<') ? wikitext.replace(SILENT, '') : wikitext
  const properties = new Map<string, string>()
  for (const [, word = ''] of text.matchAll(SWITCH)) properties.set(NAMES[word] ?? word.toLowerCase(), '')
  for (const [, word = '', value = ''] of text.matchAll(NAMED))
    properties.set(word === 'DISPLAYTITLE' ? 'displaytitle' : 'defaultsort', value.trim())
  return properties
}
