/** Extension tags that the engine learns of, and their renderers. */
import { SCRIBUNTO } from '../../domain/contentModel.js'
import { EXTENSION_TAGS } from '../../domain/extensionTags.js'
import {
  renderCategoryTree,
  renderPhonos,
  renderCharInsert,
  renderIndicator,
  renderInputBox,
  parseTag,
  renderForeign,
} from '../tags/simpleTags.js'
import { renderGraph, renderMapFrame, renderMapLink } from '../tags/maps.js'
import { renderHiero } from '../tags/hiero.js'
import { renderImageMap } from '../tags/imageMap.js'
import { renderMath } from '../tags/math.js'
import { renderTemplateData } from '../tags/templateData.js'
import { renderScore } from '../tags/score.js'
import { renderSyntaxHighlight } from '../tags/syntaxHighlight.js'
import type { ExtensionTag, RenderTag, TagWiki } from '../tags/tag.js'
import { renderTimeline } from '../tags/timeline.js'
import type { DomDocument, DomElement } from '../html/dom.js'
import { modulePages, sourcePages } from './sourcePages.js'
import type { ExtensionArgument, ExtensionClass, ExtensionState, ParsoidPackage } from './package.js'
import { markMissingLinks } from './document.js'

// The engine's services for this server's own extension tags. Wikitext in a tag is rendered like that of the page.

/** Nesting limit for wikitext in tags. Without it, a page that includes itself in a tag would recurse forever. */
const MAX_DEPTH = 5

function tagWiki(parsoid: ParsoidPackage, state: ExtensionState, name: string): TagWiki {
  const { namespaces, source } = state.env.tagFacts
  const { ContentUtils, DOMDataUtils } = parsoid
  const parse = async (wikitext: string, inlineContext: boolean): Promise<DomElement> => {
    const { frame, parseContext } = state
    if (wikitext === '' || frame.depth >= MAX_DEPTH) return state.env.createDocument('').body
    const options = {
      pipelineOpts: { extTag: name, inTemplate: parseContext.inTemplate, inlineContext },
      frame: frame.newChild(frame.title, [], wikitext),
      srcOffsets: [0, wikitext.length],
    }
    const { body } = await parsoid.parseWikitextToDOM(state, wikitext, options, !inlineContext)
    markMissingLinks(body, { namespaces, source })
    // The tag's content has no position in the page's source, so that it is never written back by itself.
    ContentUtils.shiftDSR(state.env, body, () => null)
    return body
  }
  const stored = async (wikitext: string, inline: boolean): Promise<DomElement> => {
    const body = await parse(wikitext, inline)
    DOMDataUtils.visitAndStoreDataAttribs(body)
    return body
  }
  return {
    namespaces,
    parse: (wikitext) => stored(wikitext, false),
    parseInline: (wikitext) => stored(wikitext, true),
    describe: async (wikitext) =>
      ContentUtils.ppToXML(await parse(wikitext, false), { innerXML: true, discardDataParsoid: true }),
  }
}

const OWN: ReadonlyMap<string, RenderTag> = new Map<string, RenderTag>([
  ['syntaxhighlight', renderSyntaxHighlight],
  ['source', renderSyntaxHighlight],
  ['math', renderMath],
  ['ce', renderMath],
  ['chem', renderMath],
  ['categorytree', renderCategoryTree],
  ['charinsert', renderCharInsert],
  ['graph', renderGraph],
  ['hiero', renderHiero],
  ['imagemap', renderImageMap],
  ['indicator', renderIndicator],
  ['inputbox', renderInputBox],
  ['templatedata', renderTemplateData],
  ['mapframe', renderMapFrame],
  ['maplink', renderMapLink],
  ['phonos', renderPhonos],
  ['score', renderScore],
  ['timeline', renderTimeline],
])
/** Rendered from other pages, which the run reads. */
const TEMPLATE_STYLES = 'templatestyles'

/** All tags that the engine learns of; it renders some itself. */
export const ENGINE_TAGS: readonly string[] = [...EXTENSION_TAGS]

/** Renders a placeholder for extensions that the package lacks. */
export function renderForeignTag(source: string): string {
  return renderForeign(parseTag(source))
}

/** This server's own tags and content models, as an extension of the package. */
export function ownExtension(parsoid: ParsoidPackage): ExtensionClass {
  const tags = [...OWN].map(([name, render]) => ({
    name,
    toDOM: (state: ExtensionState, content: string, attributes: readonly ExtensionArgument[]) =>
      documentOf(parsoid, state, render(tagOf(name, content, attributes), tagWiki(parsoid, state, name))),
  }))
  const styles = {
    name: TEMPLATE_STYLES,
    toDOM: (state: ExtensionState, content: string, attributes: readonly ExtensionArgument[]) => {
      const { attributes: given } = tagOf(TEMPLATE_STYLES, content, attributes)
      const answer = { action: TEMPLATE_STYLES, src: given.get('src'), wrapper: given.get('wrapper') }
      return documentOf(parsoid, state, String(state.env.answer(answer)))
    },
  }
  const contentmodels = { ...sourcePages(parsoid), [SCRIBUNTO]: modulePages(parsoid) }
  return class OwnExtension {
    readonly config = { name: 'palimpsest', tags: [...tags, styles], contentmodels }
  }
}

function tagOf(name: string, content: string, attributes: readonly ExtensionArgument[]): ExtensionTag {
  return {
    name,
    attributes: new Map(attributes.map(({ k, v }) => [k.toLowerCase(), v])),
    content: content ?? '',
  }
}

/** The engine only waits for its own kind of promises. */
function documentOf(
  parsoid: ParsoidPackage,
  { env }: ExtensionState,
  html: string | PromiseLike<string>,
): PromiseLike<DomDocument> {
  const load = (finished: string): DomDocument => {
    const document = env.createDocument(finished)
    parsoid.DOMDataUtils.visitAndLoadDataAttribs(document.body)
    return document
  }
  return parsoid.Promise.resolve(typeof html === 'string' ? load(html) : html.then(load))
}
