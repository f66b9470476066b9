/**
 * Shells that the store keeps with the HTML of a page: of its latest revision, under its own title and without notices.
 * Such a page needs no template, and nothing of it is compressed for the request. All other shells are made for their
 * requests.
 *
 *     start │ links of the site │ metadata │ header │ heading │ menu │ start of the content │ HTML │ end
 *
 * All pages of a site share its links and the header. The menu and the HTML have places of their own in the row.
 */
import { hash } from 'node:crypto'
import { CATEGORY, FILE } from '../../domain/namespaceIds.js'
import { decodeOutline } from '../../domain/outline.js'
import { prefixedKey, type Title } from '../../domain/title.js'
import { SharedHtml } from '../../reader/html.js'
import { sharedPieces, shellPieces } from '../../reader/parts/shell.js'
import type { ReaderSite } from '../../reader/site.js'
import { packedParts, packInParts } from '../../storage/html/packedHtml.js'
import type { ReadyShell } from '../../storage/html/renderingRow.js'
import type { ShellMaker } from '../../workers/html/shells.js'
import { pageLanguages, type PageLanguages } from '../../workers/html/pageLanguages.js'
import type { BodyPart } from '../reply/reply.js'
import type { HttpContext } from '../routing/route.js'
import type { Wiki } from '../request/wiki.js'
import {
  contentEnd,
  contentStart,
  keepsLinks,
  latestArticle,
  type LatestFacts,
  partOf,
  type Place,
  policyFor,
  shellView,
} from './articleShell.js'
import { articleTag, shellDigest } from './articleTag.js'
import { pageFrame } from './pageFrame.js'

type MadeHtml = Parameters<ShellMaker>[0]

const BASIS_DIGITS = 16
/** Between the facts: the entity tag, then the hashes of style blocks. */
const SEPARATOR = ' '

/** Pages with lists or a picture of their own are made for each request. */
export const mayBeReady = ({ namespace }: Title): boolean => namespace !== FILE && namespace !== CATEGORY

/** Differs whenever the shell of the same HTML differs. */
export function shellBasis(
  { key, lastChanged, frame }: LatestFacts,
  languages: PageLanguages,
  { site }: Place,
  context: Pick<HttpContext, 'readerSites'>,
): string {
  const facts = `${siteBasis(site, context)} ${languages.basis} ${frame.otherExists} ${lastChanged} ${key}`
  return hash('sha256', facts).slice(0, BASIS_DIGITS)
}

const SITES = new WeakMap<ReaderSite, string>()

function siteBasis(site: ReaderSite, { readerSites }: Pick<HttpContext, 'readerSites'>): string {
  const known = SITES.get(site)
  if (known !== undefined) return known
  const facts = JSON.stringify([shellDigest(site), site.upstream, readerSites.mediaOrigins])
  const made = hash('sha256', facts).slice(0, BASIS_DIGITS)
  SITES.set(site, made)
  return made
}

/** The shell to keep with HTML; undefined for HTML of other revisions than the latest of a page. */
export function makeReadyShell(made: MadeHtml, wiki: Wiki, context: HttpContext): ReadyShell | undefined {
  const { store, pages, readerSites } = context
  const { revisionId } = made
  const revision = store.getRevision(revisionId)
  const summary = revision && store.getPageById(revision.pageId)
  if (summary?.latestId !== revisionId) return undefined
  const { namespaces } = wiki
  const title = { namespace: summary.namespace, dbkey: summary.dbkey }
  const page = pages.find(title)
  const place = { namespaces, site: readerSites.site(wiki) }
  if (page?.latestId !== revisionId || !mayBeReady(title) || !keepsLinks(place, context)) return undefined
  const lastChanged = page.latestTimestamp
  if (wiki.variants !== undefined && decodeOutline(made.outline).variants === true) return undefined
  const key = prefixedKey(title, namespaces)
  const facts = { title, key, lastChanged, frame: pageFrame(title, 'read', place, context, true) }
  const languages = pageLanguages(revision!.pageId, store)
  const basis = shellBasis(facts, languages, place, context)
  return { basis, ...packShell(facts, languages, made, place, context) }
}

function packShell(
  latest: LatestFacts,
  languages: PageLanguages,
  made: MadeHtml,
  place: Place,
  context: HttpContext,
): Omit<ReadyShell, 'basis'> {
  const article = latestArticle(latest, place)
  const outline = decodeOutline(made.outline)
  const policy = policyFor(outline.styles, context)
  const setting = { languages: languages.basis, policy, replacements: [] }
  const etag = articleTag(article, setting, made, place.site)
  const { beforeLanguages, afterLanguages, tail } = shellPieces(shellView(article, outline, place))
  const texts = [
    ...beforeLanguages.filter((piece) => !(piece instanceof SharedHtml)).map(({ text }) => text),
    afterLanguages.text + contentStart(),
    contentEnd() + tail.text,
  ].map((text) => Buffer.from(text))
  let end = 0
  const cuts = texts.slice(0, -1).map(({ length }) => (end += length))
  const facts = Buffer.from([etag, ...outline.styles].join(SEPARATOR), 'latin1')
  return { facts, packed: packInParts(Buffer.concat(texts), cuts) }
}

/** What the answer of a page is made of. */
interface ArticleParts {
  readonly etag: string
  /** Header lines. */
  readonly policy: string
  /** The whole body. */
  readonly parts: readonly BodyPart[]
}

/** The parts around a menu and HTML. */
export function readyParts(
  { facts, packed }: ReadyShell,
  { menu, inside }: { readonly menu: BodyPart; readonly inside: BodyPart },
  { site }: Place,
  context: HttpContext,
): ArticleParts {
  const { buffer, byteOffset, byteLength } = facts
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  const [etag, ...styles] = text.split(SEPARATOR)
  const [start, metadata, heading, contentStart, end] = packedParts(packed)
  const [links, header] = sharedPieces(site).map(partOf)
  return {
    etag: etag!,
    policy: policyFor(styles, context),
    parts: [start!, links!, metadata!, header!, heading!, menu, contentStart!, inside, end!],
  }
}
