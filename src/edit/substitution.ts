/** Substitution: templates that a save replaces by their text, `{{subst:Name|…}}` and `{{safesubst:Name|…}}`. */
import { parseBraces, type Construct, type Node } from './braces.js'
import { findLiteralParts } from './literalParts.js'

/**
 * Gets an invocation as written, braces included, with all that is nested in it; gives what is to stand in its place,
 * or the invocation itself where it cannot be substituted.
 */
export type ExpandSubstitution = (invocation: string) => string

export const SUBSTITUTION = /^\s*(?:safe)?subst:/i
const MAY_SUBSTITUTE = /subst:/i

/** False for a text that surely holds no substitution. */
export function maySubstitute(text: string): boolean {
  return MAY_SUBSTITUTE.test(text)
}

/**
 * Replaces the outermost substitutions of a text by what `expand` makes of them. Those in comments, in tags such as
 * nowiki, and in what is only for other pages (`includeonly`) are left alone. Undefined when the result would be
 * longer than `maxLength` units.
 */
export function substitute(text: string, expand: ExpandSubstitution, maxLength: number): string | undefined {
  if (!maySubstitute(text)) return text
  const pieces: string[] = []
  let length = text.length
  let copied = 0
  const nodes = parseBraces(text, findLiteralParts(text, ['includeonly']))
  for (const { start, end } of outermost(nodes)) {
    const expansion = expand(text.slice(start, end))
    length += expansion.length - (end - start)
    if (length > maxLength) return undefined
    pieces.push(text.slice(copied, start), expansion)
    copied = end
  }
  pieces.push(text.slice(copied))
  return pieces.join('')
}

function outermost(nodes: readonly Node[], found: Construct[] = []): Construct[] {
  for (const node of nodes) {
    if (typeof node === 'string') continue
    if (isSubstitution(node)) found.push(node)
    else for (const part of node.parts) outermost(part, found)
  }
  return found
}

function isSubstitution({ kind, parts }: Construct): boolean {
  const first = parts[0]?.[0]
  return kind === 'template' && typeof first === 'string' && SUBSTITUTION.test(first)
}
