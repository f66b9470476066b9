/**
 * Answers the engine's requests to a MediaWiki API from the store. There are few kinds: siteinfo, the expansion of one
 * template construct, file facts, the content of a foreign tag, and template parameters.
 */
import { FILE, TEMPLATE } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { parseTitle } from '../../domain/title.js'
import type { RenderedFile, RenderSource } from '../html/sources.js'
import type { Expansion } from '../preprocessor/preprocessor.js'
import { type keptSheets, renderTemplateStyles } from '../tags/templateStyles.js'
import type { ApiParameters } from './package.js'

/** Expands the templates of one page's wikitext, one construct at a time. */
export interface TemplateExpander {
  expand(wikitext: string): Expansion
}

export interface AnswerSources {
  readonly siteinfo: { readonly query: object }
  readonly namespaces: Namespaces
  readonly source: RenderSource
  readonly expander: TemplateExpander
  /** HTML for a tag that the engine does not know, from its source with attributes and content. */
  renderTag(tagSource: string): string
  /** Sanitises a style sheet. By default nothing is kept. */
  readonly sanitiseStyles?: ReturnType<typeof keptSheets>
}

/** The answer to one request, as parsed JSON. Throws for an unknown kind. */
export function answerRequest(parameters: ApiParameters, sources: AnswerSources): unknown {
  const text = String(parameters['text'] ?? '')
  switch (String(parameters['action'])) {
    case 'query':
      if (parameters['meta'] === 'siteinfo') return sources.siteinfo
      if (parameters['prop'] === 'imageinfo') return imageInfo(parameters, sources)
      break
    case 'paraminfo':
      // States that no module "videoinfo" exists, so that the engine requests all files with imageinfo.
      return { paraminfo: { modules: [{ parameters: [{ name: 'prop', type: ['imageinfo'] }] }] } }
    case 'expandtemplates':
      return { expandtemplates: expansion(sources.expander.expand(text)) }
    case 'parse':
      return { parse: { text: sources.renderTag(text) } }
    case 'templatestyles':
      return templateStyles(parameters, sources)
    case 'templatedata':
      return { pages: {} }
  }
  throw new Error(`the engine asked for ${parameters['action']} ${parameters['prop'] ?? ''}`)
}

/** The engine adds the categories to the text, and those properties that act like magic words. */
function expansion({ wikitext, categories, properties }: Expansion): object {
  return { wikitext, categories: categories.map((category) => ({ category, sortkey: '' })), properties }
}

/** A request that MediaWiki's API lacks: the tag `templatestyles` uses it to get its style sheet. */
function templateStyles(
  parameters: ApiParameters,
  { source, namespaces, sanitiseStyles }: AnswerSources,
): string {
  const src = String(parameters['src'] ?? '')
  const prefixed = src.includes(':') ? src : `${namespaces.nameOf(TEMPLATE) ?? 'Template'}:${src}`
  const parsed = parseTitle(prefixed, namespaces)
  const page = parsed.ok ? source.readPage(parsed.title) : undefined
  const isSheet = page?.contentModel === 'sanitized-css' || page?.contentModel === 'css'
  return renderTemplateStyles(
    src,
    isSheet ? page : undefined,
    String(parameters['wrapper'] ?? ''),
    sanitiseStyles,
  )
}

function imageInfo(parameters: ApiParameters, { source, namespaces }: AnswerSources): object {
  const asked = String(parameters['titles'])
  const parsed = parseTitle(asked, namespaces)
  const file = parsed.ok && parsed.title.namespace === FILE ? source.readFile(parsed.title.dbkey) : undefined
  if (!parsed.ok || file === undefined) {
    return {
      query: { pages: [{ ns: FILE, title: asked, missing: true, imagerepository: '', badfile: false }] },
    }
  }
  const title = `${namespaces.keyPrefix(FILE)}${parsed.title.dbkey}`.replaceAll('_', ' ')
  const info = fileInfo(file, numberOf(parameters['iiurlwidth']), numberOf(parameters['iiurlheight']))
  const page = { pageid: 1, ns: FILE, title, badfile: false, imagerepository: 'local', imageinfo: [info] }
  const normalized = title === asked ? undefined : [{ from: asked, to: title }]
  return { query: { pages: [page], normalized } }
}

function fileInfo(file: RenderedFile, maxWidth: number, maxHeight: number): object {
  const { width, height, duration, mime, mediaType } = file
  const info = {
    size: file.sizeBytes,
    width,
    height,
    url: file.url,
    descriptionurl: file.descriptionUrl,
    mediatype: mediaType,
    mime,
    ...(duration !== undefined && { duration }),
  }
  if (maxWidth === 0 && maxHeight === 0) return info
  if (width === 0 || height === 0) {
    return isPicture(mediaType) && maxWidth > 0 ? { ...info, thumburl: file.thumbUrl(maxWidth) } : info
  }
  const thumb = fitInto(file, maxWidth, maxHeight)
  const thumburl = scaledUrl(file, thumb.width)
  return {
    ...info,
    thumbwidth: thumb.width,
    thumbheight: thumb.height,
    // A video is no picture of itself: browsers would load all of it as its poster.
    ...((isPicture(mediaType) || thumburl !== file.url) && { thumburl }),
    ...(isPicture(mediaType) && { responsiveUrls: densePictures(file, thumb.width) }),
  }
}

/** A drawing scales up, too. */
const scaledUrl = (file: RenderedFile, width: number): string =>
  file.mediaType === 'DRAWING' || width < file.width ? file.thumbUrl(width) : file.url

const DENSITIES = [1.5, 2]

/** URLs for screens with more pixels, by density: those that have more than the usual one. */
function densePictures(file: RenderedFile, width: number): Record<string, string> {
  const urls: Record<string, string> = {}
  let last = scaledUrl(file, width)
  for (const density of DENSITIES) {
    const url = scaledUrl(file, Math.round(width * density))
    if (url !== last) urls[density] = url
    last = url
  }
  return urls
}

const isPicture = (mediaType: string): boolean => mediaType === 'BITMAP' || mediaType === 'DRAWING'

/** The size of a file scaled into a box, rounded like MediaWiki. A bound of 0 means unlimited. */
export function fitInto(
  { width, height }: { readonly width: number; readonly height: number },
  maxWidth: number,
  maxHeight: number,
): { readonly width: number; readonly height: number } {
  const heightFor = (thumbWidth: number): number => Math.max(1, Math.round((height * thumbWidth) / width))
  if (maxWidth > 0 && (maxHeight === 0 || heightFor(maxWidth) <= maxHeight)) {
    return { width: maxWidth, height: heightFor(maxWidth) }
  }
  const ideal = (width * maxHeight) / height
  const up = Math.ceil(ideal)
  const thumbWidth = Math.max(1, heightFor(up) > maxHeight ? Math.floor(ideal) : up)
  return { width: thumbWidth, height: maxHeight }
}

function numberOf(value: string | number | undefined): number {
  const number = Number(value ?? 0)
  return Number.isFinite(number) && number > 0 ? number : 0
}
