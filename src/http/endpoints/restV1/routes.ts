/**
 * `/api/rest_v1`: the routes of Wikimedia's older REST interface that programs use most. Shapes of the answers: Summary
 * 1.5.0 and MediaList 1.1.0. Sources: their published descriptions.
 */
import { FILE, MAIN, TEMPLATE } from '../../../domain/namespaceIds.js'
import { directionOf } from '../../../domain/direction.js'
import { encodePercent } from '../../../domain/percent.js'
import { formatTimestamp } from '../../../domain/timestamp.js'
import { prefixedKey, prefixedText } from '../../../domain/title.js'
import { decodeOutline } from '../../../domain/outline.js'
import type { MediaItem } from '../../../reader/mediaItems.js'
import type { PageLead } from '../../../reader/extract.js'
import { html } from '../../../reader/html.js'
import { encodeTitle } from '../../../reader/links.js'
import { type PackedPart, packedParts } from '../../../storage/html/packedHtml.js'
import type { NamedFile } from '../../../storage/pages/files.js'
import { addressesOf } from '../../actionApi/addresses.js'
import { FilePictures } from '../../actionApi/fileFields.js'
import { shownOf } from '../../actionApi/revisionFields.js'
import { propertiesOf } from '../../actionApi/pageProperties.js'
import { htmlReply, type ReadyHtml, withHtml } from '../../views/html.js'
import { conditionally, headerLines, type Reply, reusable, validatorLines } from '../../reply/reply.js'
import {
  boolean,
  type Integer,
  integer,
  optional,
  pageTitle,
  type RequestedTitle,
  text,
} from '../../request/params.js'
import type { RequestView } from '../../request/requestView.js'
import type { Wiki } from '../../request/wiki.js'
import { defineRoute, type HttpContext } from '../../routing/route.js'
import { mainPagePath } from '../../views/mainPage.js'
import { headersOf, isReply, problem, problemPage, REST_V1, type ShownPage, shownPage } from './pages.js'

const SUMMARY = headersOf('Summary/1.5.0')
const MEDIA_LIST = headersOf('MediaList/1.1.0')
const TITLE = headersOf('title/1.0.0')
const NO_LEAD: PageLead = { text: '', html: '' }
/** Width of a picture beside a summary. */
const THUMBNAIL_WIDTH = 320

interface PageRequest {
  readonly params: { readonly title: RequestedTitle; readonly revision?: Integer }
  readonly query: { readonly redirect: boolean | undefined }
  readonly request: RequestView
  readonly wiki: Wiki
}

/** Two routes: for the latest revision, and for one that the path names. */
function pageRoutes(
  form: 'summary' | 'html' | 'media-list' | 'title',
  answer: (found: ShownPage, asked: PageRequest, context: HttpContext) => Reply | Promise<Reply>,
): ReturnType<typeof defineRoute>[] {
  const handle = (asked: PageRequest, context: HttpContext): Reply | Promise<Reply> => {
    const { params, query, wiki } = asked
    const follows = query.redirect !== false
    const found = shownPage(
      { form, requested: params.title, revisionId: params.revision, follows },
      wiki,
      context,
    )
    return isReply(found) ? found : answer(found, asked, context)
  }
  const shared = { method: 'GET', root: 'top', errorPage: problemPage } as const
  const query = { redirect: optional(boolean('false: answer a redirect itself')) }
  const path = `${REST_V1}/page/${form}/{title}`
  const title = pageTitle()
  const revision = integer('id of a revision')
  return [
    defineRoute({ ...shared, path, params: { title }, query, handler: handle }),
    defineRoute({
      ...shared,
      path: `${path}/{revision}`,
      params: { title, revision },
      query,
      handler: handle,
    }),
  ]
}

/** What an answer shows beside the text: if it changes, so does the answer. */
interface Look {
  readonly description: string | undefined
  readonly picture: NamedFile | undefined
  readonly hasTalk: boolean
}

function lookOf({ title, page }: ShownPage, { store }: HttpContext): Look {
  const { picture, description } = store.search.pageFacts(page.pageId)
  const name = title.namespace === FILE ? title.dbkey : picture
  return {
    description,
    picture: name === undefined ? undefined : store.findFile(name),
    hasTalk: title.namespace % 2 === 1 || store.getPage(title.namespace + 1, title.dbkey) !== undefined,
  }
}

