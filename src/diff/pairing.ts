/** Decides which replaced lines count as changed: similar lines at the same index of a change. */
import { type Operation, replacement } from './operations.js'
import type { WordDiffs } from './wordDiff.js'

/** A replaced line above this similarity to its partner counts as changed. */
const CHANGE_THRESHOLD = 0.2

/**
 * The script with changes of lines split into pairs: the first old line with the first new one, and so on. A stretch of
 * similar pairs stays one change. A pair that is not similar becomes an addition followed by a deletion. Lines without
 * a partner are deleted or added after the pairs. `from` and `to` hold the line numbers of `words`.
 */
export function pairLines(
  script: readonly Operation[],
  from: readonly number[],
  to: readonly number[],
  words: WordDiffs,
): Operation[] {
  const paired: Operation[] = []
  for (const operation of script) {
    if (operation.kind === 'change') pairChange(operation, from, to, words, paired)
    else paired.push(operation)
  }
  return paired
}

function pairChange(
  { fromStart, fromEnd, toStart, toEnd }: Operation,
  from: readonly number[],
  to: readonly number[],
  words: WordDiffs,
  paired: Operation[],
): void {
  const pairs = Math.min(fromEnd - fromStart, toEnd - toStart)
  for (let pair = 0; pair < pairs;) {
    const first = pair
    while (pair < pairs && words.isAlike(from[fromStart + pair]!, to[toStart + pair]!, CHANGE_THRESHOLD))
      pair++
    if (pair > first) {
      paired.push(replacement(fromStart + first, fromStart + pair, toStart + first, toStart + pair))
    } else {
      const oldLine = fromStart + pair
      const newLine = toStart + pair
      paired.push(replacement(oldLine, oldLine, newLine, newLine + 1))
      paired.push(replacement(oldLine, oldLine + 1, newLine + 1, newLine + 1))
      pair++
    }
  }
  if (fromStart + pairs < fromEnd || toStart + pairs < toEnd) {
    paired.push(replacement(fromStart + pairs, fromEnd, toStart + pairs, toEnd))
  }
}
