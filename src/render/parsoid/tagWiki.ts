/** The engine's services for this server's own extension tags. Wikitext in a tag is rendered like that of the page. */
import type { TagWiki } from '../tags/tag.js'
import { markMissingLinks } from './document.js'
import type { DomElement } from './dom.js'
import type { ExtensionState, ParsoidPackage } from './package.js'

/** Nesting limit for wikitext in tags. Without it, a page that includes itself in a tag would recurse forever. */
const MAX_DEPTH = 5

export function tagWiki(parsoid: ParsoidPackage, state: ExtensionState, name: string): TagWiki {
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
