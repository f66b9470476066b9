/** What the engine does for extension tags of our own: wikitext in them is rendered as that of the page is. */
import type { TagWiki } from '../tags/tag.js'
import { markMissingLinks } from './document.js'
import type { DomElement } from './dom.js'
import type { ExtensionState, ParsoidPackage } from './package.js'

/** Wikitext in tags in wikitext in tags: a page that puts itself into a tag would go on for ever. */
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
    // Of the tag's content nothing is written back by itself: it has no place in the page's source.
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
