/**
 * How a client gets the rest. An answer names parameters for the next request:
 *
 *     continue    generator's parameters, or `-` if all properties of all pages are done
 *                 || modules that are finished
 *
 * While properties of the present pages go on, the generator's parameters of this request come again. When they are
 * done, those for its next pages come.
 */
import type { Input } from '../frame/input.js'
import { badContinue } from '../frame/problems.js'
import type { Fields } from '../frame/values.js'
import type { More, QueryModule } from './module.js'

const FORM = /^([^|]*(?:\|[^|]+)*)\|\|(.*)$/s

type Parameters = Readonly<Record<string, string | number>>

export class Continuation {
  readonly #isRaw: boolean
  /** The properties of all pages were finished by earlier answers. */
  readonly arePagesDone: boolean
  readonly #finishedBefore: ReadonlySet<string>
  #names: readonly string[] = []
  #props: readonly string[] = []
  #generatorNow: Parameters = {}
  #ofGenerator: { readonly module: string; readonly parameters: Parameters } | undefined
  readonly #ofProps = new Map<string, Parameters>()
  readonly #ofLists = new Map<string, Parameters>()

  constructor(given: string | undefined, isRaw: boolean) {
    this.#isRaw = isRaw
    if (given === undefined || given === '' || isRaw) {
      this.arePagesDone = false
      this.#finishedBefore = new Set()
      return
    }
    const [, generator, finished] = FORM.exec(given) ?? []
    if (generator === undefined || finished === undefined) throw badContinue()
    this.arePagesDone = generator === '-'
    this.#finishedBefore = new Set(finished.split('|'))
  }

  begin(names: readonly string[]): void {
    this.#names = names
  }

  isFinished(name: string): boolean {
    return this.#finishedBefore.has(name)
  }

  addProp(module: QueryModule, more: More): void {
    this.#ofProps.set(module.name, prefixed(module.prefix, more))
  }

  addList(module: QueryModule, more: More): void {
    this.#ofLists.set(module.name, prefixed(module.prefix, more))
  }

  addGenerator(module: QueryModule, more: More): void {
    this.#ofGenerator = { module: module.name, parameters: prefixed(`g${module.prefix}`, more) }
  }

  /** Notes where the generator of this request began, to begin there again. */
  keepGenerator(input: Input, module: QueryModule): void {
    const names = ['continue', 'offset'].map((name) => `g${module.prefix}${name}`)
    const given = names.flatMap((name) => (input.has(name) ? [[name, input.get(name) ?? ''] as const] : []))
    this.#generatorNow = Object.fromEntries(given)
  }

  endProps(names: readonly string[]): void {
    this.#props = names
  }

  fields(): Fields {
    return this.#isRaw ? this.#rawFields() : this.#newFields()
  }

  #rawFields(): Fields {
    const modules = [...this.#ofLists, ...this.#ofProps]
    const result = Object.fromEntries(modules)
    if (this.#ofGenerator !== undefined && this.#ofProps.size === 0)
      result[this.#ofGenerator.module] = this.#ofGenerator.parameters
    return Object.keys(result).length > 0 ? { 'query-continue': result } : {}
  }

  #newFields(): Fields {
    const isBatchComplete = this.#ofProps.size === 0
    const next: Record<string, string | number> = {}
    for (const parameters of this.#ofLists.values()) Object.assign(next, parameters)
    const unfinished = new Set([...this.#ofLists.keys(), ...this.#ofProps.keys()])
    let generator = '-'
    if (!isBatchComplete) {
      for (const parameters of this.#ofProps.values()) Object.assign(next, parameters)
      Object.assign(next, this.#generatorNow)
      generator = Object.keys(this.#generatorNow).join('|')
    } else if (this.#ofGenerator !== undefined) {
      Object.assign(next, this.#ofGenerator.parameters)
      generator = Object.keys(this.#ofGenerator.parameters).join('|')
      // They begin again with the next pages.
      for (const name of this.#props) unfinished.add(name)
    }
    const finished = this.#names.filter((name) => !unfinished.has(name))
    const hasMore = Object.keys(next).length > 0
    return {
      ...(isBatchComplete && { batchcomplete: true }),
      ...(hasMore && { continue: { ...next, continue: `${generator}||${finished.join('|')}` } }),
    }
  }
}

const prefixed = (prefix: string, more: More): Parameters =>
  Object.fromEntries(Object.entries(more).map(([name, value]) => [prefix + name, value]))
