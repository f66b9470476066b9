/** What of a template's source goes into the pages that use it. */
import { findLiteralParts } from './literalParts.js'

const TAGS = /<(\/?)(noinclude|includeonly|onlyinclude)\s*(\/?)>/gi
const HAS_TAGS = /<(?:noinclude|includeonly|onlyinclude)/i

/**
 * The text between `onlyinclude` tags if there are any; otherwise all but what stands between `noinclude` tags. The
 * tags go too, but not those in comments or tags such as nowiki. An open tag reaches to the end.
 */
export function includedText(source: string): string {
  if (!HAS_TAGS.test(source)) return source
  const literal = findLiteralParts(source)
  const only: string[] = []
  const all: string[] = []
  let copied = 0
  let next = 0
  let hidden = false
  let chosen = false
  let hasOnly = false
  const copy = (end: number) => {
    const piece = source.slice(copied, end)
    if (!hidden) all.push(piece)
    if (!hidden && chosen) only.push(piece)
  }
  for (const { 0: tag, 1: slash, 2: name, 3: empty, index } of source.matchAll(TAGS)) {
    while ((literal[next]?.end ?? Infinity) <= index) next++
    if ((literal[next]?.start ?? Infinity) <= index) continue
    copy(index)
    copied = index + tag.length
    if (empty) continue
    const opens = slash === ''
    if (name?.toLowerCase() === 'noinclude') hidden = opens
    if (name?.toLowerCase() === 'onlyinclude' && !hidden) chosen = opens
    hasOnly ||= chosen
  }
  copy(source.length)
  return (hasOnly ? only : all).join('')
}
