/** Extension tags that the engine learns of, and their renderers. */
import { SCRIBUNTO } from '../../domain/contentModel.js'
import { EXTENSION_TAGS } from '../../domain/extensionTags.js'
import { renderCategoryTree } from '../tags/categoryTree.js'
import { renderCharInsert } from '../tags/charInsert.js'
import { parseTag, renderForeign } from '../tags/foreign.js'
import { renderGraph } from '../tags/graph.js'
import { renderHiero } from '../tags/hiero.js'
import { renderImageMap } from '../tags/imageMap.js'
import { renderIndicator } from '../tags/indicator.js'
import { renderInputBox } from '../tags/inputBox.js'
import { renderMapFrame, renderMapLink } from '../tags/maps.js'
import { renderMath } from '../tags/math.js'
import { renderPhonos } from '../tags/phonos.js'
import { renderScore } from '../tags/score.js'
import { renderSyntaxHighlight } from '../tags/syntaxHighlight.js'
import type { ExtensionTag, RenderTag } from '../tags/tag.js'
import { renderTimeline } from '../tags/timeline.js'
import type { DomDocument } from './dom.js'
import { modulePages } from './modulePages.js'
import type { ExtensionArgument, ExtensionClass, ExtensionState, ParsoidPackage } from './package.js'
import { sourcePages } from './sourcePages.js'
import { tagWiki } from './tagWiki.js'

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
