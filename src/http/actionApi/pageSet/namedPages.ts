/** Makes page sets from titles, ids of pages, ids of revisions, and results of generators. */
import { MEDIA, MEDIAWIKI, SPECIAL } from '../../../domain/namespaceIds.js'
import { SpecialPages } from '../../../domain/specialPages.js'
import {
  parseForeignTitle,
  parseTitle,
  prefixedText,
  type Title,
  type TitleError,
  titleId,
} from '../../../domain/title.js'
import { hasVariants } from '../../../domain/variants.js'
import type { PageSummary } from '../../../storage/store.js'
import { pagesInVariants } from '../../views/variantTitles.js'
import { foreignUrl } from '../addresses.js'
import type { ActionCall } from '../frame/call.js'
import { usualText } from '../frame/input.js'
import { type Fields, Keyed } from '../frame/values.js'
import { type PageEntry, PageSet, titleFields } from './pageSet.js'
import { MESSAGES } from '../siteConstants.js'

interface Options {
  readonly followsRedirects: boolean
  readonly iwurl: boolean
  /** Pages to take in the place of missing ones, by the ids of their titles. */
  readonly converted?: ReadonlyMap<string, Title>
}

/** A result of a generator. */
export interface Generated {
  readonly title?: Title
  readonly pageId?: number
  readonly revisionId?: number
  /** Place in the results, where these have an order that pages lose. */
  readonly index?: number
}

/** Redirects of redirects: no chain of a sound wiki is longer. */
const MAX_STEPS = 20
const CLEAN_URL = /%(?:2F|3A|40|24|2C|3B|21|2A|28|29)/g

