/** Calls of modules, which a caller of the preprocessor runs. */
import type { Title } from '../../domain/title.js'
import type { Frame } from './frame.js'

/** A call of a module: what `{{#invoke:Name|function|…}}` asks for. */
export interface ModuleCall {
  readonly title: Title
  readonly functionName: string
  /** The module's own frame; its parent is the one that holds the call. */
  readonly frame: Frame
}

/** Gives back wikitext that is not expanded again. */
export type ModuleCaller = (call: ModuleCall) => string
