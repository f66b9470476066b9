/**
 * `/api/rest_v1`: the routes of Wikimedia's older REST interface that programs use most. Shapes of the answers: Summary
 * 1.5.0 and MediaList 1.1.0. Sources: their published descriptions.
 */
import { hash } from 'node:crypto'
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
import { ownBody, type PackedPart } from '../../../storage/html/packedHtml.js'
import type { NamedFile } from '../../../storage/pages/files.js'
import { addressesOf } from '../../actionApi/addresses.js'
import { FilePictures } from '../../actionApi/fileFields.js'
import { shownOf } from '../../actionApi/revisionFields.js'
import { propertiesOf } from '../../actionApi/pageProperties.js'
import { htmlReply, withHtml } from '../../views/html.js'
import { conditionally, type Reply, reusable, validatorLines } from '../../reply/reply.js'
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
import {
  FORMS,
  headersOf,
  isReply,
  type PageForm,
  problem,
  problemPage,
  REST_V1,
  seeAt,
  shownPage,
  type ShownPage,
} from './pages.js'

const SUMMARY = headersOf('Summary/1.5.0')
const MEDIA_LIST = headersOf('MediaList/1.1.0')
const TITLE = headersOf('title/1.0.0')
const NO_LEAD: PageLead = { text: '', html: '' }
/** Hex digits of a tag for what stands beside the text. */
const LOOK_DIGITS = 8
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
  form: PageForm,
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

/** What a summary shows beside the text. */
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

interface Making {
  readonly headers: string
  /** Names what the answer shows beside the HTML: if that changes, so do the answer and its tag. */
  readonly look?: () => string
  readonly make: (parts: readonly PackedPart[], outline: Uint8Array, tid: string) => Promise<object>
}

/** An answer made from the inside of the HTML's body, good as long as the page, its HTML and its look are. */
function fromHtml(
  { revision, isCurrent }: ShownPage,
  { request, wiki }: PageRequest,
  context: HttpContext,
  { headers, look = () => '', make }: Making,
): Reply | Promise<Reply> {
  const seen = look()
  const page = { revisionId: revision.id, request, isCurrent: () => isCurrent() && look() === seen }
  return withHtml<Reply | Promise<Reply>>(page, context, ({ packedHtml, outline, tag, madeAt, lifetime }) => {
    const htmlTag = wiki.htmlTag(revision.id, tag, { flavour: 'view/html' })
    const [, tid = ''] = htmlTag.split('/')
    const etag = seen === '' ? htmlTag : `"${revision.id}/${tid}/${hash('sha1', seen).slice(0, LOOK_DIGITS)}"`
    const validators = { etag, lastModified: madeAt, mayBeNewer: true }
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, async () => {
      const answer = await make(ownBody(packedHtml), new Uint8Array(outline), tid)
      const reply = {
        status: 200,
        headers: headers + validatorLines(validators),
        body: Buffer.from(JSON.stringify(answer)),
      }
      return lifetime === undefined ? reply : reusable(reply, { validators, ...lifetime, namesHost: true })
    })
  })
}

const summary = pageRoutes('summary', (found, asked, context) => {
  const { title, key, page, revision } = found
  const { wiki, request } = asked
  const baseUrl = request.baseUrl()
  const { description, picture, hasTalk } = lookOf(found, context)
  return fromHtml(found, asked, context, {
    headers: SUMMARY,
    look: () => lookKey(lookOf(found, context)),
    make: async (parts, outline, tid) => {
      const isText = revision.contentModel === 'wikitext' && title.namespace !== FILE
      const templates = encodeTitle(wiki.namespaces.keyPrefix(TEMPLATE))
      const lead: PageLead = isText ? await context.pool.run('lead', { parts, templates }) : NO_LEAD
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

const pageHtml = pageRoutes('html', ({ revision, isCurrent }, { request, wiki }, context) =>
  htmlReply({ revisionId: revision.id, request, wiki, stash: false, isCurrent }, context),
)

const mediaList = pageRoutes('media-list', (found, asked, context) =>
  fromHtml(found, asked, context, {
    headers: MEDIA_LIST,
    make: async (parts, _outline, tid) => {
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

const pageTitleFacts = pageRoutes('title', (found, { request, wiki }) => {
  const { key, title, page, revision, isCurrent } = found
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
      { validators, isCurrent },
    ),
  )
})

const random = defineRoute({
  method: 'GET',
  root: 'top',
  path: `${REST_V1}/page/random/{form}`,
  params: { form: text('`title`, `summary`, `html` or `media-list`') },
  errorPage: problemPage,
  handler({ params: { form }, wiki }, { store }) {
    const path = `${REST_V1}/page/random/${encodePercent(form.toWellFormed())}`
    if (!(FORMS as readonly string[]).includes(form))
      return problem(404, 'Not found.', 'There are no such answers.', path)
    const title = store.lists.random(MAIN, Math.random)
    if (title === undefined) return problem(404, 'Not found.', 'The wiki has no page.', path)
    const location = `../${form}/${encodePercent(prefixedKey(title, wiki.namespaces))}`
    return seeAt(303, location, 'no-cache')
  },
})

export const restV1Routes = [...summary, ...pageHtml, ...mediaList, ...pageTitleFacts, random]
