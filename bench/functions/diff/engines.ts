/** Ways to compare two texts in JavaScript, by the name of their package. */
import { diffLines, diffWordsWithSpace } from 'diff'
import DiffMatchPatch from 'diff-match-patch'
import { compare } from '../../../src/diff/compare.js'

/** Compares two texts. The result depends on the whole comparison. */
export type Engine = (from: string, to: string) => number

export const ENGINES: Readonly<Record<string, Engine>> = {
  palimpsest: (from, to) => compare(from, to).length,
  diff: compareWithDiff,
  'diff-match-patch': compareWithDiffMatchPatch,
}

/**
 * Compares lines, then words of removed and added lines at the same place. This is closest to a comparison of
 * revisions.
 */
function compareWithDiff(from: string, to: string): number {
  let parts = 0
  let removedLines: string[] = []
  for (const { value, added, removed } of diffLines(from, to)) {
    parts++
    const lines = value.split('\n')
    if (added) {
      for (const [n, line] of removedLines.entries()) {
        const partner = lines[n]
        if (partner !== undefined) parts += diffWordsWithSpace(line, partner).length
      }
    }
    removedLines = removed ? lines : []
  }
  return parts
}

/** Line mode, then the semantic clean-up that its documentation advises; no time limit. */
function compareWithDiffMatchPatch(from: string, to: string): number {
  const engine = new DiffMatchPatch.diff_match_patch()
  engine.Diff_Timeout = 0
  const { chars1, chars2, lineArray } = engine.diff_linesToChars_(from, to)
  const differences = engine.diff_main(chars1, chars2, false)
  engine.diff_charsToLines_(differences, lineArray)
  engine.diff_cleanupSemantic(differences)
  return differences.length
}
