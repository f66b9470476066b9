/**
 * The expander as parser functions and transclusions see it. They call it, and it calls them: so this interface imports
 * neither them nor the class behind it (`treeExpander.ts`).
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

/** Everything that the expansion of one page shares. */
export interface Expander {
  readonly page: PageFacts
  readonly source: WikiSource
  readonly budget: Budget
  readonly report: Report
  /** Calls modules; undefined where they do not run. */
  readonly caller: ModuleCaller | undefined
  /** Expands only what is marked with `subst:`, as a text that is saved wants it. */
  readonly saving: boolean
  readonly titles: Titles
  readonly templates: Templates
  readonly markers: StripMarkers
  readonly locale: WikiLocale
  /** Results of templates that were called without arguments. */
  readonly results: Map<string, string>
  /** Rises when a result depends on where it stands, and must not be used elsewhere. */
  placeBound: number
  /** Errors of modules so far; each has its number. */
  scriptErrors: number
  /** A frame of the page itself. */
  pageFrame(): ExpansionFrame
  expandTree(tree: Tree, frame: ExpansionFrame): string
  /** Without comments and the like, where a name is wanted. */
  expandVisible(tree: Tree, frame: ExpansionFrame): string
  /** Parses a text and expands it in a frame, as if it were part of a template. */
  expandText(text: string, frame: ExpansionFrame): string
  /** The tree of a text that is put into another. */
  parseIncluded(text: string): Tree
  /** Puts a part of a page in. `part` names it: a part may hold another of the same page, but not itself. */
  includePart(page: Template, part: string, tree: Tree, frame: ExpansionFrame): string
  /** Puts a page in whose arguments are finished texts; undefined when there is none. */
  expandTemplateWith(name: string, values: ArgumentValues, frame: ExpansionFrame): string | undefined
  /** Calls a parser function with finished texts; undefined when there is none of that name. */
  callFunctionWith(
    name: string,
    positional: readonly string[],
    named: ArgumentValues,
    frame: ExpansionFrame,
  ): string | undefined
  /** A marker for a tag that is made here, or the tag as plain wikitext when the wiki has no extension of that name. */
  makeTag(name: string, content: string | undefined, attributes: ArgumentValues): string
  /** What was not expanded, with its arguments expanded. */
  writeBraces(
    open: string,
    first: string,
    args: Parameter['args'],
    close: string,
    frame: ExpansionFrame,
  ): string
}
