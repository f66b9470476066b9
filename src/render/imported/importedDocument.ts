/** Turns HTML that another server made into HTML for clients of this one: cleaned, and fitted into this wiki. */
import type { Site } from '../../domain/site.js'
import type { DocumentFacts } from '../parsoid/document.js'
import type { DomDocument } from '../html/dom.js'
import { asEngineError } from '../parsoid/engine.js'
import type { ParsoidPackage } from '../parsoid/package.js'
import { wikiAddress } from '../parsoid/siteinfo.js'
import { cleanBody, cleanFrame } from './clean.js'
import { fitBody, fitDocument } from './fit.js'

/** HTML in descriptions of elements in HTML in descriptions, and so on. */
const MAX_DEPTH = 5

export type DocumentTools = Pick<ParsoidPackage, 'parseHtml' | 'ContentUtils'>
export type WikiFacts = Pick<DocumentFacts, 'namespaces' | 'source'> & { readonly site: Pick<Site, 'base'> }

/** The whole document. Throws an EngineError if its elements nest too deeply. */
export function importedDocument(
  html: string,
  tools: DocumentTools,
  facts: WikiFacts,
): { readonly html: string; readonly document: DomDocument } {
  return bounded(() => {
    const document = tools.parseHtml(html)
    cleanFrame(document)
    cleanBody(document.body, (inner) => cleanedInner(inner, tools, facts, 1))
    const { server, articlePath } = wikiAddress(facts.site)
    const base = (server + articlePath.replace('$1', '')).replace(/^https?:/, '')
    fitDocument(document, base, facts)
    return { html: tools.ContentUtils.toXML(document, { innerXML: false }), document }
  })
}

function cleanedInner(
  html: string,
  tools: DocumentTools,
  facts: WikiFacts,
  depth: number,
): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  const { body } = tools.parseHtml(`<body>${html}`)
  cleanBody(body, (inner) => cleanedInner(inner, tools, facts, depth + 1))
  fitBody(body, facts)
  return tools.ContentUtils.toXML(body, { innerXML: true })
}

/** Tells whether a client sent the same document again, or its body. Throws an EngineError as above. */
export function isSameBody(one: string, other: string, tools: DocumentTools): boolean {
  const bodyOf = (html: string): string =>
    tools.ContentUtils.toXML(tools.parseHtml(html).body, { innerXML: true }).trim()
  return bounded(() => bodyOf(one) === bodyOf(other))
}

/** Parser and serialiser call themselves for inner elements. */
function bounded<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? asEngineError(error) : error
  }
}
