/**
 * The expander's interface for parser functions and transclusions. They and the class behind it (`treeExpander.ts`)
 * call each other, so the interface avoids an import cycle.
 */
import type { WikiLocale } from './functions/wikiLocale.js'
import type { ArgumentValues, ExpansionFrame } from './frame.js'
import type { Budget } from './limits.js'
import type { ModuleCaller } from './moduleCall.js'
import type { Report } from './report.js'
import type { PageFacts, WikiSource } from './source.js'
import type { StripMarkers } from './stripMarkers.js'
import type { Template, Templates } from './templates.js'
import type { Titles } from './titles.js'
import type { Parameter, Tree } from './tree.js'

/** State shared by the whole expansion of one page. */
export interface Expander {
  readonly page: PageFacts
  readonly source: WikiSource
  readonly budget: Budget
  readonly report: Report
  /** Calls modules; undefined where modules do not run. */
  readonly caller: ModuleCaller | undefined
  /** True for a save, which expands only `subst:` and keeps the rest. */
  readonly saving: boolean
  readonly titles: Titles
  readonly templates: Templates
  readonly markers: StripMarkers
  readonly locale: WikiLocale
  /** Results of templates called without arguments. */
  readonly results: Map<string, string>
  /** Incremented when a result depends on its place, so that it cannot be reused elsewhere. */
  placeBound: number
  /** Number of module errors so far, which numbers the next one. */
  scriptErrors: number
  /** A frame of the page itself. */
  pageFrame(): ExpansionFrame
  expandTree(tree: Tree, frame: ExpansionFrame): string
  /** Expands without comments, for texts that are names. */
  expandVisible(tree: Tree, frame: ExpansionFrame): string
  /** Parses a text and expands it in a frame, like a part of a template. */
  expandText(text: string, frame: ExpansionFrame): string
  /** Parses a text by the rules for transcluded pages. */
  parseIncluded(text: string): Tree
  /** Transcludes a part of a page. `part` names it: a part may contain another part of its page, but not itself. */
  includePart(page: Template, part: string, tree: Tree, frame: ExpansionFrame): string
  /** Transcludes a page with finished texts as arguments. Undefined when the page does not exist. */
  expandTemplateWith(name: string, values: ArgumentValues, frame: ExpansionFrame): string | undefined
  /** Calls a parser function with finished texts. Undefined when no function has that name. */
  callFunctionWith(
    name: string,
    positional: readonly string[],
    named: ArgumentValues,
    frame: ExpansionFrame,
  ): string | undefined
  /** A marker for a new extension tag, or the tag as plain wikitext if the wiki has no such extension. */
  makeTag(name: string, content: string | undefined, attributes: ArgumentValues): string
  /** Writes an unexpanded construct, with its arguments expanded. */
  writeBraces(
    open: string,
    first: string,
    args: Parameter['args'],
    close: string,
    frame: ExpansionFrame,
  ): string
}

// The runtime of modules. It knows the expander, while the expander only knows the runtime's `ModuleCaller`.

/** Runs the modules of one page, one after another. */
export interface ModuleRuntime {
  open(expander: Expander): ModuleCaller
}
