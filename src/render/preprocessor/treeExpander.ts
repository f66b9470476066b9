/** Expands trees to text. `transclusion.ts` handles `{{…}}`. */
import { CallFrame } from './callFrame.js'
import type { Expander, ModuleRuntime } from './expander.js'
import type { ArgumentValues, ExpansionFrame } from './frame.js'
import { ValueCall } from './functionCall.js'
import { findFunction } from './functions/index.js'
import { WikiLocale } from './functions/wikiLocale.js'
import type { Budget } from './limits.js'
import type { ModuleCaller } from './moduleCall.js'
import { escapeHtml } from '../../domain/html.js'
import { spanError, trim } from './literal.js'
import { parseTree } from './parser.js'
import type { Report } from './report.js'
import type { PageFacts, WikiSource } from './source.js'
import { aroundMarkers, StripMarkers, withoutMarkers, withoutReserved } from './stripMarkers.js'
import { type Template, Templates } from './templates.js'
import { markupOf } from './tags.js'
import { Titles } from './titles.js'
import { includeTemplate, transclude } from './transclusion.js'
import type { TreeCache } from './treeCache.js'
import { wholeArgument, type TagNode, type Hidden, type Node, type Parameter, type Tree } from './tree.js'

export interface ExpanderOptions {
  readonly page: PageFacts
  readonly source: WikiSource
  readonly budget: Budget
  readonly report: Report
  readonly cache: TreeCache | undefined
  readonly modules: ModuleRuntime | undefined
  /** True for a save, which expands only `subst:` and keeps the rest. */
  readonly saving: boolean
}

export class TreeExpander implements Expander {
  readonly page: PageFacts
  readonly source: WikiSource
  readonly budget: Budget
  readonly report: Report
  readonly saving: boolean
  readonly titles: Titles
  readonly templates: Templates
  readonly markers = new StripMarkers()
  readonly locale: WikiLocale
  readonly results = new Map<string, string>()
  placeBound = 0
  scriptErrors = 0
  readonly #modules: ModuleRuntime | undefined
  #caller: ModuleCaller | undefined

  constructor({ page, source, budget, report, cache, modules, saving }: ExpanderOptions) {
    this.page = page
    this.source = source
    this.budget = budget
    this.report = report
    this.#modules = modules
    this.saving = saving
    this.titles = new Titles(source, budget)
    this.locale = new WikiLocale(source.site)
    const { titles } = this
    this.templates = new Templates({ page: page.title, source, titles, report, cache, keepHidden: saving })
  }

