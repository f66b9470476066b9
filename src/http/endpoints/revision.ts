/** Revisions: bare (spec 4.14), with source, HTML and with HTML. */
import { prefixedKey, prefixedText } from '../../domain/title.js'
import type { RevisionRow } from '../../storage/store.js'
import { continueObject, reopenObject } from '../reply/bodies.js'
import type { Validators } from '../reply/conditional.js'
import { HttpError, POOL_ERRORS } from '../reply/errors.js'
import { HTML_ERRORS, htmlReply, requireRenderings, STASH, withHtmlReply } from '../views/html.js'
import { requirePageOf, requireRevision } from '../views/lookup.js'
import { ref } from '../openapi/schemas.js'
import { boolean, type Integer, integer, optional } from '../request/params.js'
import { conditionally, headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import type { RevisionLook, Wiki } from '../request/wiki.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/tasks.js'

const CACHE = headerLines({ 'Cache-Control': 'max-age=5' })

/** Answers a revision without its text, with the URL of its HTML. Hidden parts are null. */
export const getRevisionBare = defineRoute({
  method: 'GET',
  path: '/revision/{id}/bare',
  doc: {
    id: 'getRevision',
    tag: 'Revisions',
    summary: 'Read a revision without its source',
    description: 'Works for revisions of every page; hidden parts are null.',
    answer: {
      description: 'The revision, with the URL of its HTML; what is hidden is null',
      schema: ref('Revision'),
    },
    errors: ['rest-nonexistent-revision'],
  },
  params: { id: integer('id of the revision') },
  handler({ params, request, wiki }, { store }) {
    const revision = requireRevision(store, params.id)
    const validators = revisionValidators(revision, wiki)
    return conditionally(request.conditions, validators, () => {
      const url = `${request.baseUrl()}/v1/revision/${revision.id}/html`
      const fields = `${commonFields(revision, store, wiki)},"html_url":${JSON.stringify(url)}}`
      const body = continueObject(reopenObject(revision.json), fields)
      return reusable(json(body, validators, cacheLines(revision)), {
        validators,
        isCurrent: store.watchPast(),
        namesHost: true,
      })
    })
  },
})

/** Answers a revision with its source; 403 when the text is hidden. */
export const getRevisionSource = defineRoute({
  method: 'GET',
  path: '/revision/{id}',
  doc: {
    id: 'getRevisionSource',
    tag: 'Revisions',
    summary: 'Read a revision with its source',
    description: 'A hidden text is answered with 403.',
    answer: { description: 'The revision and its text', schema: ref('RevisionSource') },
    errors: ['rest-nonexistent-revision', 'rest-permission-denied-revision', ...POOL_ERRORS],
  },
  params: { id: integer('id of the revision') },
  handler({ params, request, wiki }, { store, pool }) {
    const revision = requireRevision(store, params.id)
    if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
    const validators = revisionValidators(revision, wiki)
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, () => {
      const fields = `${commonFields(revision, store, wiki)},"source":`
      const head = continueObject(reopenObject(revision.json), fields)
      const reuse = { validators, isCurrent: store.watchPast() }
      const answer = (source: Uint8Array): Reply =>
        reusable(json(Buffer.concat([head, source, CLOSING_BRACE]), validators, cacheLines(revision)), reuse)
      const source = revisionSource(revision, { store, pool })
      return source instanceof Promise ? source.then(answer) : answer(source)
    })
  },
})

/** Answers the HTML of a revision; 403 when its text is hidden. */
export const getRevisionHtml = defineRoute({
  method: 'GET',
  path: '/revision/{id}/html',
  doc: {
    id: 'getRevisionHtml',
    tag: 'Revisions',
    summary: 'Read the HTML of a revision',
    description: 'Made with the templates of today.',
    answer: {
      description:
        'A document of HTML 2.1.0, or of the version that the profile names if it came from another server',
      type: 'text/html',
      schema: { type: 'string' },
    },
    errors: ['rest-nonexistent-revision', 'rest-permission-denied-revision', ...HTML_ERRORS],
  },
  params: { id: integer('id of the revision') },
  query: { stash: optional(boolean(STASH)) },
  handler({ params, query, request, wiki }, context) {
    const revision = requireShownRevision(context, params.id)
    const isCurrent = context.store.watchPast()
    const asked = { revisionId: revision.id, request, wiki, stash: query.stash === true, isCurrent }
    return htmlReply(asked, context)
  },
})

