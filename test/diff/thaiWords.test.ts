/** Breaks of lines of our own as libthai was recorded to set them, with its dictionary and, mostly, without. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compare } from '../../src/diff/compare.js'
import { isLetter } from '../../src/diff/letters.js'
import { type ThaiBreaker, thaiBreaks } from '../../src/diff/thaiBreaks.js'
import { ThaiDictionary } from '../../src/diff/thaiDictionary.js'
import { dictionaryBreaker } from '../../src/diff/thaiWords.js'
import { hasLibthai, LIBTHAI_FILE, recordedLines } from '../support/thaiDictionary.js'

const lines = recordedLines()
/** Lines of fixtures/thai/sentences.txt. Then come an edited line after each line, and two with mistakes. */
const SENTENCES = 60

/** Breaks between two letters; others do not depend on the dictionary. */
const inWords = (line: string, breaks: readonly number[]): number[] =>
  breaks.filter((at) => at > 0 && isLetter(line.charCodeAt(at)) && isLetter(line.charCodeAt(at - 1)))

function ownBreaks(line: string, breaker: ThaiBreaker): number[] {
  return [...thaiBreaks(line, breaker).entries()].flatMap(([at, isBreak]) => (isBreak === 1 ? [at] : []))
}

/** libthai's own breaks as a breaker, for lines that are one run each. */
const recordedBreaker = (runs: ReadonlyMap<string, readonly number[]>): ThaiBreaker => {
  return (run) => runs.get(run)!.filter((at) => at < run.length)
}

describe.skipIf(!hasLibthai)(
  `with libthai's dictionary${hasLibthai ? '' : ' (libthai-data is not installed)'}`,
  () => {
    test('all recorded lines have the recorded breaks', () => {
      const breaker = dictionaryBreaker(new ThaiDictionary(readFileSync(LIBTHAI_FILE)))
      expect(lines.length).toBeGreaterThan(1000)
      for (const [line, breaks] of lines)
        expect(ownBreaks(line, breaker), line).toEqual(inWords(line, breaks))
    })
  },
)

test('without it, nine in ten comparisons of edited lines are equal to those with the recorded breaks', () => {
  const pairs = lines
    .slice(SENTENCES)
    .flatMap((line, n) => (n % 4 === 1 ? [[lines[SENTENCES + n - 1]!, line] as const] : []))
  const isRun = (line: string): boolean => /^[\u0e01-\u0e2e\u0e30-\u0e4e]+$/.test(line)
  const runs = pairs.filter(([[from], [to]]) => isRun(from) && isRun(to) && from !== to)
  expect(runs.length).toBeGreaterThan(200)
  const same = runs.filter(([from, to]) => {
    const thaiBreaker = recordedBreaker(new Map([from, to]))
    return compare(from[0], to[0]).equals(compare(from[0], to[0], { thaiBreaker }))
  })
  expect(same.length / runs.length).toBeGreaterThanOrEqual(0.9)
})
