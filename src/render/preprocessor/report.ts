/** What an expansion says beside its text: what it read, what it sets, and how long it holds. */
import type { Title } from '../../domain/title.js'

/** Categories that MediaWiki's messages name for pages with such faults. */
export const TRACKING_CATEGORIES = {
  duplicateArguments: 'Pages using duplicate arguments in template calls',
  templateLoop: 'Pages with template loops',
  templateDepth: 'Pages where expansion depth is exceeded',
  expandedLength: 'Pages where template include size is exceeded',
  argumentLength: 'Pages containing omitted template arguments',
  lookups: 'Pages with too many expensive parser function calls',
} as const
export type Fault = keyof typeof TRACKING_CATEGORIES

/** Reads and what they mean for keeping the result; faults as names of categories. */
export class Report {
  readonly #pages = new Map<string, Title>()
  readonly #files = new Set<string>()
  readonly #warnings = new Set<string>()
  #categories = new Set<string>()
  #properties = new Map<string, string>()
  #lifetimeSeconds: number | undefined
  #isWhole = true
  #defaultSort: string | undefined

  /** Pages that were looked at, missing ones too: when one of them changes, the result may. */
  get pages(): Title[] {
    return [...this.#pages.values()]
  }

  /** Names of files that were looked at, missing ones too. */
  get files(): string[] {
    return [...this.#files]
  }

  get warnings(): string[] {
    return [...this.#warnings]
  }

  /** For how long the result holds when nothing is edited; undefined: for ever. */
  get lifetimeSeconds(): number | undefined {
    return this.#lifetimeSeconds
  }

  /** Whether the page was looked at before. */
  hasPage({ namespace, dbkey }: Title): boolean {
    return this.#pages.has(`${namespace}:${dbkey}`)
  }

  addPage(title: Title): void {
    this.#pages.set(`${title.namespace}:${title.dbkey}`, title)
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
    this.#warnings.add(text)
  }

  /** Something could not be expanded, and a message stands in its place. */
  addOmission(text: string): void {
    this.#isWhole = false
    this.addWarning(text)
  }

  /** Whether nothing was left out for a limit, or because a template calls itself. */
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

  /** Categories and properties since the last time. */
  takeAdded(): { readonly categories: string[]; readonly properties: Record<string, string> } {
    const added = { categories: [...this.#categories], properties: Object.fromEntries(this.#properties) }
    this.#categories = new Set()
    this.#properties = new Map()
    return added
  }
}
