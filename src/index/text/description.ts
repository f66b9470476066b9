/** The short description that a page gives of itself. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'

/** `{{Short description|text|noreplace}}` or `{{SHORTDESC:text}}`; the text holds no template and no link. */
const DESCRIPTION =
  /\{\{[ \t]{0,10}(?:short[ _]description[ \t]{0,10}\|(?:[ \t]{0,10}1[ \t]{0,10}=)?|SHORTDESC:)([^{}|[\]\n<>]{1,400})(?:\||\}\})/i
/** Stands near the top by custom; further down is not searched. */
const SEARCHED_LENGTH = 20_000

/** The description, or undefined when there is none; `none` says that there is to be none. */
export function shortDescription(wikitext: string): string | undefined {
  const found = DESCRIPTION.exec(wikitext.slice(0, SEARCHED_LENGTH))?.[1]
  if (found === undefined) return undefined
  const text = decodeCharacterReferences(found).replace(/\s+/g, ' ').trim()
  return text === '' || text.toLowerCase() === 'none' ? undefined : text
}
