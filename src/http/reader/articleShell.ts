/** The shell around the HTML of an article, as parts of an answer, and the changes of its links. */
import type { Outline } from '../../domain/outline.js'
import { prefixedText, type Title } from '../../domain/title.js'
import { type Html, SharedHtml, trusted } from '../../reader/html.js'
import type { Links } from '../../reader/links.js'
import type { Category, ShellView } from '../../reader/parts/shell.js'
import type { HttpContext } from '../routing/route.js'
import type { ShownArticle } from './articleTag.js'
import { ownSections, pagesElsewhere, type Replacement } from './contentBytes.js'
import type { PageFrame } from './pageFrame.js'
import { pageHeaders } from './pageReply.js'
import type { Visit } from './visit.js'
import { type PackedPart, packPart } from '../../storage/html/packedHtml.js'
import type { BodyPart } from '../reply/reply.js'

/** The parts of a visit that a shell depends on. */
export type Place = Pick<Visit, 'namespaces' | 'site'>

/** Fewer headings than this need no contents list. */
const MIN_HEADINGS = 3

/** Pieces of the shell that pages share. Each is packed once. */
const PACKED = new WeakMap<SharedHtml, PackedPart>()

/** The latest revision of a page. */
export interface LatestFacts {
  readonly title: Title
  /** Of the title. */
  readonly key: string
  readonly lastChanged: number
  readonly frame: PageFrame
}

/** The latest revision of a page, shown under its own title and without notices. */
export function latestArticle(
  { title, key, lastChanged, frame }: LatestFacts,
  { namespaces, site }: Place,
  notices: readonly Html[] = [],
): ShownArticle {
  const editing = site.allowsEdits && { editPath: site.links.action(key, 'edit') }
  return {
    key,
    name: prefixedText(title, namespaces),
    path: site.links.page(key),
    view: { isListed: true, lastChanged, notices, ...frame.view(), ...editing },
  }
}

export function shellView(
  { key, name, path, view }: ShownArticle,
  outline: Outline,
  { site }: Place,
): ShellView {
  const { headings, categories, categoryNames, isUnlisted, lead, picture, displayTitle } = outline
  const { hidesContents, forcesContents, hiddenCategories = [] } = outline
  const fewest = forcesContents === true ? 1 : MIN_HEADINGS
  const { links } = site
  const contents = headings.map(([level, id, text]) => ({ level, id, text }))
  const absolutePicture = picture?.replace(/^\/\//, 'https://')
  return {
    ...view,
    site,
    title: name,
    path,
    canonical: (site.variants?.links ?? links).page(key),
    isListed: view.isListed === true && isUnlisted !== true,
    contents: hidesContents === true || contents.length < fewest ? [] : contents,
    categories: categories.flatMap((category, n) =>
      hiddenCategories.includes(category[0]) ? [] : categoryOf(category, links, categoryNames?.[n]),
    ),
    ...(displayTitle !== undefined && { heading: trusted(displayTitle) }),
    ...(lead !== '' && { description: lead }),
    ...(absolutePicture !== undefined && { picture: absolutePicture }),
  }
}

function categoryOf([key, exists]: Outline['categories'][number], links: Links, shown?: string): Category {
  const name = shown ?? key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')
  return { name, href: links.page(key), isMissing: exists === 0 }
}

/** HTML between the last piece of the shell before the content, and the content. */
export const contentStart = (above?: Html): string => `<div class="mw-parser-output">${above?.text ?? ''}`
export const contentEnd = (below?: Html): string => `</div>${below?.text ?? ''}`

/** URL that links of the HTML get; undefined if they lead to pages of this server. */
const linksElsewhere = ({ site }: Place, { config }: Pick<HttpContext, 'config'>): string | undefined =>
  config.readerLinks === 'upstream' ? site.upstream : undefined

/** Whether pages that are shown under their own titles have the HTML as it is in the store. */
export const keepsLinks = (place: Place, context: Pick<HttpContext, 'config'>): boolean =>
  linksElsewhere(place, context) === undefined

/** Links of the HTML are relative to the base URL, which is that of the pages of this server. */
export function replacementsFor(
  { key, path }: ShownArticle,
  place: Place,
  context: Pick<HttpContext, 'config'>,
): Replacement[] {
  const own = path === place.site.links.page(key) ? [] : ownSections(key, path)
  const upstream = linksElsewhere(place, context)
  return upstream === undefined ? own : [...own, ...pagesElsewhere(upstream)]
}

/** Header lines, for the hashes of style blocks in the HTML. */
export function policyFor(
  styles: readonly string[],
  { readerSites }: Pick<HttpContext, 'readerSites'>,
): string {
  return pageHeaders({
    styleHashes: styles.map((hash) => `'sha256-${hash}'`),
    mediaOrigins: readerSites.mediaOrigins,
  })
}

/** A piece of the shell as a part of an answer. */
export const partOf = (piece: Html): BodyPart => (piece instanceof SharedHtml ? packed(piece) : piece.text)

function packed(piece: SharedHtml): PackedPart {
  const known = PACKED.get(piece)
  if (known !== undefined) return known
  const plain = Buffer.from(piece.text)
  const part = { ...packPart(plain), plain }
  PACKED.set(piece, part)
  return part
}