const lookKey = ({ description, picture, hasTalk }: Look): string =>
  `${description}\n${picture?.dbkey}\n${picture?.facts.sha1}\n${hasTalk}`

/** An answer made from the inside of the HTML's body, good as long as the page, its HTML and its look are. */
function fromHtml(
  found: ShownPage,
  { request, wiki }: PageRequest,
  context: HttpContext,
  {
    headers,
    make,
  }: {
    readonly headers: string
    readonly make: (parts: readonly PackedPart[], ready: ReadyHtml, tid: string) => Promise<object>
  },
): Reply | Promise<Reply> {
  const { revision, isLatest, unchanged } = found
  const isCurrent = (): boolean =>
    isLatest ? unchanged() : context.store.getRevision(revision.id)?.textHidden === false
  const look = lookKey(lookOf(found, context))
  const page = { revisionId: revision.id, request, isCurrent }
  return withHtml<Reply | Promise<Reply>>(page, context, (ready) => {
    const { lifetime, packedHtml } = ready
    const etag = wiki.htmlTag(revision.id, ready.tag, { flavour: 'view/html' })
    const tid = etag.split('/')[1] ?? ''
    const validators = { etag, lastModified: ready.madeAt, mayBeNewer: true }
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, async () => {
      const [, body] = packedParts(packedHtml)
      // The task may wait, and `slice` of a Buffer copies nothing.
      const own = body === undefined ? [] : [{ ...body, packed: new Uint8Array(body.packed) }]
      const answer = await make(own, { ...ready, outline: new Uint8Array(ready.outline) }, tid)
      const reply = {
        status: 200,
        headers: headers + validatorLines(validators),
        body: Buffer.from(JSON.stringify(answer)),
      }
      if (lifetime === undefined) return reply
      const isSame = (): boolean =>
        lifetime.isCurrent?.() !== false && lookKey(lookOf(found, context)) === look
      return reusable(reply, { validators, ...lifetime, isCurrent: isSame, namesHost: true })
    })
  })
}

const summary = pageRoutes('summary', (found, asked, context) => {
  const { title, key, page, revision } = found
  const { wiki, request } = asked
  const baseUrl = request.baseUrl()
  return fromHtml(found, asked, context, {
    headers: SUMMARY,
    make: async (parts, { outline }, tid) => {
      const isText = revision.contentModel === 'wikitext' && title.namespace !== FILE
      const templates = encodeTitle(wiki.namespaces.keyPrefix(TEMPLATE))
      const lead: PageLead = isText ? await context.pool.run('lead', { parts, templates }) : NO_LEAD
      const { description, picture, hasTalk } = lookOf(found, context)
      const properties = propertiesOf(page, context.store)
      const normalized = prefixedText(title, wiki.namespaces)
      const display = decodeOutline(outline).displayTitle ?? html`${normalized}`.toString()
      const pictures = new FilePictures({ context, baseUrl })
      const thumbnail = picture && pictures.within(picture, { width: THUMBNAIL_WIDTH })
      const original = picture && pictures.original(picture)
      const item = properties.get('wikibase_item')
      return {
        type: typeOf(found, asked, context, properties.has('disambiguation'), lead),
        title: normalized,
        displaytitle: display,
        namespace: { id: title.namespace, text: wiki.namespaces.byId(title.namespace)?.name ?? '' },
        ...(item !== undefined && /^Q\d+$/.test(item) && { wikibase_item: item }),
        titles: { canonical: key, normalized, display },
        pageid: page.pageId,
        ...(thumbnail && { thumbnail }),
        ...(original && { originalimage: original }),
        lang: wiki.site.language,
        dir: directionOf(wiki.site.language),
        revision: String(revision.id),
        tid,
        timestamp: formatTimestamp(revision.timestamp),
        ...(description !== undefined && { description, description_source: 'local' }),
        content_urls: urlsOf(found, hasTalk, baseUrl, wiki, context),
        extract: lead.text,
        extract_html: lead.html,
      }
    },
  })
})

