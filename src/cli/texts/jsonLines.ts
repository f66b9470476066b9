/** Many pairs of texts from one stream: JSON Lines in, JSON Lines out. */
import { compare } from '../../diff/compare.js'
import { decodeUtf8, DiffInputError } from './diffInput.js'

const NEWLINE = 10
const NEWLINE_BYTES = Buffer.from('\n')

/**
 * One JSON array of differences, with its newline, for each line of `input`, which is `{"from": text, "to": text}`; in order.
 * Lines end at U+000A only. Throws a DiffInputError that names the number of the first line that is not such an object.
 */
export async function* compareJsonLines(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let lineNumber = 0
  for await (const line of readLines(input)) {
    const { from, to } = parsePair(line, ++lineNumber)
    yield Buffer.concat([compare(from, to), NEWLINE_BYTES])
  }
}

/** Lines without their newlines; one at the very end opens no further line. */
async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)])
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}

function parsePair(line: Buffer, lineNumber: number): { from: string; to: string } {
  let pair: unknown
  try {
    pair = JSON.parse(decodeUtf8(line))
  } catch (error) {
    throw new DiffInputError(`line ${lineNumber} is not JSON in UTF-8`, { cause: error })
  }
  if (!isPair(pair)) {
    throw new DiffInputError(`line ${lineNumber} is not an object with the texts "from" and "to"`)
  }
  return { from: wellFormed(pair.from), to: wellFormed(pair.to) }
}

function isPair(value: unknown): value is { from: string; to: string } {
  if (typeof value !== 'object' || value === null || !('from' in value) || !('to' in value)) return false
  return typeof value.from === 'string' && typeof value.to === 'string'
}

/** JSON can spell halves of surrogate pairs, which no text has; U+FFFD takes their place. */
function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text
}
