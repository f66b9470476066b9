/** The old conversion interface (spec 4.16), at `/{wiki id}/{page}`: wikitext to HTML for editors, and back. */
import { prefixedText } from '../../domain/title.js'
import type { Conversion } from '../../workers/html/renderings.js'
import { addressKey } from '../../auth/rateLimit.js'
import { HttpError } from '../reply/errors.js'
import { formBody } from '../request/bodyFields.js'
import { HTML_ERRORS, HTML_HEADERS, htmlError, requireRenderings } from '../views/html.js'
import { requirePage, requireRevision, requireRevisionOfPage } from '../views/lookup.js'
import {
  boolean,
  type Integer,
  integer,
  optional,
  pageTitle,
  pageTitleOrNone,
  type RequestedTitle,
} from '../request/params.js'
import { encodePercent } from '../../domain/percent.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import type { RequestView } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'

const DEPRECATION = headerLines({
  Deprecation: 'true',
  Link: '<https://www.mediawiki.org/wiki/Parsoid/API>; rel="deprecation"',
})
const REDIRECT_CACHE = headerLines({ 'Cache-Control': 'private,no-cache,s-maxage=0' })
const WIKITEXT_HEADERS = headerLines({
  'Content-Type': 'text/plain; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/wikitext/1.0.0"',
})

/** The latest version of HTML whose forms `render/parsoid/newerHtml.ts` knows. */
const LATEST_MAJOR = 2
const LATEST_MINOR = 8
const MAX_HEAD_LENGTH = 10_000
const STATED_VERSION =
  /<meta\s[^>]{0,100}\bproperty=["']mw:html(?:Version|:version)["'][^>]{0,100}\bcontent=["'](\d{1,4})\.(\d{1,4})\b/i

/**
 * Answers the HTML of a revision, with attributes that record the origin of its elements. When a client sends it back
 * with the revision's id, unchanged parts become the same wikitext as before. Without a revision, redirects to the
 * latest one.
 */
export const getConvertedPage = defineRoute({
  method: 'GET',
  root: 'wiki',
  path: '/{page}',
  doc: {
    id: 'getEditableHtml',
    tag: 'Conversion',
    summary: 'Read HTML that can be converted back to wikitext',
    description: 'Without `oldid`, a redirect (302) to the latest revision that keeps all other parameters.',
    deprecated: true,
    answer: { description: 'A document of HTML 2.1.0', type: 'text/html', schema: { type: 'string' } },
    otherAnswers: [
      { status: 302, description: 'Without `oldid`', headers: { Location: 'URL of the latest revision' } },
    ],
    conditions: 'none',
    errors: [
      'rest-nonexistent-title',
      'rest-nonexistent-title-revision',
      'rest-permission-denied-revision',
      'rest-conversion-limit',
      ...HTML_ERRORS,
    ],
  },
  params: { page: pageTitle() },
  query: { oldid: optional(integer('id of the revision')) },
  handler({ params, query, rawQuery, request, wiki }, context) {
    requireRenderings(context)
    const { page, title } = requirePage(context.pages, params.page)
    if (query.oldid === undefined) {
      const key = encodePercent(prefixedText(title, wiki.namespaces).replaceAll(' ', '_'))
      const path = `${encodePercent(wiki.site.wikiId)}/${key}?oldid=${page.latestId}`
      return redirect(`${request.baseUrl()}/${path}${rawQuery === '' ? '' : `&${rawQuery}`}`)
    }
    const { pageId } = page
    const revision = requireRevisionOfPage(context.store, query.oldid, pageId, params.page.asked)
    if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
    const headers =
      HTML_HEADERS +
      headerLines({
        'Content-Language': wiki.site.language,
        'Content-Revision-Id': String(revision.id),
        Vary: 'Accept',
      })
    const conversion = { task: 'editable', revisionId: revision.id } as const
    return convert({ conversion, headers }, request, context)
  },
})

/** Fields of a conversion. Either `html` or `wt` is present. */
type ConversionFields = Readonly<Partial<Record<'html' | 'oldid' | 'wt' | 'body', string>>>

/**
 * Converts HTML to wikitext (`html`, `oldid`), or wikitext to HTML (`wt`, `body`). The page provides the context; it
 * may be missing or unnamed.
 */
