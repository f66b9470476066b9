import { describe, expect, test } from 'vitest'
import { type ImportState, progressLine } from '../../../src/cli/import/progress.js'

const STATE: ImportState = {
  phase: 'reading',
  name: 'mywiki-pages-meta-history.xml.bz2',
  phaseShare: 0.864,
  share: 0.431,
  leftMs: 250_000,
  speed: '31.2 MB/s',
  pages: 10_785,
  revisions: 157_968,
}
const INDEXING: ImportState = { ...STATE, phase: 'indexing', speed: '1,234 pages/s', revisions: undefined }

/** Columns, if signs from far away take two. */
const widthOf = (line: string): number =>
  Array.from(line).reduce(
    (width, sign) => width + (/[\u1100-\uffff]/.test(sign) && !/[█░]/.test(sign) ? 2 : 1),
    0,
  )

describe('the line of progress', () => {
  test.each([
    [39, / 43 % █+░+ 31\.2 MB\/s 4 min 10 s left$/],
    [79, / 43 % █+░+ 31\.2 MB\/s 4 min 10 s left {2}1\/2 reading 86 % {2}10,785 pages$/],
    [
      109,
      / 43 % █+░+ 31\.2 MB\/s 4 min 10 s left {2}1\/2 reading 86 % {2}10,785 pages {2}157,968 revisions$/,
    ],
    [
      199,
      / 43 % █+░+ 31\.2 MB\/s 4 min 10 s left {2}1\/2 reading 86 % {2}10,785 pages {2}157,968 revisions {2}mywiki-.*bz2$/,
    ],
  ])('of %i columns has the most important parts first', (columns, pattern) => {
    expect(progressLine(STATE, columns)).toMatch(pattern)
  })

  test.each([
    ['the longest parts', { ...STATE, share: 0, leftMs: 359_940_000, speed: '1234.5 MB/s' }],
    ['everything done', { ...INDEXING, share: 1, phaseShare: 1, leftMs: 0 }],
    ['nothing known', { ...STATE, share: undefined, phaseShare: undefined, leftMs: undefined }],
    ['a wide name', { ...STATE, name: '维基百科维基百科维基百科.xml' }],
    ['indexing', INDEXING],
  ])('is never wider than it may be, with %s', (_case, state) => {
    for (let columns = 1; columns <= 220; columns++) {
      expect(widthOf(progressLine(state, columns)), `${columns} columns`).toBeLessThanOrEqual(columns)
    }
  })

  test('of 39 columns always has percent, bar, speed and time left', () => {
    for (const leftMs of [9000, 59_000, 3_540_000, 3_599_000, 86_340_000, 359_940_000]) {
      for (const speed of ['0.1 MB/s', '123.4 MB/s']) {
        const line = progressLine({ ...STATE, leftMs, speed, share: 0.999 }, 39)
        expect(line).toMatch(/^ 99 % █+░ .*MB\/s .* left$/)
      }
    }
  })

  test('says 100 % of nothing that is not done', () => {
    expect(progressLine({ ...INDEXING, share: 0.9999, phaseShare: 0.9999 }, 199)).not.toContain('100 %')
  })

  test('has neither percent nor bar where the size is unknown', () => {
    const line = progressLine({ ...STATE, share: undefined, phaseShare: undefined, leftMs: undefined }, 79)
    expect(line).toBe('31.2 MB/s  1/2 reading  10,785 pages  157,968 revisions')
  })
})