/** Answers a revision with its HTML; 403 when its text is hidden. */
export const getRevisionWithHtml = defineRoute({
  method: 'GET',
  path: '/revision/{id}/with_html',
  doc: {
    id: 'getRevisionWithHtml',
    tag: 'Revisions',
    summary: 'Read a revision with its HTML',
    description: 'As the two routes `getRevision` and `getRevisionHtml` together.',
    answer: { description: 'The revision and its HTML', schema: ref('RevisionHtml') },
    errors: ['rest-nonexistent-revision', 'rest-permission-denied-revision', ...HTML_ERRORS],
  },
  params: { id: integer('id of the revision') },
  query: { stash: optional(boolean(STASH)) },
  handler({ params, query, request, wiki }, context) {
    const revision = requireShownRevision(context, params.id)
    const fields = `${commonFields(revision, context.store, wiki)},"html":`
    const head = continueObject(reopenObject(revision.json), fields)
    const isCurrent = context.store.watchPast()
    const look = lookOf(revision)
    const asked = { revisionId: revision.id, request, wiki, stash: query.stash === true, isCurrent, look }
    return withHtmlReply(asked, head, context)
  },
})

/** A revision whose HTML the client may read. */
function requireShownRevision(context: HttpContext, id: Integer): RevisionRow {
  const revision = requireRevision(context.store, id)
  requireRenderings(context)
  if (revision.textHidden) throw new HttpError('rest-permission-denied-revision', [revision.id])
  return revision
}

const CLOSING_BRACE = Buffer.from('}')

/** The text of a revision as a JSON string in UTF-8. A compute thread converts long texts. */
function revisionSource(
  { id, sizeBytes }: RevisionRow,
  { store, pool }: Pick<HttpContext, 'store' | 'pool'>,
): Uint8Array | Promise<Uint8Array> {
  if (sizeBytes !== undefined && sizeBytes <= MAX_INLINE_BYTES.olderText) {
    return Buffer.from(JSON.stringify(requireText(store.getText(id), id)))
  }
  return pool.run('revisionSource', { revisionId: id }).then((bytes) => requireText(bytes, id))
}

/** The text; when another process has hidden or removed it since its row was read, throws rest-nonexistent-revision. */
function requireText<Text>(text: Text | undefined, revisionId: number): Text {
  if (text === undefined) throw new HttpError('rest-nonexistent-revision', [revisionId])
  return text
}

/** Fields to append to the store's revision object. */
function commonFields(revision: RevisionRow, store: HttpContext['store'], wiki: Wiki): string {
  const page = requirePageOf(store, revision)
  const { pageId: id, namespace, dbkey } = page
  const title = { namespace, dbkey }
  const names = { key: prefixedKey(title, wiki.namespaces), title: prefixedText(title, wiki.namespaces) }
  const pageField = JSON.stringify({ id, ...names })
  return `,"content_model":${JSON.stringify(revision.contentModel)},"page":${pageField}${wiki.licenseField}`
}

/** Hiding, showing again, and a change in bytes from an import all happen without a new time. */
function revisionValidators(revision: RevisionRow, wiki: Wiki): Validators {
  return {
    etag: wiki.revisionTag(revision.id, lookOf(revision)),
    lastModified: revision.textHidden ? undefined : revision.timestamp,
    mayBeNewer: true,
  }
}

function lookOf({ textHidden, userHidden, commentHidden, parentId, json }: RevisionRow): RevisionLook {
  const deltaMissing = parentId !== 0 && json.subarray(-NO_DELTA.length).equals(NO_DELTA)
  return { textHidden, userHidden, commentHidden, deltaMissing }
}

/** End of a revision's stored object when its change in bytes is unknown. */
const NO_DELTA = Buffer.from('"delta":null}')

/** Clients must not keep a partly hidden revision: its parts may be shown again, or more of them hidden. */
function cacheLines({ textHidden, userHidden, commentHidden }: RevisionRow): string {
  return textHidden || userHidden || commentHidden ? '' : CACHE
}
