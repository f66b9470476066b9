/** Create page and update page (spec 4.3, 4.4). */
import { KNOWN_CONTENT_MODELS } from '../../domain/contentModel.js'
import { EDIT_REFUSALS, Refusal } from '../../domain/refusal.js'
import { prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { type Identity, WRITER_ERRORS } from '../../auth/identities.js'
import { type SavedEdit, saveEdit, type Submission } from '../../wiki/saving.js'
import { requireNewTitle, requireUsableTitle } from '../../wiki/titles.js'
import type { Validators } from '../reply/conditional.js'
import { HttpError, POOL_ERRORS } from '../reply/errors.js'
import { errorKeyOf } from '../reply/failures.js'
import { credentialsOf } from '../request/credentials.js'
import { type BodyFields, jsonBody } from '../request/bodyFields.js'
import { ref } from '../openapi/schemas.js'
import { positionLine } from '../request/logPosition.js'
import { pageTitle } from '../request/params.js'
import { encodePercent } from '../../domain/percent.js'
import { conditionally, headerLines, json, type Reply } from '../reply/reply.js'
import type { RequestView } from '../request/requestView.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import type { Wiki } from '../request/wiki.js'

/** Fields common to both bodies. */
interface EditFields {
  readonly source: string
  readonly comment: string | undefined
  readonly contentModel: string | undefined
  readonly token: string | undefined
}

const PRIVATE = headerLines({
  'Cache-Control': 'private, max-age=0, s-maxage=0',
  Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
})
/** An edit has no validators, so If-Match never matches. */
const NO_VALIDATORS: Validators = { etag: undefined, lastModified: undefined }

/** Properties common to both bodies, for the description of the API. */
const EDIT_PROPERTIES = {
  source: { type: 'string', description: 'text of the page, at most 2 MiB' },
  comment: {
    type: ['string', 'null'],
    description: 'summary of the edit; the server writes one when it is empty',
  },
  content_model: {
    enum: [...KNOWN_CONTENT_MODELS, '', null],
    description: 'that of the page or title by default',
  },
  token: { type: ['string', 'null'], description: 'CSRF token; not needed with a bearer token' },
} as const
/** Errors of saving, for both methods. */
const SAVE_ERRORS = [
  'rest-write-timeout',
  'rest-write-unknown',
  'rest-log-unavailable',
  'rest-storage-full',
  'rest-storage-unwritable',
  ...WRITER_ERRORS.map(errorKeyOf),
  'protectedpagetext',
  ...(Object.keys(EDIT_REFUSALS) as (keyof typeof EDIT_REFUSALS)[]),
  ...POOL_ERRORS,
] as const

/** Creates a page. Answers the page, with its URL in `Location`. */
export const createPage = defineRoute({
  method: 'POST',
  path: '/page',
  doc: {
    id: 'createPage',
    tag: 'Pages',
    summary: 'Create a page',
    description:
      'The title must be free. To save a text under a title that may have a page, use `updatePage`.',
    answer: {
      status: 201,
      description: 'The new page with its source',
      schema: ref('PageSource'),
      headers: { Location: 'URL of the new page in the API' },
    },
    conditions: 'write',
    signIn: 'needed',
    body: {
      description: 'The page to create',
      schema: {
        type: 'object',
        properties: { title: { type: 'string' }, ...EDIT_PROPERTIES },
        required: ['source', 'title', 'comment'],
      },
    },
    errors: ['apierror-articleexists', ...SAVE_ERRORS],
  },
  body: jsonBody(['source', 'title', 'comment', 'content_model', 'token'], (fields) => {
    const source = fields.requireText('source')
    const title = fields.requireText('title')
    return { title, ...readEditFields(fields, source) }
  }),
  handler({ body, request, wiki }, context) {
    return conditionally<Reply | Promise<Reply>>(request.conditions, NO_VALIDATORS, async () => {
      const identity = await requireWriter(request, wiki, body.token, context)
      const title = requireNewTitle(body.title, wiki.namespaces, context.store.interwiki())
      const submission = { ...body, title, baseId: undefined, identity }
      const saved = await saveEdit(context, submission)
      const location = `${request.baseUrl()}/v1/page/${locationKey(title, wiki)}`
      return savedReply(context, wiki, submission, saved, headerLines({ Location: location }))
    })
  },
})

/**
 * Saves a new revision of a page, merged with edits since the base revision. Creates the page when the request has no
 * base.
 */
export const updatePage = defineRoute({
  method: 'PUT',
  path: '/page/{title}',
  doc: {
    id: 'updatePage',
    tag: 'Pages',
    summary: 'Save a revision of a page',
    description:
      'With a base revision, the page must exist. The server merges the edit with later ones, or refuses it with 409 and both sets of changes. Without a base revision, it creates the page and answers 201.',
    answer: { description: 'The page with its source as saved', schema: ref('PageSource') },
    otherAnswers: [{ status: 201, description: 'The new page with its source', schema: ref('PageSource') }],
    conditions: 'write',
    signIn: 'needed',
    body: {
      description: 'The new source, and the revision that it was made from',
      schema: {
        type: 'object',
        properties: {
          latest: {
            type: ['object', 'null'],
            properties: { id: { type: 'integer', description: 'base revision' } },
          },
          ...EDIT_PROPERTIES,
        },
        required: ['source', 'comment'],
      },
    },
    errors: [
      'paramvalidator-badinteger',
      'rest-update-cannot-create-page',
      'apierror-missingtitle',
      'apierror-editconflict',
      ...SAVE_ERRORS,
    ],
  },
  params: { title: pageTitle() },
  body: jsonBody(['source', 'comment', 'latest', 'latest.id', 'content_model', 'token'], (fields) => {
    const source = fields.requireText('source')
    const edit = readEditFields(fields, source)
    return { baseId: readBaseId(fields), ...edit }
  }),
  handler({ params, body, request, wiki }, context) {
    return conditionally<Reply | Promise<Reply>>(request.conditions, NO_VALIDATORS, async () => {
      const identity = await requireWriter(request, wiki, body.token, context)
      const { asked } = params.title
      const usable = requireUsableTitle(asked, wiki.namespaces)
      // A page with an interwiki prefix can be there, from a dump.
      const hasPage = context.store.getPage(usable.namespace, usable.dbkey) !== undefined
      const title =
        body.baseId !== undefined && hasPage
          ? usable
          : requireNewTitle(asked, wiki.namespaces, context.store.interwiki())
      const submission = { ...body, title, identity }
      const saved = await saveEdit(context, submission).catch((error: unknown) => {
        throw isOfExistingPage(error) ? new HttpError('rest-update-cannot-create-page', [asked]) : error
      })
      return savedReply(context, wiki, submission, saved, '')
    })
  },
})

/** The fields of both bodies in the order of their checks. `source` is checked first. */
function readEditFields(fields: BodyFields, source: string): EditFields {
  const comment = fields.requireNullableText('comment')
  const contentModel = fields.optionalText('content_model') || undefined
  if (contentModel !== undefined && !(KNOWN_CONTENT_MODELS as readonly string[]).includes(contentModel)) {
    throw new HttpError('rest-bad-content-model', [contentModel])
  }
  return { source, comment, contentModel, token: fields.optionalText('token') }
}

/** The base revision: a positive number, or digits. Undefined when absent, 0 or negative. */
function readBaseId(fields: BodyFields): number | undefined {
  const latest = fields.get('latest') ?? undefined
  if (latest === undefined) return undefined
  if (typeof latest !== 'object' || latest.kind !== 'object') {
    throw new HttpError('rest-bad-body-field', ['latest', 'an object'])
  }
  const id = fields.get('latest.id') ?? undefined
  if (id === undefined) return undefined
  if (typeof id !== 'number' && typeof id !== 'string') {
    throw new HttpError('rest-bad-body-field', ['latest.id', 'an integer'])
  }
  if (!/^[+-]?\d+$/.test(String(id))) {
    const data = { actionModuleErrorCode: 'badinteger' }
    throw new HttpError('paramvalidator-badinteger', ['baserevid', id], { data })
  }
  return Number(id) > 0 ? Number(id) : undefined
}

function requireWriter(
  request: RequestView,
  wiki: Wiki,
  token: string | undefined,
  { identities }: Pick<HttpContext, 'identities'>,
): Promise<Identity> {
  return identities.requireWriter(credentialsOf(request, wiki), wiki.namespaces, token)
}

/** PUT has a text of its own for an existing page. */
const isOfExistingPage = (error: unknown): boolean =>
  error instanceof Refusal && error.key === 'apierror-articleexists'

/** The key in MediaWiki's form for Location, which leaves colons and at signs unescaped. */
function locationKey(title: Title, wiki: Wiki): string {
  return encodePercent(prefixedKey(title, wiki.namespaces)).replaceAll('%3A', ':').replaceAll('%40', '@')
}

/** The page as this edit saved it, even when another edit followed. */
function savedReply(
  { store, pages }: Pick<HttpContext, 'store' | 'pages'>,
  wiki: Wiki,
  { title }: Submission,
  saved: SavedEdit,
  headers: string,
): Reply {
  store.refresh()
  const page = pages.find(title)
  const body =
    page?.latestId === saved.revisionId
      ? Uint8Array.from(pages.sourceBody(page, wiki)) // a copy: other answers are made before this one is sent
      : overtakenBody(store, wiki, title, saved)
  const reply = json(body, NO_VALIDATORS, PRIVATE + headers + positionLine(store))
  return saved.created ? { ...reply, status: 201 } : reply
}

/** The same answer when the revision is no longer the latest. */
function overtakenBody(
  store: HttpContext['store'],
  wiki: Wiki,
  title: Title,
  { pageId, revisionId, contentModel, text }: SavedEdit,
): object {
  const { url, title: licenseTitle } = wiki.site.license
  return {
    id: pageId,
    key: prefixedKey(title, wiki.namespaces),
    title: prefixedText(title, wiki.namespaces),
    latest: {
      id: revisionId,
      timestamp: formatTimestamp(store.getRevision(revisionId)?.timestamp ?? 0),
    },
    content_model: contentModel,
    license: { url, title: licenseTitle },
    source: text,
  }
}