function typeOf(
  { key }: ShownPage,
  { wiki }: PageRequest,
  context: HttpContext,
  isDisambiguation: boolean,
  { text: extract }: PageLead,
): 'standard' | 'disambiguation' | 'mainpage' | 'no-extract' {
  const { links } = addressesOf({ baseUrl: '', context })
  if (extract === '') return 'no-extract'
  if (mainPagePath(wiki, context, links) === links.page(key)) return 'mainpage'
  return isDisambiguation ? 'disambiguation' : 'standard'
}

function urlsOf(
  { title, key }: ShownPage,
  hasTalk: boolean,
  baseUrl: string,
  { namespaces }: Wiki,
  context: HttpContext,
): object {
  const { url } = addressesOf({ baseUrl, context })
  const page = url(key)
  const talk = title.namespace % 2 === 1 ? title : { ...title, namespace: title.namespace + 1 }
  const urls = {
    page,
    revisions: `${page}?action=history`,
    edit: `${page}?action=edit`,
    ...(hasTalk && { talk: url(prefixedKey(talk, namespaces)) }),
  }
  return { desktop: urls, mobile: urls }
}

const pageHtml = pageRoutes('html', ({ revision, isLatest, unchanged }, { request, wiki }, context) => {
  const isCurrent = (): boolean =>
    isLatest ? unchanged() : context.store.getRevision(revision.id)?.textHidden === false
  return htmlReply({ revisionId: revision.id, request, wiki, stash: false, isCurrent }, context)
})

const mediaList = pageRoutes('media-list', (found, asked, context) =>
  fromHtml(found, asked, context, {
    headers: MEDIA_LIST,
    make: async (parts, _ready, tid) => {
      const items = await context.pool.run('mediaItems', { parts })
      const lead = items.findIndex(
        ({ type, section, isShown }) => type === 'image' && section === 0 && isShown,
      )
      const shown = items.map((item, at) => mediaFields(item, at === lead))
      return { revision: String(found.revision.id), tid, items: shown }
    },
  }),
)

const mediaFields = (
  { title, type, section, isShown, sources, caption }: MediaItem,
  leadImage: boolean,
): object => ({
  title,
  leadImage,
  section_id: section,
  type,
  ...(caption && { caption }),
  showInGallery: isShown,
  ...(sources.length > 0 && { srcset: sources }),
})

const pageTitleFacts = pageRoutes('title', (found, { request, wiki }, { store }) => {
  const { key, title, page, revision, unchanged } = found
  const { user, comment } = shownOf(revision)
  const item = {
    title: key,
    page_id: page.pageId,
    rev: revision.id,
    namespace: title.namespace,
    user_id: user?.id ?? null,
    user_text: user?.name ?? null,
    timestamp: formatTimestamp(revision.timestamp),
    comment: comment ?? null,
    page_language: wiki.site.language,
    redirect: page.redirectTarget !== undefined,
  }
  const validators = { etag: `"${revision.id}/title"`, lastModified: revision.timestamp, mayBeNewer: true }
  return conditionally(request.conditions, validators, () =>
    reusable(
      {
        status: 200,
        headers: TITLE + validatorLines(validators),
        body: Buffer.from(JSON.stringify({ items: [item] })),
      },
      { validators, isCurrent: () => unchanged() && store.getRevision(revision.id)?.textHidden === false },
    ),
  )
})

const FORMS: ReadonlySet<string> = new Set(['title', 'summary', 'html', 'media-list'])

const random = defineRoute({
  method: 'GET',
  root: 'top',
  path: `${REST_V1}/page/random/{form}`,
  params: { form: text('`title`, `summary`, `html` or `media-list`') },
  errorPage: problemPage,
  handler({ params: { form }, wiki }, { store }) {
    const path = `${REST_V1}/page/random/${encodePercent(form.toWellFormed())}`
    if (!FORMS.has(form)) return problem(404, 'Not found.', 'There are no such answers.', path)
    const title = store.lists.random(MAIN, Math.random)
    if (title === undefined) return problem(404, 'Not found.', 'The wiki has no page.', path)
    const location = `../${form}/${encodePercent(prefixedKey(title, wiki.namespaces))}`
    return {
      status: 303,
      headers: headerLines({
        Location: location,
        'Cache-Control': 'no-cache',
        'Access-Control-Allow-Origin': '*',
      }),
      body: new Uint8Array(),
    }
  },
})

export const restV1Routes = [...summary, ...pageHtml, ...mediaList, ...pageTitleFacts, random]
