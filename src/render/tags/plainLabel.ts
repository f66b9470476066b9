/** The plain text of a label with links and character references: `[[Moon|the moon]]` becomes `the moon`. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'

const LINK = /\[\[(?:[^[\]|\n]{0,500}\|)?([^[\]|\n]{1,500})\]\]/g
const EXTERNAL_LINK = /\[(?:https?:)?\/\/[^\s[\]]{1,500}\s([^[\]\n]{1,500})\]/g
const QUOTES = /'{2,}/g
const TAG = /<\/?[a-z][^<>]{0,200}>/gi

export function plainLabel(wikitext: string): string {
  const plain = wikitext.replace(LINK, '$1').replace(EXTERNAL_LINK, '$1').replace(QUOTES, '').replace(TAG, '')
  return decodeCharacterReferences(plain).trim()
}
