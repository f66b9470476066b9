/** Parts of wikitext that a save does not change: comments and extension tags. */
import { EXTENSION_TAGS } from '../domain/extensionTags.js'
import { WikitextElements } from '../domain/wikitextElements.js'

/** A range from `start` to before `end`, tags and comment signs included. Offsets count UTF-16 units. */
export interface LiteralPart {
  readonly start: number
  readonly end: number
}

const OPENING = new RegExp(`<!--|<(?:${[...EXTENSION_TAGS].join('|')})(?=[\\s/>])`, 'gi')

/**
 * The literal parts in order, without overlap. As in MediaWiki, an unclosed comment reaches to the end of the text, and
 * a tag without an end is plain text. Time is linear.
 */
export function findLiteralParts(text: string): LiteralPart[] {
  if (!text.includes('<')) return []
  const parts: LiteralPart[] = []
  const elements = new WikitextElements(text)
  const opening = new RegExp(OPENING)
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const end = endOfPart(elements, match.index)
    if (end === undefined) continue
    parts.push({ start: match.index, end })
    opening.lastIndex = end
  }
  return parts
}

function endOfPart(elements: WikitextElements, at: number): number | undefined {
  if (elements.isComment(at)) return elements.commentEnd(at)
  const name = elements.nameAt(at)
  return name === undefined ? undefined : elements.elementAt(at, name)?.end
}

/**
 * Replaces every match of a pattern (with the flag `g`) outside the literal parts. Undefined once the result is longer
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