const REASONS: Readonly<Record<TitleError, string>> = {
  empty: 'The requested page title is empty or contains only the name of a namespace.',
  'fragment-only': 'The requested page title is empty or contains only the name of a namespace.',
  'too-long': 'The requested page title is too long. It must be no longer than 255 bytes in UTF-8 encoding.',
  'invalid-characters': 'The requested page title contains invalid characters: "$1".',
  'relative-path':
    "Title has relative path. Relative page titles (./, ../) are invalid, because they will often be unreachable when handled by user's browser.",
  'magic-tilde': 'The requested page title contains invalid magic tilde sequence (<nowiki>~~~</nowiki>).',
  'talk-namespace': 'The requested page title refers to a talk page that cannot exist.',
  'leading-colon': 'The requested page title contains an invalid colon at the beginning.',
  interwiki: 'The requested page title contains an interwiki link which cannot be used in titles.',
  'namespace-mismatch': 'The requested page title is empty or contains only the name of a namespace.',
  'undeclared-namespace': 'The requested page title is empty or contains only the name of a namespace.',
}
const BAD_UTF8 = 'The requested page title contains an invalid UTF-8 sequence.'
const FIRST_BAD = /[\0-\x1f\x7f#<>[\]{}|]|%[0-9A-Fa-f]{2}|&[A-Za-z0-9\u0080-\u{10ffff}]+;/u

function reasonOf(text: string, error: TitleError): string {
  if (error !== 'invalid-characters') return REASONS[error]
  if (text.includes('\ufffd')) return BAD_UTF8
  return REASONS[error].replace('$1', () => FIRST_BAD.exec(text)?.[0] ?? '')
}

export class NamedPages {
  readonly #call: ActionCall
  readonly #options: Options
  /** By title, or by the text or number of what is none. */
  readonly #entries = new Map<string, PageEntry>()
  readonly #normalized = new Map<string, Fields>()
  readonly #converted = new Map<string, Fields>()
  readonly #redirects = new Map<string, Fields>()
  readonly #interwiki = new Map<string, Fields>()
  readonly #badRevisions: [number, Fields][] = []
  readonly #revisions: { id: number; entry: PageEntry }[] = []
  #lastNegative = 0
  #isGenerated = false

  constructor(call: ActionCall, options: Options) {
    this.#call = call
    this.#options = options
  }

  addTitles(texts: readonly string[]): void {
    for (const text of texts) this.#addText(text)
  }

  addPageIds(ids: readonly number[]): void {
    for (const id of ids) {
      const page = this.#call.context.store.getPageById(id)
      if (page !== undefined) this.#addPage(page)
      else this.#put(`#${id}`, { number: id, title: undefined, page, fields: { pageid: id, missing: true } })
    }
  }

  addRevisionIds(ids: readonly number[]): void {
    const { store } = this.#call.context
    for (const id of ids) {
      const revision = store.getRevision(id)
      const page = revision && store.getPageById(revision.pageId)
      if (page === undefined) this.#badRevisions.push([id, { revid: id, missing: true }])
      else this.#revisions.push({ id, entry: this.#addExisting(page) })
    }
  }

  addGenerated(results: readonly Generated[]): void {
    const { store } = this.#call.context
    this.#isGenerated = true
    for (const { title, pageId, revisionId, index } of results) {
      if (revisionId !== undefined) this.addRevisionIds([revisionId])
      else if (pageId !== undefined) {
        const page = store.getPageById(pageId)
        if (page !== undefined) this.#addPage(page, index)
      } else if (title !== undefined) this.#addTitle(title, index)
    }
  }

  finish(isAsked: boolean): PageSet {
    const fields: Record<string, unknown> = {}
    if (this.#badRevisions.length > 0) fields['badrevids'] = badRevisions(this.#badRevisions)
    const lists = {
      normalized: this.#normalized,
      converted: this.#converted,
      interwiki: this.#interwiki,
      redirects: this.#redirects,
    }
    for (const [name, list] of Object.entries(lists)) if (list.size > 0) fields[name] = [...list.values()]
    const entries = [...this.#entries.values()]
    const isGenerated = this.#isGenerated
    return new PageSet({ entries, revisions: this.#revisions, fields, isAsked, isGenerated })
  }

  #put(key: string, entry: PageEntry): PageEntry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    this.#entries.set(key, entry)
    return entry
  }

  #nextNegative(): number {
    return --this.#lastNegative
  }

  #addText(given: string): void {
    const { wiki, context } = this.#call
    const usual = usualText(given)
    if (usual.isChanged) {
      const encoded = encodeURIComponent(given.toWellFormed()).replace(CLEAN_URL, decodeURIComponent)
      this.#note(encoded, usual.text, true)
    }
    const { text } = usual
    const interwiki = context.store.interwiki()
    const isInterwiki = (prefix: string): boolean => interwiki.has(prefix)
    const parsed = parseTitle(text, wiki.namespaces, isInterwiki)
    if (parsed.ok) {
      const shownTitle = prefixedText(parsed.title, wiki.namespaces)
      if (shownTitle !== text) this.#note(text, shownTitle, false)
      const other = this.#options.converted?.get(titleId(parsed.title))
      if (other !== undefined)
        this.#converted.set(shownTitle, { from: shownTitle, to: prefixedText(other, wiki.namespaces) })
      this.#addTitle(other ?? parsed.title)
      return
    }
    if (parsed.error === 'fragment-only') return this.#note(text, '', false)
    const foreign =
      parsed.error === 'interwiki' ? parseForeignTitle(text, wiki.namespaces, isInterwiki) : undefined
    if (foreign !== undefined) {
      const shownTitle = this.#addForeign(foreign.prefix, foreign.rest)
      if (shownTitle !== text) this.#note(text, shownTitle, false)
      return
    }
    const fields = { title: text, invalidreason: reasonOf(text, parsed.error), invalid: true }
    if (!this.#entries.has(`!${text}`))
      this.#put(`!${text}`, { number: this.#nextNegative(), title: undefined, page: undefined, fields })
  }

  #note(from: string, to: string, fromencoded: boolean): void {
    this.#normalized.set(`${fromencoded}${from}`, { fromencoded, from, to })
  }

  #addForeign(prefix: string, rest: string): string {
    const { store } = this.#call.context
    const shownTitle = `${prefix}:${rest.replaceAll('_', ' ')}`
    const url = this.#options.iwurl ? store.interwiki().get(prefix)?.url : undefined
    this.#interwiki.set(shownTitle, {
      title: shownTitle,
      iw: prefix,
      ...(url !== undefined && { url: foreignUrl(url, rest) }),
    })
    return shownTitle
  }

  #addTitle(title: Title, index?: number): void {
    if (title.namespace < 0) {
      this.#addVirtual(title)
      return
    }
    const page = this.#call.context.store.getPageByTitle(title)
    if (page === undefined) this.#addMissing(title, index)
    else this.#addPage(page, index)
  }

  #addVirtual(title: Title): void {
    const { namespaces, site } = this.#call.wiki
    const isMissing = title.namespace === SPECIAL && SpecialPages.of(site).named(title.dbkey) === undefined
    const fields = {
      ...titleFields(title, namespaces),
      ...(title.namespace === SPECIAL || title.namespace === MEDIA ? { special: true } : {}),
      ...(isMissing && { missing: true }),
    }
    if (!this.#entries.has(titleId(title)))
      this.#put(titleId(title), { number: this.#nextNegative(), title, page: undefined, fields })
  }

  #addMissing(title: Title, index?: number): void {
    if (this.#entries.has(titleId(title))) return
    const fields = {
      ...titleFields(title, this.#call.wiki.namespaces),
      missing: true,
      ...(isKnownMessage(title) && { known: true }),
    }
    const entry: PageEntry = { number: this.#nextNegative(), title, page: undefined, fields }
    if (index !== undefined) entry.index = index
    this.#put(titleId(title), entry)
  }

  /** An existing page, or what it redirects to. */
  #addPage(page: PageSummary, index?: number): void {
    if (this.#options.followsRedirects && page.redirectTarget !== undefined) this.#follow(page, index)
    else {
      const entry = this.#addExisting(page)
      if (index !== undefined) entry.index ??= index
    }
  }

  #addExisting(page: PageSummary): PageEntry {
    const title = { namespace: page.namespace, dbkey: page.dbkey }
    const fields = { pageid: page.pageId, ...titleFields(title, this.#call.wiki.namespaces) }
    return this.#put(titleId(title), { number: page.pageId, title, page, fields })
  }

  #follow(first: PageSummary, index?: number): void {
    const { namespaces } = this.#call.wiki
    const interwiki = this.#call.context.store.interwiki()
    const seen = new Set<number>()
    let page: PageSummary | undefined = first
    while (page?.redirectTarget !== undefined && seen.size < MAX_STEPS) {
      if (seen.has(page.pageId)) return
      seen.add(page.pageId)
      const from = prefixedText({ namespace: page.namespace, dbkey: page.dbkey }, namespaces)
      const isInterwiki = (prefix: string): boolean => interwiki.has(prefix)
      const target = parseTitle(page.redirectTarget, namespaces, isInterwiki)
      if (!target.ok) {
        const foreign = parseForeignTitle(page.redirectTarget, namespaces, isInterwiki)
        if (foreign === undefined) {
          this.#addExisting(page)
          return
        }
        const to = this.#addForeign(foreign.prefix, foreign.rest)
        this.#redirects.set(from, {
          from,
          to,
          tointerwiki: foreign.prefix,
          ...(index !== undefined && page === first && { index }),
        })
        return
      }
      const { title, fragment } = target
      this.#redirects.set(from, {
        // Further redirects of a chain are no results of the generator.
        ...(index !== undefined && page === first && { index }),
        from,
        to: prefixedText(title, namespaces),
        ...(fragment !== '' && { tofragment: fragment }),
      })
      page = this.#call.context.store.getPageByTitle(title)
      if (page === undefined) {
        if (title.namespace < 0) this.#addVirtual(title)
        else this.#addMissing(title, index)
        return
      }
    }
    if (page === undefined) return
    const entry = this.#addExisting(page)
    if (index !== undefined) entry.index ??= index
  }
}

