/** The side results of an expansion: the pages it read, the properties it sets, and its lifetime. */
import { type Title, titleId } from '../../domain/title.js'

/** Default names of MediaWiki's tracking categories for such errors. */
export const TRACKING_CATEGORIES = {
  duplicateArguments: 'Pages using duplicate arguments in template calls',
  templateLoop: 'Pages with template loops',
  templateDepth: 'Pages where expansion depth is exceeded',
  expandedLength: 'Pages where template include size is exceeded',
  argumentLength: 'Pages containing omitted template arguments',
  lookups: 'Pages with too many expensive parser function calls',
} as const
export type Fault = keyof typeof TRACKING_CATEGORIES

/** A module failed, or could not be called. */
export interface ScriptError {
  readonly message: string
  /** Lines of Lua's traceback, innermost first. Empty if no module ran, or if the runtime keeps no tracebacks. */
  readonly traceback: readonly string[]
  /** Full titles: of the template that holds the call, of the one around it, and so on up to the page. */
  readonly within: readonly string[]
}

/** Further errors of a page show in its text only. */
const MAX_SCRIPT_ERRORS = 100
/** Modules and texts can make as many as they like. */
const MAX_WARNINGS = 100
const MAX_WARNING_CHARACTERS = 1000

/** Records reads, the lifetime that they allow, and errors as names of categories. */
export class Report {
  readonly #pages = new Map<string, Title>()
  readonly #files = new Set<string>()
  readonly #warnings = new Set<string>()
  readonly #scriptErrors: ScriptError[] = []
  #categories = new Set<string>()
  #properties = new Map<string, string>()
  #lifetimeSeconds: number | undefined
  #isWhole = true
  #defaultSort: string | undefined

  /** Pages that the expansion looked up, including missing ones. A change of any of them may change the result. */
  get pages(): Title[] {
    return [...this.#pages.values()]
  }

  /** Names of files that the expansion looked up, including missing ones. */
  get files(): string[] {
    return [...this.#files]
  }

  get warnings(): string[] {
    return [...this.#warnings]
  }

  /** The first ones, in the order in which they happened. */
  get scriptErrors(): readonly ScriptError[] {
    return this.#scriptErrors
  }

  /** Lifetime of the result while nothing is edited. Undefined: unlimited. */
  get lifetimeSeconds(): number | undefined {
    return this.#lifetimeSeconds
  }

  /** True if the page was looked up before. */
  hasPage(title: Title): boolean {
    return this.#pages.has(titleId(title))
  }

  addPage(title: Title): void {
    this.#pages.set(titleId(title), title)
  }

  addFile(name: string): void {
    this.#files.add(name)
  }

  addFault(fault: Fault): void {
    this.#categories.add(TRACKING_CATEGORIES[fault])
  }

  /** `name` in reading form, without the namespace. */
  addCategory(name: string): void {
    this.#categories.add(name)
  }

  addWarning(text: string): void {
    if (this.#warnings.size < MAX_WARNINGS) this.#warnings.add(text.slice(0, MAX_WARNING_CHARACTERS))
  }

  addScriptError(error: ScriptError): void {
    if (this.#scriptErrors.length < MAX_SCRIPT_ERRORS) this.#scriptErrors.push(error)
  }

  /** Records that an error message replaces an unexpanded construct. */
  addOmission(text: string): void {
    this.#isWhole = false
    this.addWarning(text)
  }

  /** False if anything was left out because of a limit, or because a template calls itself. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  setProperty(name: string, value: string): void {
    this.#properties.set(name, value)
  }

  get defaultSort(): string | undefined {
    return this.#defaultSort
  }

  setDefaultSort(key: string): void {
    this.#defaultSort = key
    this.setProperty('defaultsort', key)
  }

  holdsFor(seconds: number): void {
    this.#lifetimeSeconds = Math.min(this.#lifetimeSeconds ?? Infinity, seconds)
  }

  /** Categories and properties added since the last call. */
  takeAdded(): { readonly categories: string[]; readonly properties: Record<string, string> } {
    const added = { categories: [...this.#categories], properties: Object.fromEntries(this.#properties) }
    this.#categories = new Set()
    this.#properties = new Map()
    return added
  }
}
