/** The runtime of modules. It knows the expander, while the expander only knows the runtime's `ModuleCaller`. */
import type { Expander } from './expander.js'
import type { ModuleCaller } from './moduleCall.js'

/** Runs the modules of one page, one after another. */
export interface ModuleRuntime {
  open(expander: Expander): ModuleCaller
}
