import type { Namespace, TitleCase } from '../domain/site.js'
import type { ElementReader, Treatment } from './elements.js'
import { BadValue, parseNamespaceId } from './fields.js'
import type { DumpSite } from './types.js'
import type { Attributes } from './xmlScanner.js'

/** Facts about the dump from the root element. */
export type RootFacts = Pick<DumpSite, 'schema' | 'language'>

/** Receives the results of reading a site. */
export interface SiteSink {
  takeSite(site: DumpSite): void
  /** Called when a part of the site is left out. */
  warn(reason: string): void
}

/** Reads `<siteinfo>`. */
export class SiteReader implements ElementReader {
  readonly endedBy = 'page'
  readonly #root: RootFacts
  readonly #sink: SiteSink
  readonly #values = new Map<string, string>()
  readonly #namespaces: { id: number; name: string; case: string | undefined }[] = []

  constructor(root: RootFacts, sink: SiteSink) {
    this.#root = root
    this.#sink = sink
  }

  open(name: string): Treatment {
    switch (name) {
      case 'sitename':
      case 'dbname':
      case 'base':
      case 'generator':
      case 'case':
        return 'field'
      case 'namespaces':
        return new NamespacesReader({
          takeNamespace: (key, name, namespaceCase) => this.#declare(key, name, namespaceCase),
          refuse: (reason) => this.#sink.warn(`a namespace is left out: ${reason}`),
        })
      default:
        return 'skip'
    }
  }

  field(name: string, value: string): void {
    this.#values.set(name, value)
  }

  spoil(name: string, reason: string): void {
    this.#sink.warn(`the <${name}> of the site is left out: ${reason}`)
  }

  breakOff(reason: string): void {
    this.#sink.warn(`a part of the site may be missing: ${reason}`)
  }

  close(): void {
    const siteCase = titleCase(this.#values.get('case'), 'first-letter')
    this.#sink.takeSite({
      ...this.#root,
      name: this.#values.get('sitename'),
      wikiId: this.#values.get('dbname'),
      base: this.#values.get('base'),
      generator: this.#values.get('generator'),
      case: siteCase,
      namespaces: this.#namespaces.map((namespace): Namespace => {
        return { ...namespace, case: titleCase(namespace.case, siteCase) }
      }),
    })
  }

  #declare(key: string, name: string, namespaceCase: string | undefined): void {
    try {
      this.#namespaces.push({ id: parseNamespaceId(key, 'its key'), name, case: namespaceCase })
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      this.#sink.warn(`the namespace "${name}" is left out: ${error.message}`)
    }
  }
}

/** The site of a dump without `<siteinfo>`. */
export function unknownSite(root: RootFacts): DumpSite {
  return {
    ...root,
    name: undefined,
    wikiId: undefined,
    base: undefined,
    generator: undefined,
    case: 'first-letter',
    namespaces: [],
  }
}

interface NamespaceSink {
  takeNamespace(key: string, name: string, namespaceCase: string | undefined): void
  refuse(reason: string): void
}

class NamespacesReader implements ElementReader {
  readonly #sink: NamespaceSink
  #attributes: Attributes = {}

  constructor(sink: NamespaceSink) {
    this.#sink = sink
  }

  open(name: string, attributes: Attributes): Treatment {
    if (name !== 'namespace') return 'skip'
    this.#attributes = attributes
    return 'field'
  }

  field(_name: string, value: string): void {
    const { key = '', case: namespaceCase } = this.#attributes
    this.#sink.takeNamespace(key, value, namespaceCase)
  }

  spoil(_name: string, reason: string): void {
    this.#sink.refuse(reason)
  }
}

/** Schemas before 0.4 state the case of the whole site only. */
function titleCase(stated: string | undefined, inherited: TitleCase): TitleCase {
  return stated === 'first-letter' || stated === 'case-sensitive' ? stated : inherited
}
