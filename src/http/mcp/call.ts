/** What a tool is, what it gets, and how it finds pages. */
import { toHttpError } from '../reply/failures.js'
import { NO_CONDITIONS } from '../reply/conditional.js'
import type { RequestWithBody } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'
import type { HttpContext, Route } from '../routing/route.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import type { PageSummary } from '../../storage/store.js'
import type { Schema } from './schemas.js'

/** A sentence for the program that called the tool. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** A wiki as tools see it. */
export interface ToolCall {
  readonly context: HttpContext
  /** Site settings as of this call. */
  readonly wiki: Wiki
  /** Absolute URL of the API, as for requests. */
  readonly baseUrl: string
  /** Of the client, for the fair queue of renderings. */
  readonly client: string
  /** Permanent address of a revision of the page with this key. */
  readonly address: (key: string, revisionId: number) => string
}

/** Name of a wiki in addresses of resources. The only wiki of a program has none of its own. */
export const wikiNameOf = ({ wikiName, store }: Pick<HttpContext, 'wikiName' | 'store'>): string =>
  wikiName || store.site().wikiId || 'wiki'

/** A result in both forms: for programs, and to read. */
export interface ToolAnswer {
  readonly fields: Readonly<Record<string, unknown>>
  /** Absent: the fields as JSON. */
  readonly text?: string
}

export interface Tool<Input> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema
  readonly output: Schema
  /** Throws a ToolError, and the errors of the API. */
  readonly run: (input: Input, call: ToolCall) => ToolAnswer | Promise<ToolAnswer>
}

/** How every answer names its page. */
export interface PageFields {
  readonly title: string
  readonly revision: number
  readonly timestamp: string
  readonly url: string
}

export interface FoundPage {
  readonly title: Title
  readonly page: PageSummary
  /** As asked, if that is a redirect. */
  readonly redirectedFrom: string | undefined
}

/** The latest revision of a page by its title, which may be a redirect. Throws a ToolError. */
export function findPage(asked: string, { context, wiki }: ToolCall): FoundPage {
  const { store, pages } = context
  const parsed = parseTitle(asked.toWellFormed(), wiki.namespaces)
  if (!parsed.ok) throw new ToolError(`"${asked}" cannot be the title of a page.`)
  const row = pages.find(parsed.title)
  const page = row && store.getPageById(row.pageId)
  if (page === undefined)
    throw new ToolError(`There is no page "${prefixedText(parsed.title, wiki.namespaces)}": use search.`)
  const target =
    page.redirectTarget === undefined ? undefined : parseTitle(page.redirectTarget, wiki.namespaces)
  const targetRow = target?.ok === true ? pages.find(target.title) : undefined
  const targetPage = targetRow && store.getPageById(targetRow.pageId)
  return targetPage === undefined
    ? { title: parsed.title, page, redirectedFrom: undefined }
    : { title: targetPage, page: targetPage, redirectedFrom: prefixedText(parsed.title, wiki.namespaces) }
}

/** Throws a ToolError if the text is hidden. */
export function requireText({ page, title }: FoundPage, { context, wiki }: ToolCall): void {
  if (context.store.getRevision(page.latestId)?.textHidden !== false)
    throw new ToolError(`The text of "${prefixedText(title, wiki.namespaces)}" is hidden.`)
}

export function fieldsOf({ title, page, redirectedFrom }: FoundPage, call: ToolCall): PageFields {
  const { namespaces } = call.wiki
  return {
    title: prefixedText(title, namespaces),
    revision: page.latestId,
    timestamp: formatTimestamp(page.latestTimestamp),
    url: call.address(prefixedKey(title, namespaces), page.latestId),
    ...(redirectedFrom !== undefined && { redirected_from: redirectedFrom }),
  }
}

/** Larger answers of routes take too long to read on the event loop. */
const MAX_ROUTE_BYTES = 256 * 1024

/** The JSON that a route of the API answers. `segments` are decoded. Throws an HttpError, and a ToolError. */
export async function askRoute<Answer>(
  route: Route,
  segments: readonly string[],
  query: Readonly<Record<string, string | number | undefined>>,
  { context, wiki, baseUrl, client }: ToolCall,
): Promise<Answer> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const rawQuery = new URLSearchParams(given).toString()
  const request: RequestWithBody = {
    conditions: NO_CONDITIONS,
    query: rawQuery,
    baseUrl: () => baseUrl,
    header: () => '',
    clientAddress: () => client,
    hasBody: () => false,
    readBody: () => Promise.resolve(new Uint8Array()),
    releaseBody: () => undefined,
  }
  const { body } = await route.answer(segments, rawQuery, request, wiki, context)
  if (!(body instanceof Uint8Array)) throw new Error(`${route.path} has no JSON`)
  if (body.length > MAX_ROUTE_BYTES) throw new ToolError('The answer is too long for a tool.')
  return JSON.parse(Buffer.from(body).toString()) as Answer
}

/** The sentence for an error; undefined for a fault of the server. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof ToolError) return error.message
  const known = toHttpError(error)
  return known.key === 'rest-internal-error' ? undefined : known.message
}