  get caller(): ModuleCaller | undefined {
    return (this.#caller ??= this.#modules?.open(this))
  }

  pageFrame(): ExpansionFrame {
    return CallFrame.ofPage(this, this.page.title)
  }

  expandTree(tree: Tree, frame: ExpansionFrame): string {
    const [first] = tree
    if (first === undefined) return ''
    if (tree.length === 1 && typeof first === 'string') {
      // Callers scan the text each time, so each time counts.
      this.budget.countText(first.length)
      return first
    }
    if (!this.budget.enter()) return this.#tooDeep()
    try {
      let text = ''
      for (const node of tree) text += typeof node === 'string' ? node : this.expandNode(node, frame)
      this.budget.countText(text.length)
      return text
    } finally {
      this.budget.leave()
    }
  }

  expandNode(node: Exclude<Node, string>, frame: ExpansionFrame): string {
    this.budget.countSteps(1)
    switch (node.kind) {
      case 'transclusion':
        return transclude(node, frame, this)
      case 'parameter':
        return this.#expandParameter(node, frame)
      case 'tag':
        return this.#markTag(node)
      case 'hidden':
        return this.#expandHidden(node, frame)
    }
  }

  expandVisible(tree: Tree, frame: ExpansionFrame): string {
    const hides = this.saving && tree.some((node) => typeof node !== 'string' && node.kind === 'hidden')
    if (!hides) return this.expandTree(tree, frame)
    return this.expandTree(
      tree.filter((node) => typeof node === 'string' || node.kind !== 'hidden'),
      frame,
    )
  }

  expandText(text: string, frame: ExpansionFrame): string {
    this.budget.countText(text.length)
    return this.expandTree(this.parseIncluded(text), frame)
  }

  parseIncluded(text: string): Tree {
    return parseTree(text, { inclusion: true, keepHidden: this.saving, ...markupOf(this.source.site) })
  }

  includePart(page: Template, part: string, tree: Tree, frame: ExpansionFrame): string {
    return includeTemplate({ ...page, tree }, frame.ofPart(page.title, part), this)
  }

  expandTemplateWith(name: string, values: ArgumentValues, frame: ExpansionFrame): string | undefined {
    this.budget.countCall()
    const title = this.templates.resolve(trim(name))
    const template = title && this.templates.load(title)
    return template && includeTemplate(template, frame.newChild(template.title, values), this)
  }

  callFunctionWith(
    name: string,
    positional: readonly string[],
    named: ArgumentValues,
    frame: ExpansionFrame,
  ): string | undefined {
    this.budget.countCall()
    const run = findFunction(name, this.source.site)
    if (run === undefined) return undefined
    const args = [
      ...positional.map((value) => ({ name: undefined, value })),
      ...[...named].map(([key, value]) => ({ name: key, value })),
    ]
    return run(new ValueCall(this, frame, args))
  }

  makeTag(name: string, content: string | undefined, attributes: ArgumentValues): string {
    const isExtension = this.source.site.extensionTags.has(name)
    const quote = isExtension ? '"' : "'"
    const list = [...attributes].map(
      ([key, value]) =>
        ` ${escapeHtml(withoutMarkers(key))}=${quote}${aroundMarkers(value, escapeHtml)}${quote}`,
    )
    const open = `<${name}${list.join('')}`
    const text = content === undefined ? `${open}/>` : `${open}>${content}</${name}>`
    if (!isExtension) return text
    if (this.markers.restoredLength(text) > this.budget.limits.expandedLength) return this.#tagsTooLong()
    return this.#markTag({ kind: 'tag', name, source: this.markers.restore(text) })
  }

  #expandParameter(node: Parameter, frame: ExpansionFrame): string {
    const written = this.expandTree(node.name, frame)
    const name = trim(this.saving ? this.expandVisible(node.name, frame) : written)
    const value = frame.getArgument(name)
    const [preset] = node.args
    const usesDefault = !this.saving || frame.parent !== undefined
    if (value === undefined && (preset === undefined || !usesDefault)) {
      return this.writeBraces('{{{', written, node.args, '}}}', frame)
    }
    const text = value ?? (preset ? this.expandTree(wholeArgument(preset), frame) : '')
    if (this.budget.takeArgument(text.length)) return text
    this.#fault('argumentLength', 'an argument was left out: arguments are too long altogether')
    return ''
  }

  writeBraces(
    open: string,
    first: string,
    args: Parameter['args'],
    close: string,
    frame: ExpansionFrame,
  ): string {
    const rest = args.map((argument) => `|${this.expandTree(wholeArgument(argument), frame)}`)
    return open + first + rest.join('') + close
  }

  /** An error that the result shows; the result is valid only here. */
  #fault(fault: 'argumentLength' | 'templateDepth', warning: string): void {
    this.placeBound++
    this.report.addFault(fault)
    this.report.addOmission(warning)
  }

  #tooDeep(): string {
    this.#fault('templateDepth', 'the depth of expansions reached its limit')
    return spanError('Expansion depth limit exceeded')
  }

  #markTag({ name, source }: TagNode): string {
    if (!this.budget.takeTag(source.length)) return this.#tagsTooLong()
    return this.markers.add(name, source)
  }

  #tagsTooLong(): string {
    this.placeBound++
    this.report.addOmission('an extension tag was left out: tags are too long altogether')
    return spanError(`Unstrip size limit exceeded (${this.budget.limits.expandedLength})`)
  }

  /** A save keeps comments everywhere, and inclusion tags only on the page itself. */
  #expandHidden({ comment, source }: Hidden, frame: ExpansionFrame): string {
    return comment || frame.parent === undefined ? this.markers.add('comment', source) : ''
  }
}

/** The page's own frame and tree. */
export function pageTree(text: string, expander: TreeExpander): { frame: ExpansionFrame; tree: Tree } {
  const options = { inclusion: false, keepHidden: expander.saving, ...markupOf(expander.source.site) }
  return {
    frame: expander.pageFrame(),
    tree: parseTree(withoutReserved(text), options),
  }
}
