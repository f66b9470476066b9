/** Calls of modules, which a caller of the preprocessor runs. */
import type { Title } from '../../domain/title.js'
import type { ExpansionFrame } from './frame.js'

/** A call of a module: what `{{#invoke:Name|function|…}}` asks for. */
export interface ModuleCall {
  readonly title: Title
  readonly functionName: string
  /** The module's own frame; its parent is the one that holds the call. */
  readonly frame: ExpansionFrame
}

/** Wikitext that is not expanded again, or why there is none, as plain text. */
export type ModuleResult =
  { readonly text: string; readonly error?: never } | { readonly error: string; readonly text?: never }

/** Calls the modules of one page. */
export interface ModuleCaller {
  call(call: ModuleCall): ModuleResult
}
