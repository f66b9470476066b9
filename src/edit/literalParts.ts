/** Parts of wikitext that a save leaves as they are: comments, and tags of extensions. */
import { EXTENSION_TAGS } from '../domain/extensionTags.js'

/** From the first unit to before `end`, tags and comment signs included. Offsets count UTF-16 units. */
export interface LiteralPart {
  readonly start: number
  readonly end: number
}

const COMMENT = '<!--'
const COMMENT_END = '-->'
const OPENING = new RegExp(`<!--|<(${[...EXTENSION_TAGS].join('|')})(?=[\\s/>])`, 'gi')

/**
 * The literal parts in their order; none overlaps another. As in MediaWiki an open comment reaches to the end of the
 * text, and an open tag is no tag. Linear: what was not found once is not looked for again.
 */
export function findLiteralParts(text: string): LiteralPart[] {
  if (!text.includes('<')) return []
  const parts: LiteralPart[] = []
  const search = new EndSearch(text)
  const opening = new RegExp(OPENING)
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const tag = match[1]?.toLowerCase()
    const end = tag === undefined ? search.endOfComment(match.index) : search.endOfTag(tag, opening.lastIndex)
    if (end === undefined) continue
    parts.push({ start: match.index, end })
    opening.lastIndex = end
  }
  return parts
}

class EndSearch {
  readonly #text: string
  /** Patterns of closing tags; null for a tag that is closed nowhere further on. */
  readonly #closers = new Map<string, RegExp | null>()
  #noMoreBrackets = false

  constructor(text: string) {
    this.#text = text
  }

  endOfComment(start: number): number {
    const end = this.#text.indexOf(COMMENT_END, start + COMMENT.length)
    return end < 0 ? this.#text.length : end + COMMENT_END.length
  }

  /** `from` is behind the tag's name. */
  endOfTag(tag: string, from: number): number | undefined {
    const bracket = this.#noMoreBrackets ? -1 : this.#text.indexOf('>', from)
    if (bracket < 0) {
      this.#noMoreBrackets = true
      return undefined
    }
    if (this.#text[bracket - 1] === '/') return bracket + 1
    const closer = this.#closer(tag)
    if (closer === null) return undefined
    closer.lastIndex = bracket + 1
    if (closer.test(this.#text)) return closer.lastIndex
    this.#closers.set(tag, null)
    return undefined
  }

  #closer(tag: string): RegExp | null {
    let closer = this.#closers.get(tag)
    if (closer === undefined) {
      closer = new RegExp(`</${tag}\\s*>`, 'gi')
      this.#closers.set(tag, closer)
    }
    return closer
  }
}

/**
 * Replaces what a pattern (with the flag `g`) finds outside the literal parts; undefined once the result is longer
 * than `maxLength` units.
 */
export function replaceOutside(
  text: string,
  literal: readonly LiteralPart[],
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
  maxLength: number,
): string | undefined {
  const pieces: string[] = []
  let length = text.length
  let copied = 0
  let next = 0
  for (const match of text.matchAll(pattern)) {
    while ((literal[next]?.end ?? Infinity) <= match.index) next++
    if ((literal[next]?.start ?? Infinity) <= match.index) continue
    const replaced = replacement(match)
    length += replaced.length - match[0].length
    if (length > maxLength) return undefined
    pieces.push(text.slice(copied, match.index), replaced)
    copied = match.index + match[0].length
  }
  pieces.push(text.slice(copied))
  return pieces.join('')
}
