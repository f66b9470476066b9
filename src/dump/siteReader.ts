import type { Namespace, TitleCase } from '../domain/site.js'
import type { ElementReader, Treatment } from './elements.js'
import { parseNamespaceId } from './fields.js'
import type { DumpSite } from './types.js'
import type { Attributes } from './xmlScanner.js'

/** What the root element says of the dump. */
export type RootFacts = Pick<DumpSite, 'schema' | 'language'>

/** Reads `<siteinfo>`. */
export class SiteReader implements ElementReader {
  readonly #root: RootFacts
  readonly #takeSite: (site: DumpSite) => void
  readonly #values = new Map<string, string>()
  readonly #namespaces: { id: number; name: string; case: string | undefined }[] = []

  constructor(root: RootFacts, takeSite: (site: DumpSite) => void) {
    this.#root = root
    this.#takeSite = takeSite
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
        return new NamespacesReader((id, name, namespaceCase) =>
          this.#namespaces.push({ id, name, case: namespaceCase }),
        )
      default:
        return 'skip'
    }
  }

  field(name: string, value: string): void {
    this.#values.set(name, value)
  }

  close(): void {
    const siteCase = titleCase(this.#values.get('case'), 'first-letter')
    this.#takeSite({
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

class NamespacesReader implements ElementReader {
  readonly #takeNamespace: (id: number, name: string, namespaceCase: string | undefined) => void
  #attributes: Attributes = {}

  constructor(takeNamespace: (id: number, name: string, namespaceCase: string | undefined) => void) {
    this.#takeNamespace = takeNamespace
  }

  open(name: string, attributes: Attributes): Treatment {
    if (name !== 'namespace') return 'skip'
    this.#attributes = attributes
    return 'field'
  }

  field(_name: string, value: string): void {
    const { key = '', case: namespaceCase } = this.#attributes
    this.#takeNamespace(parseNamespaceId(key, "a namespace's key"), value, namespaceCase)
  }
}

/** Schemas before 0.4 state the case of the site only. */
function titleCase(stated: string | undefined, inherited: TitleCase): TitleCase {
  return stated === 'first-letter' || stated === 'case-sensitive' ? stated : inherited
}
