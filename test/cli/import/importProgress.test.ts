import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Importer } from '../../../src/import/importer.js'
import { ImportProgress } from '../../../src/cli/import/importProgress.js'
import type { ImportState } from '../../../src/cli/import/progress.js'
import type { DumpSource } from '../../../src/dump/openDump.js'
import { temporaryFolder } from '../../support/store.js'

const COUNTS = { counts: { pages: 7, revisions: 8 } }

function progressOver(sizes: readonly (number | '-')[]) {
  const folder = temporaryFolder()
  const clock = { ms: 0 }
  let last: ImportState | undefined
  const paths = sizes.map((size, n) => {
    if (size === '-') return size
    writeFileSync(join(folder, `${n}.xml`), 'x'.repeat(size))
    return join(folder, `${n}.xml`)
  })
  const display = { show: (state: () => ImportState) => (last = state()), print: () => {}, stop: () => {} }
  const progress = new ImportProgress(display, paths, () => clock.ms)
  const read = (sizeBytes: number | undefined, bytes: number) => {
    const source = { name: 'x.xml', sizeBytes, bytesRead: () => bytes, xmlBytes: () => 10 * bytes }
    return [source as DumpSource, { ...COUNTS, textBytes: 0 } as unknown as Importer] as const
  }
  return { progress, clock, read, last: () => last }
}

test('several dumps are one whole, and each its own phase', () => {
  const { progress, clock, read, last } = progressOver([100, 300])
  const first = progress.reading(...read(100, 50))
  clock.ms = 1000
  first()
  expect(last()).toMatchObject({ phase: 'reading', phaseShare: 0.5, share: 0.125, leftMs: 7000, pages: 7 })
  progress.ended(...read(100, 100))
  progress.reading(...read(300, 100))()
  expect(last()).toMatchObject({ phaseShare: 1 / 3, share: 0.5, leftMs: 1000 })
})

test('dumps without a size have no share', () => {
  const { progress, clock, read, last } = progressOver([100, '-'])
  const show = progress.reading(...read(100, 50_000_000))
  clock.ms = 10_000
  show()
  expect(last()).toMatchObject({ phaseShare: 1, share: undefined, leftMs: undefined, speed: '50.0 MB/s' })
})

test('the time that indexing takes counts from its begin, not from when it is first shown', () => {
  const { progress, clock, last } = progressOver([100])
  const index = progress.indexing(1000)
  clock.ms = 4000
  index(0.4)
  expect(last()).toMatchObject({ phase: 'indexing', phaseShare: 0.4, leftMs: 6000, speed: '100 pages/s' })
})

test('pages that are indexed already count, over all dumps', () => {
  const { progress, clock, read, last } = progressOver([100, 300])
  let indexed = 0
  progress.followIndexing(() => indexed)
  const importer = { counts: { pages: 10, revisions: 10, newPages: 10 }, textBytes: 1000 }
  const first = progress.reading(read(100, 100)[0], importer)
  clock.ms = 1000
  first()
  expect(last()).toMatchObject({ share: 0.25 / 2.5, indexed: 0 })
  indexed = 10
  first()
  expect(last()).toMatchObject({ share: 0.25, indexed: 10 })
  progress.ended(read(100, 100)[0], importer)
  const second = progress.reading(read(300, 300)[0], importer)
  second()
  expect(last()!.share).toBeCloseTo((1 / 1.75) * (1 + 0.75 / 2), 5)
})
