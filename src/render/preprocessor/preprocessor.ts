/**
 * The template preprocessor: wikitext with templates, parser functions and magic words to wikitext without. It does no
 * input or output of its own: what it knows of the wiki comes from a `WikiSource`.
 */
import { prefixedText } from '../../domain/title.js'
import { behaviourSwitches } from './behaviourSwitches.js'
import { Budget, DEFAULT_LIMITS, LimitReached, type Limits } from './limits.js'
import { escapeBraces, spanError, strongError } from './literal.js'
import type { ModuleRuntime } from './moduleRuntime.js'
import { Report } from './report.js'
import type { PageFacts, WikiSource } from './source.js'
import { hideReserved, showReserved } from './stripMarkers.js'
import { pageTree, TreeExpander, type ExpanderOptions } from './treeExpander.js'
import type { TreeCache } from './treeCache.js'
import type { Node } from './tree.js'

export type { ModuleCall, ModuleCaller, ModuleResult } from './moduleCall.js'
export type { ModuleRuntime } from './moduleRuntime.js'

export interface PreprocessorOptions {
  readonly limits?: Partial<Limits>
  /** Trees of templates to share between pages of one wiki. */
  readonly cache?: TreeCache
  /** Without it, calls of modules show an error. */
  readonly modules?: ModuleRuntime
}

export interface Expansion {
  /** Holds no `{{` outside extension tags: those that nothing expands are written as character references. */
  readonly wikitext: string
  /** That faults put the page into: in reading form, without the namespace. */
  readonly categories: readonly string[]
  /** `displaytitle`, `defaultsort`, and behaviour switches such as `notoc`, which the text still holds too. */
  readonly properties: Readonly<Record<string, string>>
}

export interface PageExpansion extends Expansion {
  readonly report: Report
}

/** Expands the texts of one page, whole or construct by construct. Limits are for all of them together. */
export class Preprocessor {
  readonly report = new Report()
  readonly #page: PageFacts
  readonly #expander: TreeExpander
  readonly #options: Omit<ExpanderOptions, 'saving'>
  #saver: TreeExpander | undefined

  constructor(page: PageFacts, source: WikiSource, { limits, cache, modules }: PreprocessorOptions = {}) {
    this.#page = page
    const budget = new Budget({ ...DEFAULT_LIMITS, ...limits })
    this.#options = { page, source, budget, report: this.report, cache, modules }
    this.#expander = new TreeExpander({ ...this.#options, saving: false })
  }

  /** Expands a text of the page. */
  expand(text: string): Expansion {
    const wikitext = this.#restore(escapeBraces(this.#expandWith(this.#expander, text)), this.#expander)
    for (const name of behaviourSwitches(wikitext)) this.report.setProperty(name, '')
    return { wikitext, ...this.report.takeAdded() }
  }

  /** What is saved of a text: `{{subst:…}}` and `{{safesubst:…}}` are expanded, all else stays as it is written. */
  substitute(text: string): Expansion {
    this.#saver ??= new TreeExpander({ ...this.#options, saving: true })
    const saved = this.#restore(this.#expandWith(this.#saver, hideReserved(text)), this.#saver)
    return { wikitext: showReserved(saved), ...this.report.takeAdded() }
  }

  /** When the limits are reached, each construct that is left shows an error, and the text around them stays. */
  #expandWith(expander: TreeExpander, text: string): string {
    const { frame, tree } = pageTree(text, expander)
    let result = ''
    for (const node of tree)
      result += typeof node === 'string' ? node : this.#expandGuarded(expander, node, frame)
    return result
  }

  #expandGuarded(
    expander: TreeExpander,
    node: Exclude<Node, string>,
    frame: ReturnType<typeof pageTree>['frame'],
  ): string {
    try {
      return expander.expandNode(node, frame)
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error
      this.report.addFault('expandedLength')
      this.report.addOmission(`the page was not expanded whole: ${error.message}`)
      const { namespaces } = expander.source.site
      return strongError(`Expansion limit reached in [[:${prefixedText(this.#page.title, namespaces)}]]`)
    }
  }

  #restore(text: string, { markers, budget }: TreeExpander): string {
    if (markers.restoredLength(text) <= 2 * budget.limits.expandedLength + text.length)
      return markers.restore(text)
    this.report.addOmission('the extension tags are too long altogether')
    return spanError(`Unstrip size limit exceeded (${budget.limits.expandedLength})`)
  }
}

/** Expands one text as a page. */
export function preprocess(
  text: string,
  page: PageFacts,
  source: WikiSource,
  options?: PreprocessorOptions,
): PageExpansion {
  const preprocessor = new Preprocessor(page, source, options)
  return { ...preprocessor.expand(text), report: preprocessor.report }
}
