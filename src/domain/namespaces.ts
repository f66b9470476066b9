/** The namespaces of one wiki, looked up by number and by name. */
import { FILE, FILE_TALK, MAIN, MODULE, MODULE_TALK } from './namespaceIds.js'
import { DEFAULT_SITE, type Namespace, type Site, type TitleCase } from './site.js'

/** Canonical English names, understood on every wiki beside its own names; the first of an id is the canonical one. */
const CANONICAL_NAMES: readonly (readonly [id: number, name: string])[] = [
  ...DEFAULT_SITE.namespaces.filter(({ id }) => id !== MAIN).map(({ id, name }) => [id, name] as const),
  [FILE, 'Image'],
  [FILE_TALK, 'Image talk'],
  [MODULE, 'Module'],
  [MODULE_TALK, 'Module talk'],
]

/** Highest number of a namespace: keys have 16 bits, and the search index takes one of them. */
export const MAX_NAMESPACE = 0x7fff

const SPACES = /[ _]+/g
const OUTER_SPACES = /^ | $/g

/** Lookup tables built once from a site's namespaces; immutable. */
export class Namespaces {
  /** First-letter rule of namespaces that the site does not declare. */
  readonly defaultCase: TitleCase
  readonly #byId = new Map<number, Namespace>()
  readonly #idByFoldedName = new Map<string, number>()
  readonly #keyPrefixes = new Map<number, string>()

  constructor(site: Pick<Site, 'namespaces' | 'case'>) {
    this.defaultCase = site.case
    for (const namespace of site.namespaces) this.#declare(namespace)
    for (const [id, name] of CANONICAL_NAMES) this.#name(id, name)
  }

  byId(id: number): Namespace | undefined {
    return this.#byId.get(id)
  }

  /**
   * Number of the namespace that a prefix names, in any case, with blanks or underscores: local names come before
   * the English canonical names and their aliases. An empty name is no prefix: undefined.
   */
  idByName(name: string): number | undefined {
    return this.#idByFoldedName.get(fold(name))
  }

  /** English name of a declared namespace that has one. */
  canonicalName(id: number): string | undefined {
    return CANONICAL_NAMES.find(([canonicalId]) => canonicalId === id)?.[1]
  }

  /** Numbers of the declared namespaces, rising. */
  ids(): number[] {
    return [...this.#byId.keys()].sort((one, other) => one - other)
  }

  /** Further names of declared namespaces: English ones that are not the local or the canonical name. */
  aliases(): (readonly [id: number, name: string])[] {
    return CANONICAL_NAMES.filter(
      ([id, name]) =>
        this.#byId.has(id) &&
        name !== this.canonicalName(id) &&
        name !== this.nameOf(id) &&
        this.idByName(name) === id,
    )
  }

  /** Local name with spaces, empty for the main namespace; undefined for an id that the site does not declare. */
  nameOf(id: number): string | undefined {
    return this.#byId.get(id)?.name
  }

  /** `Talk:` in URL form, empty for the main namespace; an undeclared namespace has its number for a name. */
  keyPrefix(id: number): string {
    return this.#keyPrefixes.get(id) ?? (id === MAIN ? '' : `${id}:`)
  }

  /** Whether titles of the namespace begin with a raised letter. */
  raisesFirstLetter(id: number): boolean {
    return (this.#byId.get(id)?.case ?? this.defaultCase) === 'first-letter'
  }

  #declare(namespace: Namespace): void {
    this.#byId.set(namespace.id, namespace)
    this.#keyPrefixes.set(namespace.id, namespace.name && `${namespace.name.replace(SPACES, '_')}:`)
    this.#name(namespace.id, namespace.name)
  }

  /** Names a declared namespace, unless the name is empty or another namespace has it already. */
  #name(id: number, name: string): void {
    const folded = fold(name)
    if (folded === '' || !this.#byId.has(id) || this.#idByFoldedName.has(folded)) return
    this.#idByFoldedName.set(folded, id)
  }
}

/** One spelling for all cases of a name: raising first joins letters such as the two small sigmas and dotless i. */
function fold(name: string): string {
  return name.normalize('NFC').replace(SPACES, ' ').replace(OUTER_SPACES, '').toUpperCase().toLowerCase()
}
