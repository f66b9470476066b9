/** Lines of a Lua console. */
import type { LuaState } from './engine/state.js'

export type Evaluation = {
  /** The console's variables are lost: the next line begins without them. */
  readonly isStateLost?: boolean
} & (
  | { readonly shown: string | undefined; readonly error?: never }
  | { readonly error: string; readonly traceback: readonly string[]; readonly shown?: never }
  /** The line needs another one behind it. */
  | { readonly isIncomplete: true; readonly shown?: never; readonly error?: never }
)

const CHUNK = '=console'
/** End of the parser's message for a source that ends too soon. */
const END_OF_SOURCE = "near '<eof>'"
/** Frames of the libraries, which begin every call: no module's author knows them. */
const OWN_LINE = /^(?:mw\.lua:|\[C\]: \?$|\(tail call\): \?$)/

/** Pushes the function of a line. Returns an evaluation if there is none. */
export function loadLine(state: LuaState, source: string): Evaluation | undefined {
  const isExpression = /^\s*=/.test(source)
  const expression = `return ${isExpression ? source.replace('=', '') : source}`
  if (state.load(Buffer.from(expression), CHUNK)) return undefined
  if (!isExpression) {
    state.top--
    if (state.load(Buffer.from(source), CHUNK)) return undefined
  }
  const error = state.text(-1)
  return error.endsWith(END_OF_SOURCE) ? { isIncomplete: true } : { error, traceback: [] }
}

/** Lines of `debug.traceback`, innermost first, without those of the libraries at the end. */
export function tracebackLines(traceback: string): string[] {
  const [, , ...lines] = traceback.split('\n').map((line) => line.trim())
  const last = lines.findLastIndex((line) => !OWN_LINE.test(line))
  return lines.slice(0, last + 1)
}
