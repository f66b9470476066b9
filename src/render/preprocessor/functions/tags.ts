/** `#tag`, which makes extension tags. */
import type { FunctionCall } from '../functionCall.js'
import { withoutMarkers } from '../stripMarkers.js'
import type { FunctionTable } from './table.js'

const QUOTED = /^(["'])([^]*)\1$/

export const TAG_FUNCTIONS: FunctionTable = {
  '#tag': makeTag,
}

/** Arguments: name, content, then attributes as `name=value`. */
function makeTag(call: FunctionCall): string {
  const name = withoutMarkers(call.text(0)).toLowerCase()
  const attributes = new Map<string, string>()
  for (let index = 2; index < call.count; index++) {
    const part = call.split(index)
    if (part.hasName) attributes.set(part.name(), unquoted(part.value()))
  }
  const content = call.count > 1 ? call.text(1) : undefined
  return call.expander.makeTag(name, content, attributes)
}

function unquoted(value: string): string {
  return QUOTED.exec(value)?.[2] ?? value
}
