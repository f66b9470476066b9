/** `action=query`: properties of pages, lists and facts of the wiki, together in one request. */
import { type ActionCall, defineAction } from '../frame/call.js'
import { choices, flag, integers, text, texts, type Values } from '../frame/declaration.js'
import { ActionError, shown } from '../frame/problems.js'
import { fieldNames, readParameters } from '../frame/reading.js'
import type { Fields } from '../frame/values.js'
import { convertedTitles, NamedPages } from '../pageSet/namedPages.js'
import { type PageEntry, PageSet } from '../pageSet/pageSet.js'
import { Continuation } from './continuation.js'
import {
  type Listing,
  type ListModule,
  type MetaModule,
  type More,
  type PropModule,
  type QueryCall,
  type QueryModule,
  Room,
} from './module.js'
import { ELSEWHERE, LISTS, METAS, PROPS } from './modules.js'

/** Bytes of contents in one answer. MediaWiki's `$wgAPIMaxResultSize` is 8 MiB. */
const MAX_RESULT_BYTES = 8 * 2 ** 20

const words = (modules: readonly QueryModule[], elsewhere: readonly string[]): string[] => [
  ...modules.map(({ name }) => name),
  ...elsewhere,
]

export const QUERY_PARAMETERS = {
  titles: texts('titles of pages'),
  pageids: integers('ids of pages'),
  revids: integers('ids of revisions'),
  prop: choices(words(PROPS, ELSEWHERE.prop), 'properties of the pages'),
  list: choices(words(LISTS, ELSEWHERE.list), 'lists'),
  meta: choices(words(METAS, ELSEWHERE.meta), 'facts of the wiki and the user'),
  generator: text('a list or property whose pages take the place of `titles`'),
  redirects: flag('follow redirects'),
  converttitles: flag('find titles under the letters of other variants of the language'),
  indexpageids: flag('also list the ids of the pages'),
  iwurl: flag('URLs of titles of other wikis'),
  continue: text('from an earlier answer'),
  rawcontinue: flag('the old form of continuation'),
}
type QueryValues = Values<typeof QUERY_PARAMETERS>

export const query = defineAction({
  name: 'query',
  summary: 'Read pages, lists, and facts of the wiki',
  parameters: QUERY_PARAMETERS,
  run: async (call, values) => new QueryRun(call, values).answer(),
})

class QueryRun {
  readonly #call: ActionCall
  readonly #values: QueryValues
  readonly #continuation: Continuation
  readonly #room = new Room(MAX_RESULT_BYTES)

  constructor(call: ActionCall, values: QueryValues) {
    this.#call = call
    this.#values = values
    this.#continuation = new Continuation(values.continue, values.rawcontinue)
  }

  async answer(): Promise<Fields> {
    const props = this.#chosen('prop', PROPS)
    const lists = this.#chosen('list', LISTS)
    const metas = this.#chosen('meta', METAS)
    const modules = [...props, ...lists, ...metas]
    this.#continuation.begin(modules.map(({ name }) => name))
    for (const { prefix, parameters } of modules) this.#call.input.use(fieldNames(parameters, prefix))
    const result: Record<string, unknown> = {}
    const pages = this.#continuation.arePagesDone ? undefined : await this.#pages()
    if (pages !== undefined) await this.#addPages(pages, props, result)
    for (const module of metas) {
      if (this.#continuation.isFinished(module.name)) continue
      Object.assign(result, await this.#runMeta(module))
    }
    for (const module of lists) {
      if (this.#continuation.isFinished(module.name)) continue
      const { items, more, beside } = await this.#runList(module, emptyPages(), false)
      Object.assign(result, beside, { [module.name]: items.map(({ fields }) => fields) })
      if (more !== undefined) this.#continuation.addList(module, more)
    }
    return {
      ...this.#continuation.fields(),
      ...(Object.keys(result).length > 0 && { query: result }),
    }
  }

  /** Throws a badvalue for modules that MediaWiki has and this server lacks: clients would take the wiki for empty. */
  #chosen<Module extends QueryModule>(kind: 'prop' | 'list' | 'meta', modules: readonly Module[]): Module[] {
    const names = this.#values[kind] ?? []
    const missing = names.find((name) => !modules.some((module) => module.name === name))
    if (missing !== undefined)
      throw new ActionError('badvalue', `Unrecognized value for parameter "${kind}": ${shown(missing)}.`)
    return names.flatMap((name) => modules.find((module) => module.name === name) ?? [])
  }

  /** Undefined without any names. */
  async #pages(): Promise<PageSet | undefined> {
    const named = await this.#namedPages()
    const { generator, revids, redirects } = this.#values
    if (generator === undefined) {
      const isAsked = this.#addNamed(named)
      if (revids !== undefined && redirects) this.#warnOfRedirects()
      return isAsked ? named.finish(true) : undefined
    }
    const module = generatorOf(generator)
    const source = module.kind === 'listedProp' ? await this.#sourceOfGenerator() : emptyPages()
    const { items, more } = await this.#runList(module, source, true)
    if (more !== undefined) this.#continuation.addGenerator(module, more)
    this.#continuation.keepGenerator(this.#call.input, module)
    named.addGenerated(items)
    const isAsked = items.length > 0
    return isAsked ? named.finish(true) : undefined
  }

  async #namedPages(): Promise<NamedPages> {
    const { redirects, revids, iwurl, generator, titles, converttitles } = this.#values
    const followsRedirects = redirects && (revids === undefined || generator !== undefined)
    const converted = converttitles && titles !== undefined && (await convertedTitles(titles, this.#call))
    return new NamedPages(this.#call, { followsRedirects, iwurl, ...(converted && { converted }) })
  }

  async #sourceOfGenerator(): Promise<PageSet> {
    const named = await this.#namedPages()
    const isAsked = this.#addNamed(named)
    return named.finish(isAsked)
  }

  /** Whether there are names. Throws a multisource. */
  #addNamed(named: NamedPages): boolean {
    const { titles, pageids, revids } = this.#values
    const sources = Object.entries({ titles, pageids, revids }).filter(([, value]) => value !== undefined)
    const [first, second] = sources.map(([name]) => name)
    if (second !== undefined)
      throw new ActionError('multisource', `The "${second}" parameter cannot be used with "${first}".`)
    named.addTitles(titles ?? [])
    named.addPageIds(pageids ?? [])
    named.addRevisionIds(revids ?? [])
    return (titles ?? pageids ?? revids ?? []).length > 0
  }

  #warnOfRedirects(): void {
    const text =
      'Redirect resolution cannot be used together with the "revids" parameter. Any redirects the "revids" point to have not been resolved.'
    this.#call.warnings.add('query', 'redirects-revids', text)
  }