/** MediaWiki has texts of its own for these pages. */
const isKnownMessage = ({ namespace, dbkey }: Title): boolean =>
  namespace === MEDIAWIKI && Object.hasOwn(MESSAGES, dbkey.slice(0, 1).toLowerCase() + dbkey.slice(1))

const badRevisions = (list: readonly (readonly [number, Fields])[]): unknown =>
  list.some(([id], at) => id !== at) ? Object.fromEntries(list) : new Keyed(list)

/** `converttitles`: pages under the letters of other variants, by the ids of the missing titles that were asked for. */
export async function convertedTitles(
  texts: readonly string[],
  { context, wiki: { namespaces, site } }: ActionCall,
): Promise<ReadonlyMap<string, Title>> {
  if (!hasVariants(site.language)) return new Map()
  const missing = texts.flatMap((text) => {
    const parsed = parseTitle(usualText(text).text, namespaces)
    const isMissing =
      parsed.ok && parsed.title.namespace >= 0 && context.pages.find(parsed.title) === undefined
    return isMissing ? [parsed.title] : []
  })
  if (missing.length === 0) return new Map()
  const found = await pagesInVariants(missing, site.language, context)
  return new Map(missing.flatMap((title, n) => (found[n] === undefined ? [] : [[titleId(title), found[n]]])))
}
