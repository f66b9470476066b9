/** Many texts in one stream, as JSON Lines. */
import { decodeUtf8, TextInputError } from './textInput.js'

const NEWLINE = 10

/**
 * Parses each line of `input` into an object, in order. Every line must be a JSON object with a text under each of
 * `names`. Only U+000A ends a line. Throws a TextInputError with the number of the first invalid line.
 */
export async function* readJsonLines<Name extends string>(
  input: AsyncIterable<Buffer>,
  names: readonly Name[],
): AsyncGenerator<Record<Name, string>> {
  let lineNumber = 0
  for await (const line of readLines(input)) yield parseTexts(line, ++lineNumber, names)
}

/**
 * As `readJsonLines`, but a line that is not such an object, or is longer than `maxBytes`, gives a TextInputError. The
 * lines behind it are read. No more than one line is in memory.
 */
export async function* readEachJsonLine<Name extends string>(
  input: AsyncIterable<Buffer>,
  names: readonly Name[],
  maxBytes: number,
): AsyncGenerator<Record<Name, string> | TextInputError> {
  let lineNumber = 0
  for await (const line of readLines(input, maxBytes)) {
    lineNumber++
    if (line.length > maxBytes) {
      yield new TextInputError(`line ${lineNumber} is longer than ${maxBytes} bytes`)
      continue
    }
    try {
      yield parseTexts(line, lineNumber, names)
    } catch (error) {
      if (!(error instanceof TextInputError)) throw error
      yield error
    }
  }
}

/**
 * Lines without their newlines. A newline at the end of the input adds no empty line. A line longer than `maxBytes` is
 * cut one byte behind them.
 */
async function* readLines(input: AsyncIterable<Buffer>, maxBytes = Infinity): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    const room = part.subarray(0, Math.min(part.length, maxBytes + 1 - length))
    length += room.length
    if (room.length > 0) parts.push(room)
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      yield Buffer.concat(parts)
      parts = []
      length = 0
      start = end + 1
    }
    add(chunk.subarray(start))
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

/** Formats `"a", "b" and "c"`. */
function listNames(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name))
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

/** JSON can contain lone surrogates, which are not valid text. U+FFFD replaces them. */
function wellFormed(text: string): string {
  return /\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text
}
