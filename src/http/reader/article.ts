/** Answers with the HTML of a revision in the shell. */
import { decodeOutline, type Outline } from '../../domain/outline.js'
import { shellPieces } from '../../reader/parts/shell.js'
import {
  type BodyPart,
  conditionally,
  headerLines,
  type Reply,
  reusable,
  validatorLines,
} from '../reply/reply.js'
import type { HttpContext } from '../routing/route.js'
import { ownPart, type PackedPart, packedParts, unpackParts } from '../../storage/html/packedHtml.js'
import { pageLanguages, type PageLanguages, urlsOf } from '../../workers/html/pageLanguages.js'
import { unpackHtml } from '../coding/parts.js'
import { type ReadyHtml, withHtml } from '../views/html.js'
import {
  contentEnd,
  contentStart,
  keepsLinks,
  type LatestFacts,
  partOf,
  policyFor,
  replacementsFor,
  shellView,
} from './articleShell.js'
import { type ArticleSetting, articleTag, type ShownArticle } from './articleTag.js'
import { replaceBytes, type Replacement } from './contentBytes.js'
import { readyParts, shellBasis } from './readyShell.js'
import type { ReadyShell } from '../../storage/html/renderingRow.js'
import { readVariant, shownVariant } from './variants.js'
import type { Visit } from './visit.js'

/** Browsers ask again whether the page has changed, so that they show what their user has just saved. */
const ASK_AGAIN = headerLines({ 'Cache-Control': 'no-cache' })

export interface Article {
  readonly revisionId: number
  /** The page that is shown, which is not the requested one if that is a redirect. */
  readonly pageId: number
  /** Called if the shell has to be made. Reads nothing from the store. */
  readonly shown: () => ShownArticle
  /** Present if the store may have the shell ready. */
  readonly latest?: LatestFacts | undefined
  /** Whether everything apart from the HTML is still as it was. */
  readonly isCurrent: () => boolean
}

/** In the same tick if the store has the HTML. */
export function articleReply(article: Article, visit: Visit, context: HttpContext): Reply | Promise<Reply> {
  const { revisionId, latest } = article
  const { readerSites } = context
  // The next read of the store overwrites the HTML.
  const languages = pageLanguages(article.pageId, context.store)
  const isCurrent = (): boolean =>
    article.isCurrent() &&
    readerSites.site(visit.wiki, visit.variant) === visit.site &&
    pageLanguages(article.pageId, context.store).basis === languages.basis
  return withHtml<Reply | Promise<Reply>>(
    { revisionId, request: visit.request, isCurrent },
    context,
    (ready) => {
      const { shell } = ready
      const variant = shownVariant(ready, visit)
      if (variant !== undefined) return variantAnswer(article, { languages, ready, variant }, visit, context)
      const isReady =
        shell !== undefined &&
        latest !== undefined &&
        keepsLinks(visit, context) &&
        shellBasis(latest, languages, visit, context) === shell.basis
      const shown = { languages, ready }
      if (isReady) return readyAnswer(shell, shown, visit, context)
      if (latest !== undefined && ready.lifetime !== undefined) context.renderings?.renewShell(revisionId)
      return answer(article, shown, visit, context)
    },
  )
}

interface Shown {
  readonly languages: PageLanguages
  readonly ready: ReadyHtml
}

/** Puts the page together from bytes of the store. */
function readyAnswer(
  shell: ReadyShell,
  { languages, ready }: Shown,
  visit: Visit,
  context: HttpContext,
): Reply {
  const menu = menuOf(ready, languages)
  const inside = packedParts(ready.packedHtml)[1]!
  const { etag, policy, parts } = readyParts(shell, { menu, inside }, visit, context)
  return pageOf(ready, { etag, policy }, visit, (reply) => reply({ parts }))
}

function answer(
  article: Article,
  { languages, ready }: Shown,
  visit: Visit,
  context: HttpContext,
): Reply | Promise<Reply> {
  const { outline, shown, replacements, ...frame } = frameOf(article, { languages, ready }, visit, context)
  return pageOf<Reply | Promise<Reply>>(ready, frame, visit, (reply) => {
    const [, inside] = packedParts(ready.packedHtml)
    const content = { menu: menuOf(ready, languages), inside: inside!, replacements }
    return wholeArticle(shown, outline, content, visit, reply)
  })
}

