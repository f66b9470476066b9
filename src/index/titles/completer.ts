/** Title completion: pages whose title, or that of a redirect to them, begins with the typed text. */
import { cutFolded, decodeRedirect } from '../rows/completions.js'
import { foldTitle } from '../text/fold.js'
import { isShort, visitEntries } from './prominent.js'
import { answerOf, type ThumbnailOf } from '../search/results.js'
import type { RecentPages } from '../search/recent/recentPages.js'
import type { RecentTargets } from '../search/recent/recentTargets.js'
import { type LetterSpellings, someLooks } from '../search/letterSpellings.js'
import type { CompletionKey, IndexTables } from '../rows/tables.js'

/** Rows to read per answer, which takes a few milliseconds. One page may have many redirects. */
const MAX_ROWS = 600
const LAST_CHARACTER = '\u{10ffff}'

export interface CompletionRequest {
  readonly namespaces: readonly number[]
  /** The typed text, without the namespace. */
  readonly text: string
  readonly limit: number
  /** The page or redirect with exactly this title, which comes first. */
  readonly exactId: number | undefined
  readonly letters: LetterSpellings
}

/** One result: a page's stored JSON, or a page found by a redirect. */
type Result =
  | { readonly namespace: number; readonly ready: string }
  | {
      readonly namespace: number
      readonly card: string
      matched: string
      excerpt: string
      description: string
    }

/** What searches read of pages lately. */
interface RecentReads {
  readonly pages: RecentPages
  readonly targets: RecentTargets
}

export class Completer {
  readonly #tables: IndexTables
  readonly #recent: RecentReads

  constructor(tables: IndexTables, recent: RecentReads) {
    this.#tables = tables
    this.#recent = recent
  }

  /** The JSON of an answer. */
  answer(request: CompletionRequest, thumbnailOf: ThumbnailOf): string {
    const { namespaces, text, limit, exactId, letters } = request
    const results = new Map<number, Result>()
    const prefix = cutFolded(foldTitle(text))
    if (exactId !== undefined) this.#addExact(exactId, results)
    if (isShort(prefix)) {
      for (const namespace of namespaces) this.#addProminent(namespace, prefix, limit, results)
    }
    for (const namespace of namespaces) {
      if (results.size < limit) this.#addRange(namespace, prefix, limit, results)
    }
    if (letters.mayDiffer(prefix))
      for (const namespace of namespaces)
        for (const spelling of this.#spellings(namespace, prefix, letters))
          if (results.size < limit) this.#addRange(namespace, spelling, limit, results)
    const shown: string[] = []
    for (const [pageId, result] of results) {
      if (shown.length === limit) break
      shown.push(`${openJson(result)},"thumbnail":${thumbnailOf(pageId, result.namespace)}}`)
    }
    return answerOf(shown)
  }

  /** Other spellings of a beginning that titles have. */
  #spellings(namespace: number, prefix: string, letters: LetterSpellings): string[] {
    const next = (from: string): string | undefined => {
      const range = {
        start: [namespace, from, 0, 0],
        end: [namespace, LAST_CHARACTER, 0, 0],
        limit: 1,
      } as const
      for (const [, title] of this.#tables.completion.getKeys(range)) return title
      return undefined
    }
    return letters.among(prefix, next, someLooks()).filter((spelling) => spelling !== prefix)
  }

  /** Adds the most linked pages for a short prefix. */
  #addProminent(namespace: number, beginning: string, limit: number, results: Map<number, Result>): void {
    if (results.size >= limit) return
    const row = this.#tables.prominent.getBinaryFast([namespace, beginning])
    if (row === undefined) return
    visitEntries(row, row.length, (pageId, from, to) => {
      if (!results.has(pageId)) results.set(pageId, { namespace, ready: row.toString('utf8', from, to) })
      return results.size >= limit
    })
  }

  #addExact(pageId: number, results: Map<number, Result>): void {
    const view = this.#recent.pages.view(pageId)
    if (view === undefined) return
    const key: CompletionKey = [
      view.namespace,
      cutFolded(foldTitle(view.title)),
      view.isRedirect ? 1 : 0,
      pageId,
    ]
    this.#add(key, results)
  }

  #addRange(namespace: number, prefix: string, limit: number, results: Map<number, Result>): void {
    const range = {
      start: [namespace, prefix, 0, 0],
      end: [namespace, prefix + LAST_CHARACTER, 0, 0],
      limit: MAX_ROWS,
    } as const
    this.#tables.completion.expect(() => [...this.#tables.completion.getKeys({ ...range, limit })])
    for (const key of this.#tables.completion.getKeys(range)) {
      this.#add(key, results)
      if (results.size >= limit) return
    }
  }

  #add(key: CompletionKey, results: Map<number, Result>): void {
    const [namespace, , redirect, pageId] = key
    if (redirect === 1) return this.#addRedirect(key, results)
    const known = results.get(pageId)
    if (known !== undefined && 'ready' in known) return
    const row = this.#tables.completion.getBinaryFast(key)
    if (row === undefined) return
    const ready = row.toString('utf8', 0, row.length)
    // A redirect has already found this page. As in MediaWiki, the excerpt then shows the later title.
    if (known !== undefined) known.excerpt = (JSON.parse(`${ready}}`) as { excerpt: string }).excerpt
    else results.set(pageId, { namespace, ready })
  }

  #addRedirect(key: CompletionKey, results: Map<number, Result>): void {
    const row = this.#tables.completion.getBinaryFast(key)
    if (row === undefined) return
    const { title, target } = decodeRedirect(row)
    const pageId = this.#recent.targets.idOf(target.namespace, target.dbkey)
    if (pageId === undefined || results.has(pageId)) return
    const view = this.#recent.pages.view(pageId)
    if (view === undefined) return
    const { card, descriptionJson: description } = view
    results.set(pageId, {
      namespace: target.namespace,
      card,
      matched: title,
      excerpt: title,
      description,
    })
  }
}

function openJson(result: Result): string {
  if ('ready' in result) return result.ready
  const { card, excerpt, matched, description } = result
  return `${card},"excerpt":${JSON.stringify(excerpt)},"matched_title":${JSON.stringify(matched)},"description":${description}`
}
