/** Values that the HTTP layer derives from the site settings, once per change of these. */
import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.js'
import type { AppContext } from '../../context.js'
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { acceptedVariant, variantsOf } from '../../domain/variants.js'
import type { Store } from '../../storage/store.js'
import { encodePercent } from '../../domain/percent.js'

const TAG_PREFIX_DIGITS = 24
/** Bits of the flags in a revision's tag. */
const TEXT_HIDDEN = 1
const USER_HIDDEN = 2
const COMMENT_HIDDEN = 4
const DELTA_MISSING = 8

/** Variants of an HTML request: to view or to edit, alone or in JSON. */
export type HtmlFlavour = `${'view' | 'stash'}/${'html' | 'with_html'}`

/** The parts of a revision's answer that may change while the revision stays the same. */
export interface RevisionLook {
  readonly textHidden: boolean
  readonly userHidden: boolean
  readonly commentHidden: boolean
  /** The change in bytes is unknown although the revision has a parent. An import may still supply it. */
  readonly deltaMissing: boolean
}

export class Wiki {
  /** Path before everything of the wiki: see AppContext. */
  readonly root: string
  readonly site: Site
  readonly namespaces: Namespaces
  /** `,"license":{"url":…,"title":…}`, which continues an open JSON object. */
  readonly licenseField: string
  /** The license field and the closing brace, as UTF-8. */
  readonly licenseTail: Buffer
  /** Prefix of the paths of the old conversion routes, with the wiki's id; undefined when the wiki has no id. */
  readonly pathPrefix: string | undefined
  /** Undefined where the language has no variants. */
  readonly variants: WikiVariants | undefined
  readonly #tagPrefix: string

  constructor(site: Site, storeId: string, config: Config, root = '') {
    this.root = root
    this.site = site
    this.namespaces = new Namespaces(site)
    this.variants = WikiVariants.of(site.language, `${config.basePath}/v1/`)
    const { wikiId } = site
    this.pathPrefix = wikiId === '' ? undefined : `${config.basePath}/${encodePercent(wikiId)}`
    const { url, title } = site.license
    this.licenseField = `,"license":${JSON.stringify({ url, title })}`
    this.licenseTail = Buffer.from(`${this.licenseField}}`)
    const inputs = JSON.stringify([
      storeId,
      url,
      title,
      config.publicUrl,
      config.basePath,
      config.html !== 'none',
    ])
    this.#tagPrefix = digestOf(inputs, TAG_PREFIX_DIGITS)
  }

  /**
   * Entity tag of a revision's HTML, in MediaWiki's form, since clients parse it. `tag` is the tag of the stored HTML:
   * 32 hex digits. In JSON, the tag also depends on the site settings and on `look`, the changeable parts of the
   * revision. A page's JSON shows none of these parts.
   */
  htmlTag(
    revisionId: number,
    tag: string,
    { flavour, look = {} }: { readonly flavour: HtmlFlavour; readonly look?: Partial<RevisionLook> },
  ): string {
    const fields = parseInt(this.#tagPrefix.slice(0, 8), 16) ^ flagsOf(look)
    const digits = flavour.endsWith('with_html') ? tag.slice(0, 24) + hex8(fields >>> 0) : tag
    return `"${revisionId}/${uuidOf(digits)}/${flavour}"`
  }

  /** Entity tag of the comparison of two revisions. */
  comparisonTag(fromId: number, toId: number): string {
    return `"${this.#tagPrefix}${hex8(fromId)}${hex8(toId)}"`
  }

  /**
   * Entity tag of a revision's answers. It is equal on every server of this store, and on routes that show the same
   * parts. 24 digits stand for the settings that all answers depend on, 8 for the revision, 8 for flags (mostly 0).
   *
   *     "dbd0c2a1…9f3e" "0000002a" "00000000"   without the inner quotes
   */
  revisionTag(revisionId: number, look: Partial<RevisionLook>): string {
    return `"${this.#tagPrefix}${hex8(revisionId)}${hex8(flagsOf(look))}"`
  }
}

/** Values of `Accept-Language` that a wiki remembers. Clients send few different ones. */
const MAX_KNOWN = 200

/** The variants of a wiki's language, and which one a reader gets. */
export class WikiVariants {
  /** The language itself: texts as they are written. */
  readonly main: string
  /** `main` comes first. */
  readonly codes: readonly string[]
  readonly #apiPath: string
  readonly #accepted = new Map<string, string>()

  private constructor(codes: readonly string[], apiPath: string) {
    this.main = codes[0]!
    this.codes = codes
    this.#apiPath = apiPath
  }

  /** `apiPath` is that before the routes of the API, which know no variants. */
  static of(language: string, apiPath: string): WikiVariants | undefined {
    const codes = variantsOf(language)
    return codes.length === 0 ? undefined : new WikiVariants(codes, apiPath)
  }

  has(code: string): boolean {
    return this.codes.includes(code)
  }

  /** The variant for a value of `Accept-Language`. */
  accepted(header: string): string {
    if (header === '') return this.main
    const known = this.#accepted.get(header)
    if (known !== undefined) return known
    const variant = acceptedVariant(header, this.main)
    if (this.#accepted.size < MAX_KNOWN) this.#accepted.set(header, variant)
    return variant
  }

  /** Ends the key of ready answers. It begins with a space, unlike any URL. */
  keyOf(path: string, header: string): string {
    if (header === '' || path.startsWith(this.#apiPath)) return ''
    const variant = this.accepted(header)
    return variant === this.main ? '' : ` ${variant}`
  }
}

/** The Wiki for the store's site settings. Replaced only after the store has read new settings. */
export class CurrentWiki {
  readonly #store: Store
  readonly #config: Config
  readonly #root: string
  #wiki: Wiki

  constructor({ store, config, root }: Pick<AppContext, 'store' | 'config' | 'root'>) {
    this.#store = store
    this.#config = config
    this.#root = root
    this.#wiki = new Wiki(store.site(), store.storeId, config, root)
  }

  current(): Wiki {
    const site = this.#store.site()
    if (site !== this.#wiki.site) this.#wiki = new Wiki(site, this.#store.storeId, this.#config, this.#root)
    return this.#wiki
  }
}

function digestOf(inputs: string, digits: number): string {
  return createHash('sha256').update(inputs).digest('hex').slice(0, digits)
}

/** 32 hex digits in the form of a UUID. */
const uuidOf = (digits: string): string =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-')

function flagsOf({ textHidden, userHidden, commentHidden, deltaMissing }: Partial<RevisionLook>): number {
  return (
    (textHidden === true ? TEXT_HIDDEN : 0) |
    (userHidden === true ? USER_HIDDEN : 0) |
    (commentHidden === true ? COMMENT_HIDDEN : 0) |
    (deltaMissing === true ? DELTA_MISSING : 0)
  )
}

function hex8(value: number): string {
  return value.toString(16).padStart(8, '0')
}
