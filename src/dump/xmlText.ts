/**
 * Lets saxes find the ends of texts by searches for `<` and `&`. By itself it looks at one character after another, and
 * most of a dump is text. Everything unusual stays with saxes: CR, forbidden characters, `]]>`, other references.
 */
import type { SaxesParser } from 'saxes'

/** A chunk with one of these goes to saxes as a whole. Dumps hardly have any. */
const UNUSUAL = /[\r\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\]\]>/
const REFERENCES = [
  ['&quot;', '"'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
] as const

/** Private parts of saxes; a test of the package checks them. */
interface TextReader {
  readonly chunk: string
  /** Characters before the chunk. */
  readonly chunkPosition: number
  /** The place in the chunk. */
  i: number
  line: number
  /** The text since the last tag. */
  text: string
  /** Number of brackets before the place that may begin a `]]>`, at most 2. */
  forbiddenState: number
  /** Reads up to the next `<` or `&` and passes it, or reads to the end of the chunk. */
  handleTextInRoot(): void
}

/** Call it before the parser gets its first chunk. The parser needs a handler of texts. */
export function quickenTexts(parser: SaxesParser<object>): void {
  const reader = parser as unknown as TextReader
  const readSlowly = reader.handleTextInRoot.bind(parser)
  let chunkPosition = -1
  let isUsual = false
  /** The next places of both characters; the end of the chunk if there are none. */
  let tag = -1
  let reference = -1
  reader.handleTextInRoot = () => {
    const { chunk, i: start } = reader
    if (reader.chunkPosition !== chunkPosition) {
      chunkPosition = reader.chunkPosition
      isUsual = !UNUSUAL.test(chunk)
      tag = reference = -1
    }
    if (!isUsual || reader.forbiddenState > 0) return readSlowly()
    let { text } = reader
    let from = start
    let stop: number
    for (;;) {
      if (tag < from) tag = placeOf(chunk, '<', from)
      if (reference < from) reference = placeOf(chunk, '&', from)
      stop = Math.min(tag, reference)
      if (stop > from) text += chunk.slice(from, stop)
      const known = stop < tag ? REFERENCES.find(([written]) => chunk.startsWith(written, stop)) : undefined
      if (known === undefined) break
      text += known[1]
      from = stop + known[0].length
    }
    reader.i = stop
    reader.text = text
    reader.line += countLines(chunk, start, stop)
    if (stop < chunk.length) readSlowly()
    else reader.forbiddenState = chunk.endsWith(']]') ? 2 : Number(chunk.endsWith(']'))
  }
}

function placeOf(chunk: string, character: string, from: number): number {
  const place = chunk.indexOf(character, from)
  return place < 0 ? chunk.length : place
}

function countLines(chunk: string, from: number, to: number): number {
  let lines = 0
  for (let at = chunk.indexOf('\n', from); at >= 0 && at < to; at = chunk.indexOf('\n', at + 1)) lines++
  return lines
}
