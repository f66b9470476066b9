/** An extension tag as it stands in a page: `<math display="block">x^2</math>`. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { DomElement } from '../parsoid/dom.js'

export interface ExtensionTag {
  readonly name: string
  /** Names in lower case. */
  readonly attributes: ReadonlyMap<string, string>
  /** Undecoded, between the tags; empty for `<tag/>`. */
  readonly content: string
}

/** What a tag may ask of the wiki. */
export interface TagWiki {
  readonly namespaces: Namespaces
  /**
   * Renders wikitext of the tag. The element that comes back holds sanitised HTML, which may be put into the tag's own.
   * Links to pages that do not exist are marked in it, and count as used.
   */
  parse(wikitext: string): PromiseLike<DomElement>
  /** As `parse`, for a text within a line: no paragraphs. */
  parseInline(wikitext: string): PromiseLike<DomElement>
  /** The HTML alone, for the description of a tag that shows it elsewhere. */
  describe(wikitext: string): PromiseLike<string>
}

/**
 * HTML for a tag. It is trusted: nothing sanitises it afterwards, so whatever comes from the tag must be escaped or
 * checked here. Empty: nothing to see.
 */
export type RenderTag = (tag: ExtensionTag, wiki: TagWiki) => string | PromiseLike<string>

/** Bounds what one tag may cost. */
export const MAX_TAG_LENGTH = 200_000

/** The first element inside of one that a selector names. */
export function firstOf(element: DomElement, selector: string): DomElement | undefined {
  return Array.from(element.querySelectorAll(selector))[0]
}

/** A link as the engine makes it, with a finished label: a title may hold what is markup in a label. */
export async function linkHtml(
  wiki: TagWiki,
  target: string,
  labelHtml: string,
): Promise<string | undefined> {
  const body = await wiki.parseInline(`[[${target}|x]]`)
  const anchor = firstOf(body, 'a')
  if (anchor === undefined) return undefined
  anchor.innerHTML = labelHtml
  return body.innerHTML
}
