/** Links of a page: to other languages (spec 4.9), and to the files that it uses (spec 4.10). */
import { documentationOf } from '../../domain/contentModel.js'
import { compareUtf8, type Title } from '../../domain/title.js'
import { timeDigits } from '../../domain/timestamp.js'
import { bodyDigest } from '../reply/bodies.js'
import { HttpError, POOL_ERRORS } from '../reply/errors.js'
import { type FileBody, fileBody, type FileView, fileView } from '../views/fileBodies.js'
import { type FoundLinks, MAX_FILES } from '../cache/expandedLinks.js'
import { requirePage } from '../views/lookup.js'
import { list, object, ref } from '../openapi/schemas.js'
import { pageTitle } from '../request/params.js'
import type { RequestView } from '../request/requestView.js'
import { conditionally, json, type Reply, reusable } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/tasks.js'

/** Answers the page's counterparts in other languages by language code; an empty list when it has none. */
export const getLanguageLinks = defineRoute({
  method: 'GET',
  path: '/page/{title}/links/language',
  doc: {
    id: 'getPageLanguages',
    tag: 'Pages',
    summary: 'List the same page in other languages',
    description:
      'From the imported table `langlinks`, which has the links of Wikidata too. For a page without rows there, from ' +
      'links such as `[[de:Haus]]` in the page and its templates; the first link of each language counts.',
    answer: {
      description: 'Links by language code, none when there are none',
      schema: list(ref('LanguageLink')),
    },
    errors: ['rest-nonexistent-title', ...POOL_ERRORS],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, { pages, store, expandedLinks }) {
    // Read before the page, since the next read of the store overwrites its row.
    const hasTable = store.imported.has('langlinks')
    const { page, title } = requirePage(pages, params.title)
    const { pageId, latestId, latestTimestamp, source } = page
    const state = `${latestId}@${timeDigits(latestTimestamp)}`
    const [sourceBytes, isExpanded] = [source.length, hasTemplates(title, source)]
    const imported = hasTable ? store.imported.languageLinksJson(pageId) : undefined
    if (imported !== undefined) return importedAnswer(imported, { state, latestTimestamp, request })
    const isUnchanged = pages.unchanged(title, page)
    const isCurrent = (): boolean => isUnchanged() && !store.imported.hasLanguageLinks(pageId)
    if (isExpanded) {
      return whenFound(expandedLinks.of(title, page), (links) => {
        const { languages: body, languagesDigest, goodUntilMs } = links
        // Templates change the list too, so the tag depends on the list itself.
        const etag = `"${state}.${languagesDigest}"`
        const validators = { etag, lastModified: latestTimestamp, mayBeNewer: true }
        const hasSameLinks = expandedLinks.unchanged(links)
        const reuse = {
          validators,
          isCurrent: () => isCurrent() && hasSameLinks(),
          ...(goodUntilMs !== undefined && { goodUntilMs }),
        }
        return conditionally<Reply>(request.conditions, validators, () =>
          reusable(json(body, validators), reuse),
        )
      })
    }
    // Operators decide which prefixes are languages, at any time, so the tag contains the state of that list.
    const { interwiki } = wiki.site
    const map = interwiki === undefined ? '' : `.${interwiki}`
    const validators = {
      etag: `"${state}${map}"`,
      lastModified: latestTimestamp,
      mayBeNewer: interwiki !== undefined,
    }
    const answer = (body: Uint8Array): Reply => reusable(json(body, validators), { validators, isCurrent })
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, () =>
      sourceBytes <= MAX_INLINE_BYTES.linkSearch
        ? answer(store.links.languagesJson(hasTable ? pages.find(title)! : page))
        : whenFound(expandedLinks.of(title, page), ({ languages }) => answer(languages)),
    )
  },
})

/** Answers in the same tick if the links are known. */
function whenFound(
  links: FoundLinks | Promise<FoundLinks>,
  answer: (links: FoundLinks) => Reply,
): Reply | Promise<Reply> {
  return links instanceof Promise ? links.then(answer) : answer(links)
}

