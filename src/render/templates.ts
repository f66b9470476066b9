/** Templates: what expands the braces of a wikitext for the engine. */
import type { PageFacts, WikiSource } from './sources.js'
import type { RenderedWiki } from './parsoid/siteinfo.js'

/** Expands the braces of one page's wikitext, a construct at a time. */
export interface TemplateExpander {
  /**
   * Wikitext without `{{…}}` and `{{{…}}}`: what cannot be expanded becomes an error element or text. Never throws
   * for what stands in a page.
   */
  expand(wikitext: string): string
  /** After how many seconds the page looks different without an edit, as of all that was expanded so far. */
  readonly expiresAfterS: number | undefined
}

export interface ExpanderInput {
  readonly wiki: RenderedWiki
  readonly page: PageFacts
  readonly source: WikiSource
  /** The time that time words say, in milliseconds. */
  readonly nowMs: number
}

/** Makes the expander of a page; its limits hold for the page as a whole. */
export type MakeExpander = (input: ExpanderInput) => TemplateExpander