/** A compute thread converts the page. */
function variantAnswer(
  article: Article,
  { languages, ready, variant }: Shown & { readonly variant: string },
  visit: Visit,
  context: HttpContext,
): Reply | Promise<Reply> {
  const { shown, replacements, ...frame } = frameOf(article, { languages, ready, variant }, visit, context)
  return pageOf<Reply | Promise<Reply>>(ready, frame, visit, async (reply) => {
    const menu = menuOf(ready, languages)
    const ownMenu = typeof menu === 'string' ? menu : ownPart(menu)
    const made = await readVariant(ready, { variant, name: shown.name }, visit, context)
    const inVariant = { ...shown, name: made.name }
    const content = { menu: ownMenu, inside: packedParts(made.packedHtml)[0]!, replacements }
    return wholeArticle(inVariant, made.outline, content, visit, reply)
  })
}

/** What stands around the HTML, and the page's tag. */
function frameOf(
  article: Article,
  { languages, ready, ...setting }: Shown & Pick<ArticleSetting, 'variant'>,
  visit: Visit,
  context: HttpContext,
) {
  const outline = decodeOutline(ready.outline)
  const shown = article.shown()
  const policy = policyFor(outline.styles, context)
  const replacements = replacementsFor(shown, visit, context)
  const facts = { languages: languages.basis, policy, replacements, ...setting }
  return { outline, shown, policy, replacements, etag: articleTag(shown, facts, ready, visit.site) }
}

/** The parts of a page that its shell is put around. */
interface Content {
  readonly menu: BodyPart
  readonly inside: PackedPart
  readonly replacements: readonly Replacement[]
}

function wholeArticle(
  shown: ShownArticle,
  outline: Outline,
  { menu, inside, replacements }: Content,
  visit: Visit,
  reply: (body: Reply['body']) => Reply,
): Reply | Promise<Reply> {
  const { above, below } = shown
  const { beforeLanguages, afterLanguages, tail } = shellPieces(shellView(shown, outline, visit))
  const before: BodyPart[] = [...beforeLanguages.map(partOf), menu, afterLanguages.text + contentStart(above)]
  const after = contentEnd(below) + tail.text
  if (replacements.length === 0) return reply({ parts: [...before, inside, after] })
  const head = Buffer.concat(before.map(bytesOf))
  const changed = (html: Uint8Array): Reply =>
    reply(Buffer.concat([head, replaceBytes(html, replacements), Buffer.from(after)]))
  const html = unpackHtml([inside])
  return html instanceof Promise ? html.then(changed) : changed(html)
}

/** The reply that `make` makes of a body, unless the client has the page. */
function pageOf<Result extends Reply | Promise<Reply>>(
  { madeAt, lifetime }: ReadyHtml,
  { etag, policy }: { readonly etag: string; readonly policy: string },
  { request, vary }: Visit,
  make: (reply: (body: Reply['body']) => Reply) => Result,
): Reply | Result {
  const validators = { etag, lastModified: madeAt, mayBeNewer: true }
  const headers = policy + validatorLines(validators) + ASK_AGAIN + vary
  const reply = (body: Reply['body']): Reply => {
    const page = { status: 200, headers, body }
    return lifetime === undefined ? page : reusable(page, { validators, ...lifetime })
  }
  return conditionally<Reply | Result>(request.conditions, validators, () => make(reply))
}

/** The menu kept with the HTML, unless it is outdated. */
function menuOf({ languageMenu: kept, outline }: ReadyHtml, languages: PageLanguages): BodyPart {
  if (kept === undefined) return languages.menu(decodeOutline(outline).languages ?? [])
  return kept.basis === languages.basis ? packedParts(kept.packed)[0]! : languages.menu(urlsOf(kept))
}

const bytesOf = (part: BodyPart): Uint8Array =>
  typeof part === 'string' ? Buffer.from(part) : (part.plain ?? Buffer.from(unpackParts([part])))
