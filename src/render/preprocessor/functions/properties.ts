/** Page properties: the displayed title, and the sort key for categories. */
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
  const keepsFirst = call.text(1).toLowerCase() === 'noreplace'
  if (key !== '' && !(keepsFirst && report.defaultSort !== undefined)) report.setDefaultSort(key)
  return ''
}
