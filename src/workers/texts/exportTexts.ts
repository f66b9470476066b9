/**
 * Pages as text, for people who make corpora: HTML that the store has, or that render threads make, turned into
 * Markdown or plain text by compute threads. Lines come in the order of the pages, while threads work on those that
 * follow.
 */
import { prefixedText, type Title } from '../../domain/title.js'
import { formatTimestamp, toSeconds } from '../../domain/timestamp.js'
import { renderingConfiguration } from '../../render/configuration.js'
import { parsoidVersion } from '../../render/parsoid/loadPackage.js'
import { UserError } from '../../runtime/userError.js'
import { ownBody, type PackedPart, unpackParts } from '../../storage/html/packedHtml.js'
import type { PageSummary, Store } from '../../storage/store.js'
import { ComputePool } from '../compute/pool.js'
import { TaskTimeoutError } from '../hosting/poolErrors.js'
import { MAX_STRETCH, patientPool } from '../html/renderAhead.js'
import { type RenderPool, RenderThreadError } from '../html/renderPool.js'
import type { RenderSettings } from '../html/renderTasks.js'

export type TextFormat = 'text' | 'markdown' | 'html'

export interface TextExportOptions {
  readonly store: Store
  readonly dataDir: string
  readonly renderSettings: RenderSettings
  readonly format: TextFormat
  readonly threads: number
  /** Processor time for a page. */
  readonly timeoutMs: number
  readonly namespaces: ReadonlySet<number>
  /** Pages to export, in this order; undefined: all of the namespaces by their ids. */
  readonly titles: readonly Title[] | undefined
  /** Pages that an earlier run has written: up to this id, or so many of `titles`. */
  readonly from: number
  readonly signal: AbortSignal
  readonly nowMs: () => number
  readonly onFailure: (title: string, reason: string) => void
}

/** A page that was dealt with. */
export interface ExportedPage extends PageLine {
  /** `from` of a run that goes on after this page. */
  readonly next: number
}

interface PageLine {
  /** JSON with a line end; undefined for a page that has no line. */
  readonly line?: string
  /** The store did not have the HTML. */
  readonly isMade?: boolean
  /** The HTML could not be made. */
  readonly hasFailed?: boolean
}

const NOTHING: PageLine = {}
/** Pages on which each thread may be ahead of the one that is written next. */
const AHEAD = 4
const MAX_BYTES = 2 ** 25
/** A page that is edited again and again while it is rendered is left out. */
const ATTEMPTS = 5

/**
 * The pages, each as it is when its turn comes. Redirects, pages whose text is hidden, and pages that are gone have no
 * line.
 */
export async function* exportTexts(options: TextExportOptions): AsyncGenerator<ExportedPage, void> {
  const engineVersion = parsoidVersion()
  if (engineVersion === undefined)
    throw new UserError('pages cannot be made into text: the package "parsoid" is not installed')
  const threads = new Threads(options, engineVersion)
  const onAbort = (): void => void threads.close()
  options.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const waiting: { next: number; line: Promise<PageLine> }[] = []
    for (const { pageId, next } of pagesOf(options)) {
      const line = threads.lineOf(pageId)
      // An error is thrown when its turn comes.
      line.catch(() => undefined)
      waiting.push({ next, line })
      if (waiting.length < options.threads * AHEAD) continue
      const first = waiting.shift()!
      yield { next: first.next, ...(await first.line) }
    }
    for (const { next, line } of waiting) yield { next, ...(await line) }
  } finally {
    options.signal.removeEventListener('abort', onAbort)
    await threads.close()
  }
}

function* pagesOf({
  store,
  titles,
  from,
}: TextExportOptions): Generator<{ pageId: number; next: number }, void> {
  store.refresh()
  if (titles !== undefined) {
    for (const [n, { namespace, dbkey }] of titles.entries()) {
      const pageId = n < from ? undefined : store.getPage(namespace, dbkey)?.pageId
      if (pageId !== undefined) yield { pageId, next: n + 1 }
    }
    return
  }
  for (const pageId of store.lists.pageIds(from + 1)) yield { pageId, next: pageId }
}

