/** Titles in template code, and the parts of titles. */
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import type { Budget } from './limits.js'
import type { WikiSource } from './source.js'

export const NAMESPACE = { media: -2, special: -1, main: 0, file: 6, template: 10, category: 14 } as const

export interface LocatedTitle {
  readonly title: Title
  readonly fragment: string
}

export interface ForeignKey {
  readonly prefix: string
  readonly key: string
}

/** Longer texts are not parsed, since time grows with length. */
const MAX_TITLE_LENGTH = 2048
/** Combining marks take quadratic time. */
const SQUARES_PER_STEP = 800

export class Titles {
  readonly #source: WikiSource
  readonly #budget: Budget

  constructor(source: WikiSource, budget: Budget) {
    this.#source = source
    this.#budget = budget
  }

  parse(text: string): Title | undefined {
    return this.locate(text)?.title
  }

  /** Parses a title with the fragment after `#`. */
  locate(text: string): LocatedTitle | undefined {
    if (text.length > MAX_TITLE_LENGTH) return undefined
    this.#budget.countSteps(1 + Math.floor(text.length ** 2 / SQUARES_PER_STEP))
    const parsed = parseTitle(text, this.#source.site.namespaces, (prefix) => this.#isForeign(prefix))
    return parsed.ok ? { title: parsed.title, fragment: parsed.fragment } : undefined
  }

  /** A title without a prefix belongs to the given namespace; a leading colon means the main namespace. */
  parseIn(namespace: number, text: string): Title | undefined {
    const title = this.parse(text)
    if (text.startsWith(':') || (title !== undefined && title.namespace !== NAMESPACE.main)) return title
    if (title === undefined && this.foreign(text) !== undefined) return undefined
    return this.parse(this.#source.site.namespaces.keyPrefix(namespace) + text)
  }

  /** A title on another wiki, by an interwiki prefix. */
  foreign(text: string): ForeignKey | undefined {
    const colon = text.indexOf(':', 1)
    if (colon < 0 || text.length > MAX_TITLE_LENGTH) return undefined
    const prefix = text
      .slice(text.startsWith(':') ? 1 : 0, colon)
      .trim()
      .toLowerCase()
    if (this.#source.site.namespaces.idByName(prefix) !== undefined || !this.#isForeign(prefix))
      return undefined
    return {
      prefix,
      key: text
        .slice(colon + 1)
        .trim()
        .replaceAll(' ', '_'),
    }
  }

  /** Reading form such as `Talk:Foo bar`. */
  fullText(title: Title): string {
    return prefixedText(title, this.#source.site.namespaces)
  }

  /** URL form such as `Talk:Foo_bar`. */
  fullKey(title: Title): string {
    return prefixedKey(title, this.#source.site.namespaces)
  }

  #isForeign(prefix: string): boolean {
    return this.#source.interwikiUrl(prefix) !== undefined
  }
}

/** True if a slash in a title of this namespace makes a sub page: as the wiki says, or as on most wikis. */
export function hasSubpages(namespace: number, namespaces: Namespaces): boolean {
  const isUsual =
    namespace > NAMESPACE.main && namespace !== NAMESPACE.file && namespace !== NAMESPACE.category
  return namespaces.statedSubpages(namespace) ?? isUsual
}

/** The subject namespace of a talk namespace; other namespaces stay. */
export function subjectNamespace(namespace: number): number {
  return namespace > 0 && namespace % 2 === 1 ? namespace - 1 : namespace
}

/** The talk namespace; undefined where there is no talk. */
export function talkNamespace(namespace: number): number | undefined {
  if (namespace < 0) return undefined
  return namespace % 2 === 1 ? namespace : namespace + 1
}

/** The title without its last part. */
export function baseKey({ namespace, dbkey }: Title, namespaces: Namespaces): string {
  const slash = hasSubpages(namespace, namespaces) ? dbkey.lastIndexOf('/') : -1
  return slash < 0 ? dbkey : dbkey.slice(0, slash)
}

/** The first part of a title. */
export function rootKey({ namespace, dbkey }: Title, namespaces: Namespaces): string {
  const slash = hasSubpages(namespace, namespaces) ? dbkey.indexOf('/') : -1
  return slash < 0 ? dbkey : dbkey.slice(0, slash)
}

/** The last part of a title. */
export function subpageKey({ namespace, dbkey }: Title, namespaces: Namespaces): string {
  return hasSubpages(namespace, namespaces) ? dbkey.slice(dbkey.lastIndexOf('/') + 1) : dbkey
}

/** The name of a special page, without what follows a slash, as `SiteFacts` lists it. */
export function specialName(dbkey: string): string {
  return dbkey.replace(/\/.*$/s, '').toLowerCase()
}
