/**
 * Texts of an entry with states, as the log keeps them: behind the head and deflated together. In the head, the number
 * of a text's UTF-8 bytes stands in its place.
 */
import type { UpstreamPage } from '../../domain/upstream.js'

interface WithPages {
  readonly pages: readonly UpstreamPage[]
}

/** A revision whose text may stand in the head as a length. */
type WithText = { readonly text?: unknown }

/** An entry without its texts, and the texts one after the other; undefined if it has none. */
export function splitUpstream(entry: WithPages): { head: object; texts: Buffer | undefined } {
  const texts: Buffer[] = []
  const pages = mapTexts(entry.pages, (text) => {
    if (typeof text !== 'string') return text
    const bytes = Buffer.from(text)
    texts.push(bytes)
    return bytes.length
  })
  return { head: { ...entry, pages }, texts: texts.length === 0 ? undefined : Buffer.concat(texts) }
}

/** The entry of a head and its texts. */
export function joinUpstream<Head extends WithPages>(head: Head, texts: Buffer): Head {
  let at = 0
  const pages = mapTexts(head.pages, (length) => {
    if (typeof length !== 'number') return length
    return texts.toString('utf8', at, (at += length))
  })
  return { ...head, pages }
}

/** UTF-16 units of all texts. */
export function upstreamTextLength({ pages }: WithPages): number {
  let length = 0
  mapTexts(pages, (text) => {
    if (typeof text === 'string') length += text.length
    return text
  })
  return length
}

/** Malformed pages stay as they are: the verdict tells of them, and the log keeps them. */
function mapTexts(pages: unknown, change: (text: unknown) => unknown): unknown {
  const ofRevision = (revision: unknown): unknown =>
    isObject(revision) && 'text' in revision
      ? { ...revision, text: change((revision as WithText).text) }
      : revision
  const ofList = (list: unknown): unknown => (Array.isArray(list) ? list.map(ofRevision) : list)
  const ofPage = (page: unknown): unknown => {
    if (!isObject(page)) return page
    const { add, change: changed } = page as { readonly add?: unknown; readonly change?: unknown }
    return {
      ...page,
      ...(add !== undefined && { add: ofList(add) }),
      ...(changed !== undefined && { change: ofList(changed) }),
    }
  }
  return Array.isArray(pages) ? pages.map(ofPage) : pages
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