class Threads {
  readonly #options: TextExportOptions
  readonly #configuration: Uint8Array
  readonly #render: RenderPool
  readonly #compute: ComputePool
  #closing: Promise<unknown> | undefined

  constructor(options: TextExportOptions, engineVersion: string) {
    this.#options = options
    const { store, dataDir, renderSettings, threads, timeoutMs } = options
    this.#configuration = renderingConfiguration(store.site(), engineVersion, renderSettings)
    const wikis = [{ dataDir, renderSettings }]
    this.#render = patientPool(options)
    const taskTimeoutMs = timeoutMs * MAX_STRETCH
    this.#compute = new ComputePool({ wikis, threads, taskTimeoutMs, onThreadError: () => undefined })
  }

  close(): Promise<unknown> {
    return (this.#closing ??= Promise.all([this.#render.close(), this.#compute.close()]))
  }

  async lineOf(pageId: number): Promise<PageLine> {
    const { store, signal, onFailure } = this.#options
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const page = this.#shownPage(pageId)
      if (page === undefined) return NOTHING
      try {
        const kept = this.#keptBody(page.latestId)
        const body = kept ?? (await this.#madeBody(page.latestId))
        // An edit came between.
        if (body === undefined) continue
        return { line: await this.#write(page, body), isMade: kept === undefined }
      } catch (error) {
        // When the output fails, pages that are under way end with the threads.
        if (signal.aborted || this.#closing !== undefined || !isOfPage(error)) throw error
        onFailure(prefixedText(page, store.namespaces()), error.message)
        return { hasFailed: true }
      }
    }
    return NOTHING
  }

  #shownPage(pageId: number): PageSummary | undefined {
    const { store, namespaces, titles } = this.#options
    store.refresh()
    const page = store.getPageById(pageId)
    if (page === undefined || page.redirectTarget !== undefined) return undefined
    if (titles === undefined && !namespaces.has(page.namespace)) return undefined
    return store.getText(page.latestId) === undefined ? undefined : page
  }

  #keptBody(revisionId: number): PackedPart[] | undefined {
    const { store, nowMs } = this.#options
    const kept = store.html.get(revisionId, this.#configuration)
    if (kept === undefined || (kept.expiresAt !== 0 && kept.expiresAt <= toSeconds(nowMs()))) return undefined
    return ownBody(kept.packedHtml)
  }

  /** Undefined if the revision went meanwhile. */
  async #madeBody(revisionId: number): Promise<PackedPart[] | undefined> {
    const { nowMs, timeoutMs } = this.#options
    const outcome = await this.#render.run({ task: 'page', revisionId, nowMs: nowMs() }, timeoutMs)
    if (outcome.result === 'limit' || outcome.result === 'failed') throw new PageError(outcome.reason)
    if (outcome.result !== 'rendering') return undefined
    return ownBody(outcome.rendering.packedHtml)
  }

  async #write(page: PageSummary, body: PackedPart[]): Promise<string> {
    const { store, format } = this.#options
    const text = format === 'html' ? unpackParts(body).toString() : await this.#textOf(body, format)
    const { pageId: id, latestId: revision, namespace } = page
    const timestamp = formatTimestamp(store.getRevision(revision)?.timestamp ?? 0)
    const title = prefixedText(page, store.namespaces())
    return `${JSON.stringify({ id, revision, timestamp, namespace, title, [format]: text })}\n`
  }

  async #textOf(parts: PackedPart[], form: 'text' | 'markdown'): Promise<string> {
    const options = { form, links: 'words', notes: 'none', maxBytes: MAX_BYTES } as const
    const { text = new Uint8Array() } = await this.#compute
      .run('markdown', { parts, options })
      .catch((error: unknown) => {
        // A fault of ours costs one page, not an export of days.
        if (this.#options.signal.aborted) throw error
        throw new PageError(`it could not be made into text (${String(error)})`)
      })
    return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()
  }
}

/** The HTML of a page cannot be made. */
class PageError extends Error {
  override readonly name = 'PageError'
}

const isOfPage = (error: unknown): error is Error =>
  error instanceof PageError || error instanceof TaskTimeoutError || error instanceof RenderThreadError
