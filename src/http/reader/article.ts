/** Answers with the HTML of a revision in the shell. */
import { decodeOutline, type Outline } from '../../domain/outline.js'
import type { Title } from '../../domain/title.js'
import { trusted } from '../../reader/html.js'
import type { Links } from '../../reader/links.js'
import { type Category, shellPieces, type ShellView } from '../../reader/shell.js'
import {
  type BodyPart,
  conditionally,
  headerLines,
  type Reply,
  reusable,
  validatorLines,
} from '../reply/reply.js'
import type { HttpContext } from '../routing/route.js'
import { packedParts, unpackParts } from '../../storage/packedHtml.js'
import { pageLanguages, type PageLanguages, urlsOf } from '../../workers/html/pageLanguages.js'
import { unpackHtml } from '../coding/unpack.js'
import { type ReadyHtml, withHtml } from '../views/html.js'
import { articleTag, type ShownArticle } from './articleTag.js'
import { ownSections, pagesElsewhere, replaceBytes, type Replacement } from './contentBytes.js'
import { pageHeaders, type PagePolicy } from './pageReply.js'
import { partOf } from './shellParts.js'
import type { Visit } from './visit.js'

/** Fewer headings than this need no contents list. */
const MIN_HEADINGS = 3
/** Browsers ask again whether the page has changed, so that they show what their user has just saved. */
const ASK_AGAIN = headerLines({ 'Cache-Control': 'no-cache' })

export interface Article extends ShownArticle {
  readonly revisionId: number
  /** The page that is shown, which is not the requested one if that is a redirect. */
  readonly pageId: number
  readonly title: Title
  /** Whether everything apart from the HTML is still as it was. */
  readonly isCurrent: () => boolean
}

/** In the same tick if the store has the HTML. */
export function articleReply(article: Article, visit: Visit, context: HttpContext): Reply | Promise<Reply> {
  const { revisionId } = article
  const { readerSites } = context
  // The next read of the store overwrites the HTML.
  const languages = pageLanguages(article.pageId, context.store)
  const isCurrent = (): boolean =>
    article.isCurrent() &&
    readerSites.site(visit.wiki) === visit.site &&
    pageLanguages(article.pageId, context.store).basis === languages.basis
  return withHtml<Reply | Promise<Reply>>({ revisionId, isCurrent }, context, (ready) => {
    return answer(article, { languages, ready }, visit, context)
  })
}

interface Parts {
  readonly languages: PageLanguages
  readonly ready: ReadyHtml
}

function answer(article: Article, parts: Parts, visit: Visit, context: HttpContext): Reply | Promise<Reply> {
  const { languages, ready } = parts
  const outline = decodeOutline(ready.outline)
  const policy = pageHeaders(policyFor(outline, context))
  const replacements = replacementsFor(article, visit, context)
  const etag = articleTag(article, { languages: languages.basis, policy, replacements }, ready, visit.site)
  const validators = { etag, lastModified: ready.madeAt, mayBeNewer: true }
  return conditionally<Reply | Promise<Reply>>(visit.request.conditions, validators, () => {
    const { beforeLanguages, afterLanguages, tail } = shellPieces(shellView(article, outline, visit))
    const menu = menuOf(ready, outline, languages)
    const start = `${afterLanguages.text}<div class="mw-parser-output">${article.above?.text ?? ''}`
    const before: BodyPart[] = [...beforeLanguages.map(partOf), menu, start]
    const after = `</div>${article.below?.text ?? ''}${tail.text}`
    const reply = (body: Reply['body']): Reply => {
      const page = { status: 200, headers: policy + validatorLines(validators) + ASK_AGAIN, body }
      return ready.lifetime === undefined ? page : reusable(page, { validators, ...ready.lifetime })
    }
    const [, inside] = packedParts(ready.packedHtml)
    if (replacements.length === 0) return reply({ parts: [...before, inside!, after] })
    const head = Buffer.concat(before.map(bytesOf))
    const changed = (html: Uint8Array): Reply =>
      reply(Buffer.concat([head, replaceBytes(html, replacements), Buffer.from(after)]))
    const html = unpackHtml([inside!])
    return html instanceof Promise ? html.then(changed) : changed(html)
  })
}

/** The menu kept with the HTML, unless it is outdated. */
function menuOf({ languageMenu: kept }: ReadyHtml, outline: Outline, languages: PageLanguages): BodyPart {
  if (kept === undefined) return languages.menu(outline.languages ?? [])
  return kept.basis === languages.basis ? packedParts(kept.packed)[0]! : languages.menu(urlsOf(kept))
}

const bytesOf = (part: BodyPart): Uint8Array =>
  typeof part === 'string' ? Buffer.from(part) : (part.plain ?? Buffer.from(unpackParts([part])))

function shellView({ key, name, path, view }: Article, outline: Outline, { site, links }: Visit): ShellView {
  const { headings, categories, hidesContents, isUnlisted, lead, picture, displayTitle } = outline
  const contents = headings.map(([level, id, text]) => ({ level, id, text }))
  const absolutePicture = picture?.replace(/^\/\//, 'https://')
  return {
    ...view,
    site,
    title: name,
    path,
    canonical: links.page(key),
    isListed: view.isListed === true && isUnlisted !== true,
    contents: hidesContents === true || contents.length < MIN_HEADINGS ? [] : contents,
    categories: categories.map((category) => categoryOf(category, links)),
    ...(displayTitle !== undefined && { heading: trusted(displayTitle) }),
    ...(lead !== '' && { description: lead }),
    ...(absolutePicture !== undefined && { picture: absolutePicture }),
  }
}

function categoryOf([key, exists]: Outline['categories'][number], links: Links): Category {
  const name = key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')
  return { name, href: links.page(key), isMissing: exists === 0 }
}

/** Links of the HTML are relative to the base URL, which is that of the pages of this server. */
function replacementsFor(
  { key, path }: Article,
  { links, site }: Visit,
  { config }: HttpContext,
): Replacement[] {
  const own = path === links.page(key) ? [] : ownSections(key, path)
  const upstream = config.readerLinks === 'upstream' ? site.upstream : undefined
  return upstream === undefined ? own : [...own, ...pagesElsewhere(upstream)]
}

function policyFor({ styles }: Outline, { readerSites }: HttpContext): PagePolicy {
  return { styleHashes: styles.map((hash) => `'sha256-${hash}'`), mediaOrigins: readerSites.mediaOrigins }
}
