/** The pages that a query is about, and how the names of the request led to them. */
import type { Title } from '../../../domain/title.js'
import type { PageSummary } from '../../../storage/store.js'
import { prefixedText } from '../../../domain/title.js'
import type { Namespaces } from '../../../domain/namespaces.js'
import { type Fields, Keyed } from '../frame/values.js'

/** A page, or what stands for a name that leads to none. */
export interface PageEntry {
  /** The page's id, or a negative number in the order of the request. */
  readonly number: number
  /** Absent for names that are no titles, and for unknown ids. */
  readonly title: Title | undefined
  /** Absent unless the page exists. */
  readonly page: PageSummary | undefined
  /** What the answer says of it, whatever properties are wanted. */
  readonly fields: Fields
  /** Place in the results of the generator. */
  index?: number
}

export class PageSet {
  readonly entries: readonly PageEntry[]
  /** Revisions of `revids`, in their order. */
  readonly revisions: readonly { readonly id: number; readonly entry: PageEntry }[]
  /** Fields of `query`, such as `normalized`. */
  readonly fields: Fields
  /** Whether the request named pages at all. */
  readonly isAsked: boolean
  /** The pages of a generator in its order, which version 1 of the format keeps. */
  readonly #generated: readonly PageEntry[] | undefined

  constructor(parts: {
    entries: readonly PageEntry[]
    revisions?: PageSet['revisions']
    fields?: Fields
    isAsked?: boolean
    isGenerated?: boolean
  }) {
    this.entries = [...parts.entries].sort((one, other) => one.number - other.number)
    this.#generated = parts.isGenerated === true ? parts.entries : undefined
    this.revisions = parts.revisions ?? []
    this.fields = parts.fields ?? {}
    this.isAsked = parts.isAsked ?? true
  }

  /** Pages that exist, by id. */
  existing(): (PageEntry & { readonly page: PageSummary; readonly title: Title })[] {
    return this.entries.filter(hasPage)
  }

  /** Existing and missing pages of this wiki, by title: the order in which lists of their targets are filled. */
  titled(): (PageEntry & { readonly title: Title })[] {
    return this.entries.filter(hasTitle)
  }

  /** The pages with the fields of all properties. */
  shown(facts: ReadonlyMap<PageEntry, Fields>): Keyed {
    const keyed = (entry: PageEntry): readonly [number, Fields] => [
      entry.number,
      {
        ...entry.fields,
        ...(entry.index !== undefined && { index: entry.index }),
        ...facts.get(entry),
      },
    ]
    return new Keyed(this.entries.map(keyed), this.#generated?.map(keyed))
  }
}

const hasPage = (
  entry: PageEntry,
): entry is PageEntry & { readonly page: PageSummary; readonly title: Title } => entry.page !== undefined
const hasTitle = (entry: PageEntry): entry is PageEntry & { readonly title: Title } =>
  entry.title !== undefined && entry.title.namespace >= 0

/** Namespace and title as all answers have them. */
export const titleFields = (title: Title, namespaces: Namespaces): { ns: number; title: string } => ({
  ns: title.namespace,
  title: prefixedText(title, namespaces),
})
