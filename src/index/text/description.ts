/** The short description that a page declares. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'

/** `{{Short description|text|noreplace}}` or `{{SHORTDESC:text}}`. The text contains no templates and no links. */
const DESCRIPTION =
  /\{\{[ \t]{0,10}(?:short[ _]description[ \t]{0,10}\|(?:[ \t]{0,10}1[ \t]{0,10}=)?|SHORTDESC:)([^{}|[\]\n<>]{1,400})(?:\||\}\})/i
/** By convention it is near the top, so only this much is searched. */
const SEARCHED_LENGTH = 20_000

/** The description; undefined when the page has none, or declares `none`. */
export function shortDescription(wikitext: string): string | undefined {
  const found = DESCRIPTION.exec(wikitext.slice(0, SEARCHED_LENGTH))?.[1]
  if (found === undefined) return undefined
  const text = decodeCharacterReferences(found).replace(/\s+/g, ' ').trim()
  return text === '' || text.toLowerCase() === 'none' ? undefined : text
}