export const convertText = defineRoute({
  method: 'POST',
  root: 'wiki',
  path: '/{page}',
  doc: {
    id: 'convert',
    tag: 'Conversion',
    summary: 'Convert wikitext to HTML, or HTML to wikitext',
    description: 'With `oldid`, wikitext that the HTML leaves unchanged stays as it was.',
    deprecated: true,
    answer: {
      description: 'Wikitext (`text/plain`) for `html`, HTML for `wt`',
      type: ['text/plain', 'text/html'],
      schema: { type: 'string' },
    },
    body: {
      description: 'A form, URL-encoded or as `multipart/form-data`, with either `html` or `wt`',
      types: ['application/x-www-form-urlencoded', 'multipart/form-data'],
      schema: {
        type: 'object',
        properties: {
          html: { type: 'string', description: 'to be converted to wikitext' },
          oldid: { type: 'integer', description: 'revision that `html` was made from' },
          wt: { type: 'string', description: 'to be converted to HTML' },
          body: { type: 'boolean', description: 'whether only the inside of the body is wanted' },
        },
      },
    },
    errors: [
      'rest-conversion-no-input',
      'rest-conversion-limit',
      'rest-conversion-imported',
      'rest-conversion-version',
      'paramvalidator-badinteger',
      'paramvalidator-badbool',
      'rest-nonexistent-revision',
      'rest-nonexistent-title-revision',
      'rest-permission-denied-revision',
      ...HTML_ERRORS,
    ],
  },
  params: {
    page: pageTitleOrNone('title of a page, with its namespace; a slash in it as %2F; may be empty'),
  },
  body: formBody(['html', 'oldid', 'wt', 'body'], (fields): ConversionFields => fields),
  async handler({ params, body, request, wiki }, context) {
    requireRenderings(context)
    if (body.html !== undefined)
      return convert(toWikitext(params.page, body.html, body.oldid, wiki, context), request, context)
    if (body.wt !== undefined) return convert(toHtml(params.page, body.wt, body.body, wiki), request, context)
    throw new HttpError('rest-conversion-no-input')
  },
})

/** A conversion, with the headers of its answer. */
interface AskedConversion {
  readonly conversion: Conversion
  readonly headers: string
}

function toWikitext(
  page: RequestedTitle,
  html: string,
  oldid: string | undefined,
  wiki: Wiki,
  context: HttpContext,
): AskedConversion {
  requireKnownVersion(html)
  // Forms send empty fields that nobody filled in.
  const id =
    oldid === undefined || oldid === ''
      ? undefined
      : integer('id of the revision').parse(oldid, 'oldid', wiki)
  const revisionId = id === undefined ? undefined : requireOriginal(page, id, context)
  return {
    conversion: { task: 'toWikitext', html, title: page.asked, revisionId },
    headers: WIKITEXT_HEADERS,
  }
}

/** Refuses HTML that states a version with unknown forms. Its head states it, so the beginning is enough. */
function requireKnownVersion(html: string): void {
  const [, major, minor] = STATED_VERSION.exec(html.slice(0, MAX_HEAD_LENGTH)) ?? []
  if (major === undefined) return
  if (Number(major) > LATEST_MAJOR || (Number(major) === LATEST_MAJOR && Number(minor) > LATEST_MINOR))
    throw new HttpError('rest-conversion-version', [`${major}.${minor}`])
}

function toHtml(
  { asked }: RequestedTitle,
  wikitext: string,
  bodyField: string | undefined,
  wiki: Wiki,
): AskedConversion {
  const bodyOnly =
    bodyField === undefined || bodyField === ''
      ? false
      : boolean('whether only the body is wanted').parse(bodyField, 'body', wiki)
  return { conversion: { task: 'toHtml', wikitext, title: asked, bodyOnly }, headers: HTML_HEADERS }
}

async function convert(
  { conversion, headers }: AskedConversion,
  request: RequestView,
  context: HttpContext,
): Promise<Reply> {
  const client = addressKey(request.clientAddress())
  try {
    const body = await requireRenderings(context).convert(conversion, client)
    return { status: 200, headers: headers + DEPRECATION, body }
  } catch (error) {
    throw htmlError(error, 'revisionId' in conversion ? (conversion.revisionId ?? 0) : 0, true)
  }
}

/** The revision that the HTML was made from. It must have visible text, and belong to the page when one is named. */
function requireOriginal({ asked, title }: RequestedTitle, id: Integer, context: HttpContext): number {
  const revision = requireRevision(context.store, id)
  const page = title === undefined ? undefined : context.pages.find(title)
  if (asked !== '' && page?.pageId !== revision.pageId)
    throw new HttpError('rest-nonexistent-title-revision', [id, asked])
  if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
  return revision.id
}

function redirect(location: string): Reply {
  const headers = headerLines({ Location: location }) + REDIRECT_CACHE + DEPRECATION
  return { status: 302, headers, body: new Uint8Array() }
}
