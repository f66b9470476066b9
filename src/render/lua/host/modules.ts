/** Loads the code of modules and libraries as functions. */
import { MODULE } from '../../../domain/namespaceIds.js'
import { parseTitle } from '../../../domain/title.js'
import { LuaError, type LuaState } from '../engine/state.js'
import { TIME_OVER } from '../limits.js'
import { LIBRARIES } from '../library/index.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'

export const MODULE_FUNCTIONS: HostTable = {
  values: {
    moduleName,
    timeOver: () => TIME_OVER,
    keepTraceback(args, page) {
      page.traceback = args.text(1)
      return undefined
    },
    log(args, page) {
      page.log.add(args.text(1))
      return undefined
    },
    addWarning(args, page) {
      page.expander.report.addWarning(args.text(1))
      return undefined
    },
  },
  raw: { compile, library },
}

/** `Module:Name` as the wiki writes it. Undefined when the text names no page of that namespace. */
function moduleName(args: HostArguments, page: LuaSession): string | undefined {
  const title = page.expander.titles.parse(args.text(1))
  return title?.namespace === MODULE ? page.nameOf(title) : undefined
}

/** The main function of a module. Nothing when the module is missing, and a message when it does not compile. */
function compile(state: LuaState, page: LuaSession): number {
  const { titles, source } = page.expander
  const parsed = parseTitle(state.text(1), source.site.namespaces)
  if (!parsed.ok) return 0
  const found = page.readPage(parsed.title)
  if (found === undefined) return 0
  if (!page.mayRun(page.nameOf(parsed.title), found.revision.id)) throw new LuaError(TIME_OVER)
  const { text } = found
  if (page.loadChunk(state, `=${titles.fullKey(parsed.title)}`, text)) return 1
  const message = state.text(-1)
  state.push(null)
  state.push(message)
  return 2
}

/** The chunk of a built-in library. */
function library(state: LuaState, page: LuaSession): number {
  const name = state.text(1)
  const source = LIBRARIES.get(name)
  if (source === undefined) throw new Error(`Lua asks for a library "${name}" that does not exist`)
  // What is ours has no errors, so memory was wanting.
  if (!page.loadChunk(state, `=mw.${name}.lua`, source)) throw new LuaError(state.text(-1))
  return 1
}
