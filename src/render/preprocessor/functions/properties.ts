/** What pages say of themselves: the title that is shown, and the key that categories sort by. */
import { decodeCharacterReferences } from '../../../domain/characterReferences.js'
import { costlyText, type FunctionCall } from '../functionCall.js'
import { sameTitle } from '../sameTitle.js'
import { withoutMarkers } from '../stripMarkers.js'
import type { FunctionTable } from './table.js'

const TAG = /<[^<>]{0,1000}>/g
const QUOTES = /'{2,5}/g

export const PROPERTY_FUNCTIONS: FunctionTable = {
  DISPLAYTITLE: setDisplayTitle,
  DEFAULTSORT: setDefaultSort,
  DEFAULTSORTKEY: setDefaultSort,
  DEFAULTCATEGORYSORT: setDefaultSort,
}

/** Only the look of the title may change: without its marks, the text must name the page. */
function setDisplayTitle(call: FunctionCall): string {
  const { titles, page, report } = call.expander
  const text = withoutMarkers(costlyText(call, 0))
  const plain = decodeCharacterReferences(text.replace(TAG, '').replace(QUOTES, ''))
  const title = titles.parse(plain)
  if (title && sameTitle(title, page.title)) report.setProperty('displaytitle', text)
  else report.addWarning(`the display title "${plain.slice(0, 255)}" does not name the page`)
  return ''
}

/** The last one counts, unless it is marked with `noreplace`. */
function setDefaultSort(call: FunctionCall): string {
  const { report } = call.expander
  const key = withoutMarkers(call.text(0))
  const keepsFirst = call.text(1).toLowerCase() === 'noreplace'
  if (key !== '' && !(keepsFirst && report.defaultSort !== undefined)) report.setDefaultSort(key)
  return ''
}
