/** `#tag` makes extension tags, and `#invoke` calls modules. */
import { MODULE } from '../../../domain/namespaceIds.js'
import type { FunctionCall } from '../functionCall.js'
import { escapeHtml } from '../../../domain/html.js'
import { escapeWikitext, strongError } from '../literal.js'
import { withoutMarkers } from '../stripMarkers.js'
import type { Title } from '../../../domain/title.js'
import type { FunctionTable } from './table.js'

const QUOTED = /^(["'])([^]*)\1$/
const SCRIPT_ERRORS = 'Pages with script errors'

export const TAG_FUNCTIONS: FunctionTable = {
  '#tag': makeTag,
  '#invoke': invoke,
}

/** Name, content, then attributes as `name=value`. */
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

/** Module, function, then the arguments of the module's frame. */
function invoke(call: FunctionCall): string {
  const { expander } = call
  if (call.count < 2 || call.text(1) === '') return scriptError(call, 'You must specify a function to call.')
  const name = call.text(0)
  const title = moduleTitle(call, name)
  if (title) expander.report.addPage(title)
  if (title === undefined || !expander.source.pageExists(title)) {
    return scriptError(call, `No such module "${escapeHtml(withoutMarkers(name))}".`)
  }
  if (expander.callModule === undefined) {
    return scriptError(call, `Modules do not run here: ${escapeWikitext(expander.titles.fullText(title))}.`)
  }
  expander.placeBound++
  return expander.callModule({ title, functionName: call.text(1), frame: call.childFrame(title, 2) })
}

function moduleTitle({ expander }: FunctionCall, name: string): Title | undefined {
  const { namespaces } = expander.source.site
  const title = expander.titles.parse(namespaces.keyPrefix(MODULE) + name)
  return title?.namespace === MODULE ? title : undefined
}

function scriptError({ expander }: FunctionCall, message: string): string {
  expander.report.addCategory(SCRIPT_ERRORS)
  return strongError(`<span class="scribunto-error">Script error: ${message}</span>`)
}