/** The links of an imported table. It may be older or newer than the page, so the tag depends on the list itself. */
function importedAnswer(
  body: Buffer,
  page: {
    readonly state: string
    readonly latestTimestamp: number
    readonly request: Pick<RequestView, 'conditions'>
  },
): Reply {
  const etag = `"${page.state}.${bodyDigest(body)}"`
  const validators = { etag, lastModified: page.latestTimestamp, mayBeNewer: true }
  return conditionally<Reply>(page.request.conditions, validators, () =>
    reusable(json(body, validators), { validators }),
  )
}

/**
 * Answers the files that a page and its templates use, by name, without thumbnails; an empty list when it uses none.
 */
export const getMediaLinks = defineRoute({
  method: 'GET',
  path: '/page/{title}/links/media',
  doc: {
    id: 'getMediaLinks',
    tag: 'Pages',
    summary: 'List the files that a page uses',
    description:
      'Pictures, galleries and links to files, those of templates too. Files that do not exist are left out. ' +
      'The imported table `imagelinks` goes before the text.',
    answer: { description: 'Files by name', schema: object({ files: list(ref('File'), { maxItems: 100 }) }) },
    errors: ['rest-nonexistent-title', 'rest-media-too-many-links', ...POOL_ERRORS],
  },
  params: { title: pageTitle() },
  handler({ params, request, wiki }, { pages, store, config, expandedLinks }) {
    // Read before the page, since the next read of the store overwrites its row.
    const hasTable = store.imported.has('imagelinks')
    const { page, title } = requirePage(pages, params.title)
    const { pageId, latestId, latestTimestamp, source } = page
    const isPlain = source.length <= MAX_INLINE_BYTES.linkSearch && !hasTemplates(title, source)
    const limit = MAX_FILES + 1
    const imported = hasTable ? store.imported.files(pageId, limit) : undefined
    const view = fileView(config, request.baseUrl(), wiki)
    const answer = (names: readonly string[], goodUntilMs?: number): Reply => {
      if (names.length > MAX_FILES) {
        throw new HttpError('rest-media-too-many-links', [params.title.asked, MAX_FILES])
      }
      const body = Buffer.from(JSON.stringify({ files: fileBodies(names, store, view) }))
      // Templates and file redirects change the list too, so the tag depends on the list itself.
      const validators = {
        etag: `"${latestId}@${timeDigits(latestTimestamp)}.${bodyDigest(body)}"`,
        lastModified: Math.max(latestTimestamp, store.fileChanges().newest),
        // Templates, file redirects and imported tables have no time here, and older contents may replace newer ones.
        mayBeNewer: true,
      }
      const reuse = {
        validators,
        namesHost: true,
        ...(goodUntilMs !== undefined && { goodUntilMs }),
      }
      return conditionally<Reply>(request.conditions, validators, () =>
        reusable(json(body, validators), reuse),
      )
    }
    if (imported !== undefined) return answer(imported)
    if (isPlain) return answer(store.links.files(hasTable ? pages.find(title)! : page, limit))
    const links = expandedLinks.of(title, page)
    return whenFound(links, ({ files, goodUntilMs }) => answer(files, goodUntilMs))
  },
})

/** True if links may come from other pages: from templates, or from the documentation of a module. */
function hasTemplates(title: Title, source: Buffer): boolean {
  return source.includes('{{') || documentationOf(title) !== undefined
}

/** Objects of the existing files, each once, sorted by name. */
function fileBodies(names: readonly string[], store: HttpContext['store'], view: FileView): FileBody[] {
  const files = new Map<string, FileBody>()
  for (const name of names) {
    const file = store.findFile(name)
    if (file !== undefined && view.urls.canShow(file.facts))
      files.set(file.dbkey, fileBody(file.dbkey, file.facts, view))
  }
  const byName = [...files].sort(([one], [other]) => compareUtf8(one, other))
  return byName.map(([, body]) => body)
}
