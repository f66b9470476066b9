/** A request for a page for readers and a form of it, as its handlers see them. */
import type { Namespaces } from '../../domain/namespaces.js'
import { SPECIAL } from '../../domain/namespaceIds.js'
import { parseTitle, prefixedKey, type Title } from '../../domain/title.js'
import type { Links } from '../../reader/links.js'
import type { ReaderSite } from '../../reader/site.js'
import { headerLines, type Reply } from '../reply/reply.js'
import type { VariantChoice } from '../views/readerSites.js'
import { LANGUAGE_HEADER, type RequestView } from '../request/requestView.js'
import type { HttpContext } from '../routing/route.js'
import type { Wiki } from '../request/wiki.js'
import { EDIT_FIELDS } from '../../reader/views/edit.js'
import { ACCOUNT_FIELDS } from '../../reader/views/account.js'
import { parameterError } from '../reply/errors.js'

const MAX_DIGITS = 15

export interface Visit {
  /** Title as requested: decoded, not normalised. */
  readonly asked: string
  readonly title: Title
  /** Title in URL form, with its namespace. */
  readonly key: string
  /** Part of a special page's name after the first slash, in reading form. It may be empty. */
  readonly target: string
  readonly query: URLSearchParams
  readonly request: RequestView
  readonly wiki: Wiki
  readonly namespaces: Namespaces
  readonly site: ReaderSite
  /** Of `site`. */
  readonly links: Links
  /** Undefined for texts as they are written. */
  readonly variant: VariantChoice | undefined
  /** Header lines: empty unless the languages of the reader count. */
  readonly vary: string
}

const VARY = headerLines({ Vary: 'Accept-Language' })

/** Where a reader may name a variant of the wiki's language. */
interface VariantPlaces {
  /** First part of the path. */
  readonly path?: string | undefined
  readonly query: URLSearchParams
}

/** The variant that a request asks for: by its path, by its query, or by the languages of the reader. */
export function chosenVariant(
  { path, query }: VariantPlaces,
  { request, wiki }: Pick<Visit, 'request' | 'wiki'>,
): Pick<Visit, 'variant' | 'vary'> {
  const { variants } = wiki
  if (variants === undefined) return { variant: undefined, vary: '' }
  const named = path ?? query.get('variant') ?? ''
  if (variants.has(named)) return { variant: { code: named, isKept: true }, vary: '' }
  const code = variants.accepted(request.header(LANGUAGE_HEADER))
  return { variant: code === variants.main ? undefined : { code, isKept: false }, vary: VARY }
}

/** Answers in the same tick when it only reads. Errors that it throws become pages. */
export type VisitHandler = (visit: Visit, context: HttpContext) => Reply | Promise<Reply>

export const FORM_FIELDS = [...EDIT_FIELDS, ...ACCOUNT_FIELDS] as const
/** The fields that a form has. */
export type FormFields = Readonly<Partial<Record<(typeof FORM_FIELDS)[number], string>>>

/** Answers a form of a page of this server. Its token is still to be checked. */
export type FormHandler = (visit: Visit, fields: FormFields, context: HttpContext) => Reply | Promise<Reply>

interface VisitPlace extends Pick<Visit, 'request' | 'wiki'>, Pick<VariantPlaces, 'path'> {
  readonly context: HttpContext
}

/** Undefined for a text that no page can have as its title. */
export function visitOf(
  asked: string,
  query: URLSearchParams,
  { request, wiki, context, path }: VisitPlace,
): Visit | undefined {
  const { namespaces } = wiki
  const parsed = parseTitle(asked, namespaces)
  if (!parsed.ok) return undefined
  const { title } = parsed
  const { variant, vary } = chosenVariant({ path, query }, { request, wiki })
  const site = context.readerSites.site(wiki, variant)
  return {
    asked,
    title,
    key: prefixedKey(title, namespaces),
    target: title.namespace === SPECIAL ? title.dbkey.replace(/^[^/]*\/?/, '').replaceAll('_', ' ') : '',
    query,
    request,
    wiki,
    namespaces,
    site,
    links: site.links,
    variant,
    vary,
  }
}

/** A number of the query, from 0; undefined if absent or empty. Throws paramvalidator-badinteger. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  if (!/^\d+$/.test(value) || value.length > MAX_DIGITS) throw parameterError('badinteger', name, value)
  return Number(value)
}
