/** `#len` and similar functions, which few wikis enable. They refuse texts of more than 1,000 characters. */
import type { FunctionCall, FunctionTable } from '../functionCall.js'
import { strongError } from '../literal.js'
import { withoutMarkers } from '../stripMarkers.js'

const MAX_LENGTH = 1000

/** Whole characters: `Array.from` splits between code points. */
type Letters = readonly string[]
type TextFunction = (letters: Letters, call: FunctionCall) => string

export const STRING_FUNCTIONS: FunctionTable = {
  '#len': bounded((letters) => String(letters.length)),
  '#pos': bounded((letters, call) => position(letters, call, false)),
  '#rpos': bounded((letters, call) => position(letters, call, true)),
  '#sub': bounded(substring),
  '#count': bounded((letters, call) => String(letters.join('').split(needle(call)).length - 1)),
  '#replace': bounded(replace),
  '#explode': bounded(explode),
  '#urldecode': bounded((letters) => decode(letters.join('').replaceAll('+', ' '))),
}

function bounded(run: TextFunction): (call: FunctionCall) => string {
  return (call) => {
    const text = withoutMarkers(call.text(0))
    for (let index = 1; index < call.count; index++) {
      if (call.text(index).length > MAX_LENGTH) return tooLong()
    }
    return text.length > MAX_LENGTH ? tooLong() : run(Array.from(text), call)
  }
}

function tooLong(): string {
  return strongError(`Error: String exceeds ${MAX_LENGTH} character limit.`)
}

/** An empty argument means a blank. */
function needle(call: FunctionCall): string {
  return withoutMarkers(call.text(1)) || ' '
}

function integer(text: string): number {
  return parseInt(text, 10) || 0
}

function position(letters: Letters, call: FunctionCall, last: boolean): string {
  const text = letters.join('')
  const from = letters.slice(0, Math.max(0, integer(call.text(2)))).join('').length
  const at = last ? text.lastIndexOf(needle(call)) : text.indexOf(needle(call), from)
  if (at < 0) return last ? '-1' : ''
  return String(Array.from(text.slice(0, at)).length)
}

/** Arguments: start, which may count from the end, and number of letters; 0 means all. */
function substring(letters: Letters, call: FunctionCall): string {
  const start = integer(call.text(1))
  const length = integer(call.text(2))
  const rest = letters.slice(start)
  return (length === 0 ? rest : rest.slice(0, length)).join('')
}

function replace(letters: Letters, call: FunctionCall): string {
  const pieces = letters.join('').split(needle(call))
  const most = call.count > 3 && call.text(3) !== '' ? integer(call.text(3)) : pieces.length
  const substitute = withoutMarkers(call.text(2))
  const result = pieces.reduce(
    (text, piece, index) => text + (index <= Math.max(0, most) ? substitute : needle(call)) + piece,
  )
  return result.length > MAX_LENGTH * MAX_LENGTH ? tooLong() : result
}

/** One of the pieces between delimiters, counted from 0 or from the end. */
function explode(letters: Letters, call: FunctionCall): string {
  const delimiter = needle(call)
  const limit = integer(call.text(3))
  const all = letters.join('').split(delimiter)
  const pieces = limit > 0 ? [...all.slice(0, limit - 1), all.slice(limit - 1).join(delimiter)] : all
  return pieces.at(integer(call.text(2))) ?? ''
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
