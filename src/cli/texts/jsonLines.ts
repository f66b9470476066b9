/** Many texts in one stream: JSON Lines. */
import { decodeUtf8, TextInputError } from './textInput.js'

const NEWLINE = 10

/**
 * One object for each line of `input`, which must be a JSON object that has a text under every one of `names`; in
 * order. Lines end at U+000A only. Throws a TextInputError that names the number of the first line that is not such an
 * object.
 */
export async function* readJsonLines<Name extends string>(
  input: AsyncIterable<Buffer>,
  names: readonly Name[],
): AsyncGenerator<Record<Name, string>> {
  let lineNumber = 0
  for await (const line of readLines(input)) yield parseTexts(line, ++lineNumber, names)
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

function parseTexts<Name extends string>(
  line: Buffer,
  lineNumber: number,
  names: readonly Name[],
): Record<Name, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(decodeUtf8(line))
  } catch (error) {
    throw new TextInputError(`line ${lineNumber} is not JSON in UTF-8`, { cause: error })
  }
  const texts: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text: unknown =
      typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined
    if (typeof text !== 'string') {
      throw new TextInputError(`line ${lineNumber} is not a JSON object with the texts ${listNames(names)}`)
    }
    texts[name] = wellFormed(text)
  }
  return texts as Record<Name, string>
}

/** `"a", "b" and "c"` */
function listNames(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name))
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

/** JSON can spell halves of surrogate pairs, which no text has; U+FFFD takes their place. */
function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text
}
