/** `#invoke` calls a function of a module. */
import { escapeHtml } from '../../../domain/html.js'
import { MODULE } from '../../../domain/namespaceIds.js'
import type { Title } from '../../../domain/title.js'
import type { Expander } from '../expander.js'
import type { Frame } from '../frame.js'
import type { FunctionCall, FunctionTable } from '../functionCall.js'
import { strongError } from '../literal.js'
import { withoutMarkers } from '../stripMarkers.js'

const SCRIPT_ERRORS = 'Pages with script errors'

export const INVOKE: FunctionTable = { '#invoke': invoke }

/** Module and function, followed by the arguments of the module's frame. A save without modules keeps the call. */
function invoke(call: FunctionCall): string | undefined {
  const { expander } = call
  if (expander.saving && expander.caller === undefined) return undefined
  if (call.count < 2) return scriptError(call, 'Script error: You must specify a function to call.')
  const name = withoutMarkers(call.text(0))
  const title = moduleTitle(call, name)
  if (title) expander.report.addPage(title)
  if (title === undefined || !expander.source.pageExists(title)) {
    return scriptError(call, `Script error: No such module "${name}".`)
  }
  // A module's result may depend on the place of the call.
  expander.placeBound++
  const { caller } = expander
  if (caller === undefined) {
    return scriptError(call, `Script error: Modules do not run here: ${expander.titles.fullText(title)}.`)
  }
  const functionName = call.text(1)
  const result = caller.call({ title, functionName, frame: call.childFrame(title, 2) })
  return result.text === undefined ? scriptError(call, result.error, result.traceback) : result.text
}

function moduleTitle({ expander }: FunctionCall, name: string): Title | undefined {
  const { namespaces } = expander.source.site
  const title = expander.titles.parse(namespaces.keyPrefix(MODULE) + name)
  return title?.namespace === MODULE ? title : undefined
}

function titlesAround(frame: Frame, { titles }: Expander): string[] {
  const around: string[] = []
  for (let outer: Frame | undefined = frame; outer !== undefined; outer = outer.parent)
    around.push(titles.fullText(outer.title))
  return around
}

/** The message is wikitext, so templates in it are expanded, as in MediaWiki. */
function scriptError(
  { expander, frame }: FunctionCall,
  message: string,
  traceback: readonly string[] = [],
): string {
  const { report } = expander
  report.addCategory(SCRIPT_ERRORS)
  report.addScriptError({ message, traceback, within: titlesAround(frame, expander) })
  const id = `mw-scribunto-error-${expander.scriptErrors++}`
  return strongError(
    `<span class="scribunto-error" id="${id}">${frame.preprocess(escapeHtml(message))}</span>`,
  )
}
