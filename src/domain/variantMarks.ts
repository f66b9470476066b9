/**
 * Marks around the titles and texts of a page that a compute thread shows in the reader's variant. They are
 * noncharacters, which no text has that is meant to be read. A hostile one that has them is converted, too.
 *
 *     U+FDD0 Talk:軟體 U+FDD1                       a title, escaped
 *     U+FDD2 …<span class="searchmatch">軟體</span>… U+FDD3   HTML
 */
import { decodeCharacterReferences } from './characterReferences.js'
import { escapeHtml } from './html.js'

const NAME_START = '\uFDD0'
const NAME_END = '\uFDD1'
const HTML_START = '\uFDD2'
const HTML_END = '\uFDD3'

/** An escaped title has no such signs. Every start ends the stretch before it, so this takes linear time. */
const MARKED = /\uFDD0([^\uFDD0\uFDD1<>"]*)\uFDD1|\uFDD2([^\uFDD2\uFDD3]*)\uFDD3/g

export const markedName = (name: string): string => NAME_START + name + NAME_END
export const markedHtml = (html: string): string => HTML_START + html + HTML_END

/** Signs of which a text with marks has at least one. */
export const MARKS: readonly string[] = [NAME_START, HTML_START]

/** How marked texts are read. Names are plain texts. */
export interface MarkReader {
  readonly name: (name: string) => string
  readonly html: (html: string) => string
}

/** HTML without marks, whose marked texts are read. */
export function readMarks(html: string, read: MarkReader): string {
  return html.replace(MARKED, (_whole, name: string | undefined, inside: string = '') =>
    name === undefined ? read.html(inside) : escapeHtml(read.name(decodeCharacterReferences(name))),
  )
}
