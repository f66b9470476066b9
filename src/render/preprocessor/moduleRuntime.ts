/** What runs modules. It knows the expander, which knows only the `ModuleCaller` that the runtime gives it. */
import type { Expander } from './expander.js'
import type { ModuleCaller } from './moduleCall.js'

/** Runs the modules of one page after the other. */
export interface ModuleRuntime {
  open(expander: Expander): ModuleCaller
}
