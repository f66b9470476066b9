/** The namespaces of one wiki, looked up by number and by name. */
import { FILE, FILE_TALK, MAIN, MODULE, MODULE_TALK, PROJECT } from './namespaceIds.js'
import { languageOf, type Language } from '../language/language.js'
import {
  DEFAULT_SITE,
  hasUsualSubpages,
  type Namespace,
  type NamespaceAlias,
  type Site,
  type TitleCase,
} from './site.js'

/**
 * Canonical English names, which every wiki understands beside its own. The first name of an id is the canonical one.
 */
const CANONICAL_NAMES: readonly (readonly [id: number, name: string])[] = [
  ...DEFAULT_SITE.namespaces.filter(({ id }) => id !== MAIN).map(({ id, name }) => [id, name] as const),
  [FILE, 'Image'],
  [FILE_TALK, 'Image talk'],
  [MODULE, 'Module'],
  [MODULE_TALK, 'Module talk'],
]

/** Highest number of a namespace. Keys have 16 bits, and the search index takes one of them. */
export const MAX_NAMESPACE = 0x7fff

/** Answers that `idByName` remembers, and the longest name of one. Clients may ask for any names. */
const MAX_ANSWERS = 1000
const MAX_ANSWER_LENGTH = 50

const SPACES = /[ _]+/g
const OUTER_SPACES = /^ | $/g

type SiteOfNamespaces = Pick<Site, 'namespaces' | 'case' | 'aliases' | 'subpages'> & {
  readonly language?: string | undefined
}

/** Lookup tables built once from a site's namespaces. */
export class Namespaces {
  /** First-letter rule of namespaces that the site does not declare. */
  readonly defaultCase: TitleCase
  /** The wiki's language, which raises first letters and has further names of namespaces. */
  readonly language: Language
  readonly #byId = new Map<number, Namespace>()
  readonly #idByFoldedName = new Map<string, number>()
  /** Answers of `idByName`, null for none: links have few different prefixes, and folding one takes a microsecond. */
  readonly #answers = new Map<string, number | null>()
  readonly #keyPrefixes = new Map<number, string>()
  readonly #aliases: readonly NamespaceAlias[]
  readonly #subpages: NonNullable<Site['subpages']>

  /** Without a language, the names are those of an English wiki. */
  constructor(site: SiteOfNamespaces) {
    this.defaultCase = site.case
    this.language = languageOf(site.language ?? DEFAULT_SITE.language)
    this.#aliases = site.aliases ?? []
    this.#subpages = site.subpages ?? {}
    for (const namespace of site.namespaces) this.#declare(namespace)
    for (const [id, name] of CANONICAL_NAMES) this.#name(id, name)
    for (const [name, id] of this.#aliases) this.#name(id, name)
    for (const [id, name] of this.#languageNames()) this.#name(id, name)
  }

  byId(id: number): Namespace | undefined {
    return this.#byId.get(id)
  }

  /**
   * Number of the namespace that a prefix names, in any case, with blanks or underscores. Names of the wiki win over
   * the English canonical names, these over the wiki's further names, and these over the language's own names.
   * Undefined for an empty name.
   */
  idByName(name: string): number | undefined {
    const known = this.#answers.get(name)
    if (known !== undefined) return known ?? undefined
    const id = this.#idByFoldedName.get(fold(name))
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear()
    if (name.length <= MAX_ANSWER_LENGTH) this.#answers.set(name, id ?? null)
    return id
  }

  /** English name of a declared namespace that has one. */
  canonicalName(id: number): string | undefined {
    return CANONICAL_NAMES.find(([canonicalId]) => canonicalId === id)?.[1]
  }

  /** Numbers of the declared namespaces, rising. */
  ids(): number[] {
    return [...this.#byId.keys()].sort((one, other) => one - other)
  }

  /** Further names of declared namespaces: neither the local nor the canonical name. */
  aliases(): (readonly [id: number, name: string])[] {
    const further = this.#aliases.map(([name, id]) => [id, name] as const)
    const seen = new Set<string>()
    return [...CANONICAL_NAMES, ...further, ...this.#languageNames()].filter(
      ([id, name]) =>
        this.#byId.has(id) &&
        name !== this.canonicalName(id) &&
        name !== this.nameOf(id) &&
        this.idByName(name) === id &&
        // Languages repeat names that all wikis know.
        seen.size < seen.add(fold(name)).size,
    )
  }

  /** All names that `idByName` knows a namespace by, in lower case and with spaces. */
  foldedNames(id: number): string[] {
    return [...this.#idByFoldedName].filter(([, ownId]) => ownId === id).map(([name]) => name)
  }

  /** Local name with spaces, empty for the main namespace. Undefined for an id that the site does not declare. */
  nameOf(id: number): string | undefined {
    return this.#byId.get(id)?.name
  }

  /** Prefix in URL form such as `Talk:`, empty for the main namespace. An undeclared namespace uses its number. */
  keyPrefix(id: number): string {
    return this.#keyPrefixes.get(id) ?? (id === MAIN ? '' : `${id}:`)
  }

  /** True if titles of the namespace begin with a capital letter. */
  raisesFirstLetter(id: number): boolean {
    return (this.#byId.get(id)?.case ?? this.defaultCase) === 'first-letter'
  }

  /** Whether titles of the namespace have subpages: as the wiki says, or as on a new MediaWiki. */
  hasSubpages(id: number): boolean {
    return this.statedSubpages(id) ?? hasUsualSubpages(id)
  }

  /** True if the wiki says that titles of the namespace have subpages. Undefined if it says nothing. */
  statedSubpages(id: number): boolean | undefined {
    return this.#subpages[id]
  }

  /** Names that the language knows namespaces by, whether the wiki declares them or not. */
  *#languageNames(): Iterable<readonly [id: number, name: string]> {
    const project = this.nameOf(PROJECT) ?? ''
    for (const [id, name] of this.language.namespaceNames) yield [id, name.replace('$1', () => project)]
    for (const [name, id] of this.language.namespaceAliases) yield [id, name.replace('$1', () => project)]
  }

  #declare(namespace: Namespace): void {
    this.#byId.set(namespace.id, namespace)
    this.#keyPrefixes.set(namespace.id, namespace.name && `${namespace.name.replace(SPACES, '_')}:`)
    this.#name(namespace.id, namespace.name)
  }

  /** Registers a name of a declared namespace. Ignores an empty name and one that is already taken. */
  #name(id: number, name: string): void {
    const folded = fold(name)
    if (folded === '' || !this.#byId.has(id) || this.#idByFoldedName.has(folded)) return
    this.#idByFoldedName.set(folded, id)
  }
}

/** Folds case. Upper case comes first, since it joins letters such as the two small sigmas and the dotless i. */
function fold(name: string): string {
  return name.normalize('NFC').replace(SPACES, ' ').replace(OUTER_SPACES, '').toUpperCase().toLowerCase()
}
