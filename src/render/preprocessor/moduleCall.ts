/** Calls of modules, which a separate runtime executes. */
import type { Title } from '../../domain/title.js'
import type { ExpansionFrame } from './frame.js'

/** A call of a module, written as `{{#invoke:Name|function|…}}`. */
export interface ModuleCall {
  readonly title: Title
  readonly functionName: string
  /** The module's own frame. Its parent is the frame that contains the call. */
  readonly frame: ExpansionFrame
}

/** Wikitext that is not expanded again, or an error message as plain text. */
export type ModuleResult = { readonly text: string; readonly error?: never } | ModuleFailure

export interface ModuleFailure {
  readonly error: string
  /** Innermost line first. Undefined if the runtime keeps no tracebacks. */
  readonly traceback?: readonly string[]
  readonly text?: never
}

/** Calls the modules of one page. */
export interface ModuleCaller {
  call(call: ModuleCall): ModuleResult
}
