/** Links of a page: to other languages (spec 4.9), and the files that it uses (spec 4.10). */
import { formatTimestamp } from '../../domain/timestamp.js'
import { HttpError } from '../errors.js'
import { fileBody } from '../fileBodies.js'
import { fileView } from '../fileView.js'
import { requirePage } from '../lookup.js'
import { POOL_ERRORS } from '../openapi/routeDoc.js'
import { list, object, ref } from '../openapi/schemas.js'
import { pageTitle } from '../params.js'
import { conditionally, json, type Reply, reusable } from '../reply.js'
import { defineRoute } from '../route.js'

/** Texts up to this size are searched for links on the event loop: that stays well below a millisecond. */
const MAX_INLINE_BYTES = 64 * 1024
/** Spec 8. Links to files that do not exist count too. */
const MAX_FILES = 100

/** Answers the page's counterparts in other languages, by language code; an empty list when there are none. */
export const getLanguageLinks = defineRoute({
  method: 'GET',
  path: '/page/{title}/links/language',
  doc: {
    id: 'getPageLanguages',
    tag: 'Pages',
    summary: 'List the same page in other languages',
    answer: {
      description: 'Links by language code, none when there are none',
      schema: list(ref('LanguageLink')),
    },
    errors: ['rest-nonexistent-title', ...POOL_ERRORS],
  },
  params: { title: pageTitle() },
  handler({ params, request }, { pages, store, pool }) {
    const { page, title } = requirePage(pages, params.title)
    const { pageId, latestId, latestTimestamp, source } = page
    const sourceBytes = source.length
    const etag = `"${latestId}@${digitsOf(latestTimestamp)}"`
    const validators = { etag, lastModified: latestTimestamp }
    const reuse = { validators, isCurrent: pages.unchanged(title, page) }
    const answer = (links: object): Reply => reusable(json(links, validators), reuse)
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, () =>
      sourceBytes <= MAX_INLINE_BYTES
        ? answer(store.languageLinks(pageId))
        : pool.run('languageLinks', { pageId }).then(answer),
    )
  },
})

/** Answers the files that a page uses, by name, without thumbnails; an empty list when there are none. */
export const getMediaLinks = defineRoute({
  method: 'GET',
  path: '/page/{title}/links/media',
  doc: {
    id: 'getMediaLinks',
    tag: 'Pages',
    summary: 'List the files that a page uses',
    answer: { description: 'Files by name', schema: object({ files: list(ref('File'), { maxItems: 100 }) }) },
    errors: ['rest-nonexistent-title', 'rest-media-too-many-links', ...POOL_ERRORS],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, { pages, store, pool, config }) {
    const { pageId, latestId, latestTimestamp, source } = requirePage(pages, params.title).page
    const sourceBytes = source.length
    const changes = store.fileChanges()
    const validators = {
      etag: `"${latestId}@${digitsOf(latestTimestamp)}.${changes.count}.${wiki.fileTag}"`,
      lastModified: Math.max(latestTimestamp, changes.newest),
    }
    const view = fileView(config, request.baseUrl(), wiki)
    const answer = (names: readonly string[]): Reply => {
      if (names.length > MAX_FILES) {
        throw new HttpError('rest-media-too-many-links', [params.title.asked, MAX_FILES])
      }
      const files = names.flatMap((dbkey) => {
        const facts = store.getFile(dbkey)
        return facts !== undefined && view.urls.canShow(facts) ? [fileBody(dbkey, facts, view)] : []
      })
      return reusable(json({ files }, validators), { validators, namesHost: true })
    }
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, () =>
      sourceBytes <= MAX_INLINE_BYTES
        ? answer(store.mediaLinks(pageId, MAX_FILES + 1))
        : pool.run('mediaLinks', { pageId, limit: MAX_FILES + 1 }).then(answer),
    )
  },
})

/** `20261120214807`: a time as MediaWiki writes it into tags. */
function digitsOf(seconds: number): string {
  return formatTimestamp(seconds).replace(/\D/g, '')
}
