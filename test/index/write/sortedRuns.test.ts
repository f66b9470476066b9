/** Runs of postings on the disk, and their merge. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SortedRuns } from '../../../src/index/write/sortedRuns.js'
import type { TermChange } from '../../../src/index/write/termChanges.js'
import { randomNumbers } from '../../support/random.js'
import { temporaryFolder } from '../../support/store.js'

type Model = ReadonlyMap<string, readonly (readonly [page: number, slot: number])[]>

function* changesOf(model: Model): Generator<TermChange, void> {
  for (const term of [...model.keys()].sort()) {
    const postings = model.get(term)!
    const pages = Uint32Array.from(postings, ([page]) => page)
    yield { term, pages, slots: Uint8Array.from(postings, ([, slot]) => slot), from: 0, to: pages.length }
  }
}

function merged(runs: SortedRuns): [string, [number, number][]][] {
  return Array.from(runs.merge(), ({ term, pages, slots, from, to }) => [
    term,
    Array.from({ length: to - from }, (_, n) => [pages[from + n]!, slots[from + n]!] as [number, number]),
  ])
}

test('a merge gives all terms in order, and the pages of each, however threads divided them', () => {
  const random = randomNumbers(11)
  const folder = temporaryFolder()
  const runs = new SortedRuns(join(folder, 'runs'))
  const terms = ['a', 'ab', 'é', '漢字', 'x'.repeat(1900), ...Array.from({ length: 300 }, (_, n) => `t${n}`)]
  const parts = Array.from({ length: 40 }, () => new Map<string, [number, number][]>())
  const expected = new Map<string, [number, number][]>()
  for (const term of terms) {
    const step = 1 + Math.floor(random() * 10_000_000)
    for (let page = step; page < 4_000_000_000 && random() < 0.98; page += step) {
      const posting: [number, number] = [page, Math.floor(random() * 16)]
      expected.set(term, [...(expected.get(term) ?? []), posting])
      const part = parts[Math.floor(random() * parts.length)]!
      part.set(term, [...(part.get(term) ?? []), posting])
    }
  }
  for (const part of parts) runs.add(changesOf(part))
  expect(merged(runs)).toEqual(Array.from(changesOf(expected), ({ term }) => [term, expected.get(term)]))
  expect(runs.share).toBe(1)
  // Nothing stays behind, even if the process is killed.
  expect(readdirSync(folder)).toEqual([])
  runs.close()
})

test('no run gives no terms', () => {
  const runs = new SortedRuns(join(temporaryFolder(), 'runs'))
  runs.add([])
  expect([merged(runs), runs.count, runs.share]).toEqual([[], 0, 0])
  runs.close()
})
