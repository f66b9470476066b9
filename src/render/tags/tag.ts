/** An extension tag in a page: `<math display="block">x^2</math>`. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { DomElement } from '../html/dom.js'

export interface ExtensionTag {
  readonly name: string
  /** Names in lower case. */
  readonly attributes: ReadonlyMap<string, string>
  /** The undecoded text between the tags; empty for `<tag/>`. */
  readonly content: string
}

/** Services of the wiki for tags. */
export interface TagWiki {
  readonly namespaces: Namespaces
  /**
   * Renders wikitext of the tag. The returned element contains sanitised HTML, which the tag may use in its own. Links
   * to missing pages are marked, and count as used.
   */
  parse(wikitext: string): PromiseLike<DomElement>
  /** Like `parse`, for text within a line: no paragraphs. */
  parseInline(wikitext: string): PromiseLike<DomElement>
  /** Returns only the HTML, for the description of a tag that shows it elsewhere. */
  describe(wikitext: string): PromiseLike<string>
}

/**
 * HTML for a tag. Nothing sanitises it afterwards, so the renderer must escape or check everything that comes from the
 * tag. Empty: nothing is shown.
 */
export type RenderTag = (tag: ExtensionTag, wiki: TagWiki) => string | PromiseLike<string>

/** Bounds the work for one tag. */
export const MAX_TAG_LENGTH = 200_000

/** The first descendant that matches a selector. */
export function firstOf(element: DomElement, selector: string): DomElement | undefined {
  return Array.from(element.querySelectorAll(selector))[0]
}

/** A link as the engine renders it, with a finished label. Parsing the label would treat signs of a title as markup. */
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