  async #addPages(
    pages: PageSet,
    props: readonly PropModule[],
    result: Record<string, unknown>,
  ): Promise<void> {
    const facts = new Map<PageEntry, Fields>()
    for (const module of props) {
      if (this.#continuation.isFinished(module.name)) continue
      const more =
        module.kind === 'facts'
          ? await this.#runFacts(module, pages, facts)
          : await this.#runListedProp(module, pages, facts)
      if (more !== undefined) this.#continuation.addProp(module, more)
    }
    this.#continuation.endProps(props.map(({ name }) => name))
    Object.assign(result, pages.fields)
    if (pages.entries.length === 0) return
    if (this.#values.indexpageids) result['pageids'] = pages.entries.map(({ number }) => String(number))
    result['pages'] = pages.shown(facts)
  }

  async #runFacts(
    module: PropModule & { kind: 'facts' },
    pages: PageSet,
    facts: Map<PageEntry, Fields>,
  ): Promise<More | undefined> {
    const found = await this.#run(module, pages, false, (call, values) => module.run(call, values))
    for (const [entry, fields] of found.facts) {
      const known = facts.get(entry)
      facts.set(entry, known === undefined ? fields : { ...known, ...fields })
    }
    return found.more
  }

  async #runListedProp(
    module: PropModule & { kind: 'listedProp' },
    pages: PageSet,
    facts: Map<PageEntry, Fields>,
  ): Promise<More | undefined> {
    const { items, more } = await this.#runList(module, pages, false)
    const lists = new Map<PageEntry, unknown[]>()
    for (const { entry, fields } of items) {
      if (entry === undefined) continue
      const list = lists.get(entry)
      if (list === undefined) lists.set(entry, [fields])
      else list.push(fields)
    }
    for (const [entry, list] of lists) facts.set(entry, { ...facts.get(entry), [module.name]: list })
    return more
  }

  #runMeta(module: MetaModule): Promise<Fields> {
    return this.#run(module, emptyPages(), false, (call, values) => module.run(call, values))
  }

  #runList(
    module: ListModule | (PropModule & { kind: 'listedProp' }),
    pages: PageSet,
    isGenerator: boolean,
  ): Promise<Listing> {
    return this.#run(module, pages, isGenerator, (call, values) => module.run(call, values))
  }

  async #run<Module extends QueryModule, Result>(
    module: Module,
    pages: PageSet,
    isGenerator: boolean,
    run: (call: QueryCall, values: never) => Result | Promise<Result>,
  ): Promise<Result> {
    const prefix = (isGenerator ? 'g' : '') + module.prefix
    const reader = { name: module.name, path: `query+${module.name}`, prefix }
    const values = readParameters(module.parameters, reader, this.#call)
    const call: QueryCall = { ...this.#call, pages, isGenerator, room: this.#room, module: reader }
    try {
      const result = run(call, values as never)
      return result instanceof Promise ? await result : result
    } catch (error) {
      if (error instanceof ActionError) error.module ??= reader.path
      throw error
    }
  }
}

const emptyPages = (): PageSet => new PageSet({ entries: [], isAsked: false })

function generatorOf(name: string): ListModule | (PropModule & { kind: 'listedProp' }) {
  const module = [...LISTS, ...PROPS].find((candidate) => candidate.name === name)
  if (module === undefined) throw new ActionError('badgenerator', `Unknown "generator=${shown(name)}".`)
  if (module.kind === 'facts' || !module.isGenerator)
    throw new ActionError('badgenerator', `Module "${name}" cannot be used as a generator.`)
  return module
}
