/**
 * The template preprocessor: expands templates, parser functions and magic words in wikitext. It does no I/O of its own
 * and reads the wiki through a `WikiSource`.
 */
import { prefixedText } from '../../domain/title.js'
import { languageOf } from '../../language/language.js'
import { Budget, DEFAULT_LIMITS, LimitReached, type Limits } from './limits.js'
import { escapeBraces, spanError, strongError } from './literal.js'
import type { ModuleCaller } from './moduleCall.js'
import type { ModuleRuntime } from './expander.js'
import { Report } from './report.js'
import type { PageFacts, WikiSource } from './source.js'
import { hideReserved, showReserved } from './stripMarkers.js'
import { pageTree, TreeExpander, type ExpanderOptions } from './treeExpander.js'
import type { TreeCache } from './treeCache.js'
import type { Node } from './tree.js'

// Behaviour switches such as `__NOTOC__`: words that change how a page behaves, and leave no text.

const SWITCH = /__([A-Z]{2,22})__/gi

/** Recognised in any case. */
const UNCASED: ReadonlySet<string> = new Set([
  ...[
    'FORCETOC',
    'NOCC',
    'NOCONTENTCONVERT',
    'NOEDITSECTION',
    'NOGALLERY',
    'NOTC',
    'NOTITLECONVERT',
    'NOTOC',
    'TOC',
  ],
])
/** Recognised in capitals only. */
const CASED: ReadonlySet<string> = new Set([
  ...['ARCHIVEDTALK', 'DISAMBIG', 'EXPECTUNUSEDCATEGORY', 'HIDDENCAT', 'INDEX', 'NEWSECTIONLINK', 'NOINDEX'],
  ...['NONEWSECTIONLINK', 'NOTALK', 'STATICREDIRECT'],
])
const FULL_NAMES: Readonly<Record<string, string>> = { nocc: 'nocontentconvert', notc: 'notitleconvert' }

/** The signs around a switch; those of Japanese may be wide. */
const SWITCH_SIGNS = /__|＿＿/

/** Names of the switches in a text, in lower case and without duplicates. */
function behaviourSwitches(text: string, language: string): string[] {
  if (!SWITCH_SIGNS.test(text)) return []
  const names = new Set(languageOf(language).localSwitches?.namesIn(text))
  for (const [, word = ''] of text.matchAll(SWITCH)) {
    if (!UNCASED.has(word.toUpperCase()) && !CASED.has(word)) continue
    const name = word.toLowerCase()
    names.add(FULL_NAMES[name] ?? name)
  }
  return [...names]
}

export type { ModuleCall, ModuleCaller, ModuleResult } from './moduleCall.js'
export type { ModuleRuntime } from './expander.js'

export interface PreprocessorOptions {
  readonly limits?: Partial<Limits>
  /** Cache of template trees, shared between pages of one wiki. */
  readonly cache?: TreeCache
  /** Runs modules. Without it, calls of modules show an error. */
  readonly modules?: ModuleRuntime
}

export interface Expansion {
  /** Contains no `{{` outside extension tags: unexpanded braces become character references. */
  readonly wikitext: string
  /** Tracking categories added for errors, in reading form, without the namespace. */
  readonly categories: readonly string[]
  /** `displaytitle`, `defaultsort`, and behaviour switches such as `notoc`, which also stay in the text. */
  readonly properties: Readonly<Record<string, string>>
}

export interface PageExpansion extends Expansion {
  readonly report: Report
}

/** Expands texts of one page, whole or construct by construct. Limits apply to all of them together. */
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
    return this.#expanded(escapeBraces(this.#expandWith(this.#expander, text)))
  }

  /** The same for readers of wikitext: braces that nothing expands stay as they are. */
  expandForReaders(text: string): Expansion {
    return this.#expanded(this.#expandWith(this.#expander, text))
  }

  /** What calls the page's modules, before a text calls one. Undefined where they do not run. */
  openModules(): ModuleCaller | undefined {
    return this.#expander.caller
  }

  #expanded(text: string): Expansion {
    const wikitext = this.#restore(text, this.#expander)
    for (const name of behaviourSwitches(wikitext, this.#options.source.site.language))
      this.report.setProperty(name, '')
    return { wikitext, ...this.report.takeAdded() }
  }

  /** The text that a save stores. Expands `{{subst:…}}` and `{{safesubst:…}}`, and keeps all else as written. */
  substitute(text: string): Expansion {
    this.#saver ??= new TreeExpander({ ...this.#options, saving: true })
    const saved = this.#restore(this.#expandWith(this.#saver, hideReserved(text)), this.#saver)
    return { wikitext: showReserved(saved), ...this.report.takeAdded() }
  }

  /** Once a limit is reached, each remaining construct shows an error, and the text around it stays. */
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
