/** What is asked of a page as text, and what a walk over it shares. */
import type { Element } from './tree.js'

/** How links to pages are written: their words alone, `[[Title|words]]`, or with addresses below this one. */
export type PageLinks = 'words' | 'titles' | { readonly below: string }

export interface MarkdownOptions {
  /** Markdown, or text without any signs. */
  readonly form: 'markdown' | 'text'
  readonly links: PageLinks
  /** Notes as footnotes below the text, or not at all. Texts have none. */
  readonly notes: 'footnotes' | 'none'
  /** Heading above the whole page. */
  readonly title?: string | undefined
  /** One section with those below it, by its number, title or anchor: 0 is the part before the first heading. */
  readonly section?: number | string | undefined
  /** Most bytes, as UTF-8. */
  readonly maxBytes: number
}

/** Where in the page a text stands. */
export interface Place {
  readonly isInTable?: boolean
  /** All blocks become one line, in which code has no fences. */
  readonly isInLine?: boolean
  readonly isInLink?: boolean
  readonly isStrong?: boolean
  readonly isEmphasis?: boolean
  readonly isStruck?: boolean
  /** In lists and quotes, a heading is a line of the text. */
  readonly isInner?: boolean
  readonly isIndented?: boolean
  /** Of lists and quotes. */
  readonly depth?: number
}

export interface Walk extends Pick<MarkdownOptions, 'form' | 'links' | 'notes'> {
  /** Numbers of notes by the id of their text, in the order of the page. */
  readonly noteNumbers: Map<string, number>
}

/** Left out with all that they hold. */
const DROPPED: ReadonlySet<string> = new Set(
  (
    'audio button canvas col colgroup dialog embed form iframe img input label link map meta nav noscript object script ' +
    'select style svg template textarea video'
  ).split(' '),
)
/** Notes above a text, boxes that lead elsewhere, and what is no part of the text. */
const DROPPED_CLASSES: ReadonlySet<string> = new Set(
  (
    'ambox authority-control catlinks dablink error geo-multi-punct geo-nondefault hatnote mbox mbox-small metadata ' +
    'mw-authority-control mw-cite-backlink mw-editsection mw-empty-elt mw-jump-link navbar navbox navigation-box ' +
    'navigation-not-searchable noprint portalbox printfooter rellink sidebar sistersitebox toc vertical-navbox Z3988'
  ).split(' '),
)
/** Pictures, sounds and videos. The caption of a `figure` stays. */
const MEDIA = /\bmw:(?:Image|File|Video|Audio)\b/
const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** Whether readers do not see an element, or see it beside the text. */
export function isDropped(element: Element): boolean {
  if (DROPPED.has(element.name)) return true
  if (element.name !== 'figure' && MEDIA.test(element.attribute('typeof'))) return true
  if (element.name === 'a' && isMissingTemplate(element)) return true
  const words = element.attribute('class')
  if (words !== '' && words.split(/\s+/).some((word) => DROPPED_CLASSES.has(word))) return true
  return HIDDEN.test(element.attribute('style')) || element.attribute('role') === 'navigation'
}

/** A template that does not exist shows a link to itself. */
function isMissingTemplate(link: Element): boolean {
  if (!link.has('class', 'new') || !link.has('typeof', 'mw:Transclusion')) return false
  return link.attribute('data-mw').includes(`"href":${JSON.stringify(link.attribute('href'))}`)
}

/** Whether an element is the list of notes. */
export const isNoteList = (element: Element): boolean =>
  ['mw-references-wrap', 'mw-references', 'references', 'reflist'].some((word) => element.has('class', word))

/** Whether an element is the mark of a note in the text. */
export const isNoteMark = (element: Element): boolean =>
  element.name === 'sup' &&
  (element.has('class', 'mw-ref') || element.has('class', 'reference') || element.has('rel', 'dc:references'))
