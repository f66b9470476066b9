/** Single bits of a store's file that flipped: no answer changes, no process ends, and verify finds them. */
// @module-tag kills
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMetaPages } from '../../src/storage/file/metaPages.js'
import { OVERFLOW, readU64, StoreFile } from '../../src/storage/file/storeFile.js'
import { freeRuns, TreeWalks } from '../../src/storage/file/treeWalk.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { importInto, page, revision, temporaryFolder, temporaryStore } from '../support/store.js'

const FLIPS = Number(process.env['FLIPS'] ?? rounds(500, 40))
const SEED = Number(process.env['SEED'] ?? 20260722)
const PAGE = 4096
const HEAD = 24
const SAMPLE = join(import.meta.dirname, '../../sample/handbook.xml')
const SCRIPT = join(import.meta.dirname, '../support/flips.mjs')

/** Ranges of bytes of a file that hold something: of pages in use, without their free room. */
function usedRanges(path: string): [from: number, to: number][] {
  const file = new StoreFile(path)
  const { newest: meta } = readMetaPages(file)
  const free = new Set([0, 1])
  const walks = new TreeWalks({ file, meta: meta!, report: (fault) => expect.unreachable(fault) })
  for (const { value } of walks.rows('free pages', meta!.freePages)) {
    for (const { page, count } of freeRuns(value)) for (let n = 0; n < count; n++) free.add(page + n)
  }
  file.close()
  const bytes = readFileSync(path)
  const ranges: [number, number][] = []
  const big = new Map<number, number>()
  for (let page = 2; page <= meta!.lastPage; page++) {
    const at = page * PAGE
    if (free.has(page) || readU64(bytes, at) !== page || bytes.readUInt16LE(at + 18) === OVERFLOW) continue
    const [lower, upper] = [bytes.readUInt16LE(at + 20), bytes.readUInt16LE(at + 22)]
    ranges.push([at, at + HEAD + lower], [at + HEAD + upper, at + PAGE])
    for (let n = 0; n < lower; n += 2) {
      const node = at + HEAD + bytes.readUInt16LE(at + HEAD + n)
      const isBig = bytes.readUInt16LE(at + 18) === 2 && bytes.readUInt16LE(node + 4) === 1
      if (isBig) big.set(readU64(bytes, node + 8 + bytes.readUInt16LE(node + 6)), bytes.readUInt32LE(node))
    }
  }
  for (const [page, length] of big) ranges.push([page * PAGE, page * PAGE + HEAD + length])
  return ranges
}

interface Outcome {
  readonly byte: number
  readonly bit: number
  wrong: readonly string[]
  missing: readonly string[]
  errors: number
  /** Undefined: the process ended before verify did. */
  problems: number | undefined
  /** What the process was at when a signal ended it. */
  died: string | undefined
}

type Flip = readonly [number: number, byte: number, bit: number]

/** `count` bits, drawn from all bytes in use. */
function drawFlips(path: string, count: number): Flip[] {
  const ranges = usedRanges(path)
  const total = ranges.reduce((sum, [from, to]) => sum + to - from, 0)
  const random = randomNumbers(SEED)
  return Array.from({ length: count }, (_, number) => {
    let place = Math.floor(random() * total)
    const range = ranges.find(([from, to]) => {
      if (place < to - from) return true
      place -= to - from
      return false
    })!
    return [number, range[0] + place, Math.floor(random() * 8)] as const
  })
}

/** Reads all answers of a sound store, for `tryFlips`. */
function expectedAnswers(sound: string): string {
  const scratch = temporaryFolder()
  const expected = join(scratch, 'expected.json')
  execFileSync(process.execPath, [SCRIPT, sound, scratch, expected])
  return expected
}

/** Tries all flips, and goes on behind one that ends the process. */
function tryFlips(sound: string, flips: readonly Flip[], expected: string): Map<number, Outcome> {
  const scratch = temporaryFolder()
  const outcomes = new Map<number, Outcome>()
  let left = flips
  while (left.length > 0) {
    const { stdout } = spawnSync(process.execPath, [SCRIPT, sound, scratch, expected, JSON.stringify(left)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    let at: number | undefined
    for (const line of stdout.split('\n').filter((text) => text !== '')) {
      const { number, begins, ...found } = JSON.parse(line) as {
        number: number
        begins?: string
      } & Partial<Outcome>
      const [, byte, bit] = flips.find(([n]) => n === number)!
      const none: Outcome = {
        byte,
        bit,
        wrong: [],
        missing: [],
        errors: 0,
        problems: undefined,
        died: undefined,
      }
      outcomes.set(number, { ...none, ...outcomes.get(number), ...found, died: begins })
      at = number
    }
    const last = left.findIndex(([n]) => n === at)
    expect(last).toBeGreaterThanOrEqual(0)
    left = left.slice(last + 1)
  }
  return outcomes
}

const isSearch = (name: string): boolean => /^(search|titles) /.test(name)

test(
  `of ${FLIPS} bits none changes an answer without a word, and verify finds all`,
  { timeout: 3_600_000 },
  async () => {
    const sound = temporaryFolder()
    const { error } = await importInto(sound, [SAMPLE])
    expect(error).toBeUndefined()
    const path = join(sound, 'store/data.mdb')
    const flips = drawFlips(path, FLIPS)
    const outcomes = [...tryFlips(sound, flips, expectedAnswers(sound)).values()]
    expect(outcomes).toHaveLength(FLIPS)
    const figures = {
      flips: FLIPS,
      wrong: outcomes.filter(({ wrong }) => !wrong.every(isSearch)),
      // A search that is led astray in the tree of postings lacks pages.
      wrongSearch: outcomes.filter(({ wrong }) => wrong.some(isSearch)),
      missing: outcomes.filter(({ missing }) => missing.length > 0),
      withErrors: outcomes.filter(({ errors }) => errors > 0).length,
      died: outcomes.filter(({ died }) => died !== undefined),
      notFound: outcomes.filter(({ problems }) => problems === 0),
    }
    const counts = Object.entries(figures).map(
      ([name, of]) => `${name} ${Array.isArray(of) ? of.length : of}`,
    )
    process.stderr.write(`${counts.join(', ')}\n`)
    expect(figures.wrong).toEqual([])
    expect(figures.missing).toEqual([])
    expect(figures.wrongSearch).toEqual([])
    expect(figures.died).toEqual([])
    // Only LMDB uses these bytes: the transaction of a page, and padding for the alignment of rows.
    for (const { byte, missing, errors } of figures.notFound) {
      expect({ missing, errors }, `byte ${byte}`).toEqual({ missing: [], errors: 0 })
    }
  },
)

test(
  `none of ${FLIPS} bits ends a server that opens the store, before it looks for damaged pages`,
  { timeout: 3_600_000 },
  async () => {
    const { store, applier, dataDir } = temporaryStore()
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a'), revision(2, 'b')])])
    applier.finishImport(null)
    await store.close()
    const flips = drawFlips(join(dataDir, 'store/data.mdb'), FLIPS)
    const outcomes = [...tryFlips(dataDir, flips, '-').values()]
    expect(outcomes).toHaveLength(FLIPS)
    expect(outcomes.filter(({ wrong, died }) => wrong.length > 0 || died !== undefined)).toEqual([])
  },
)
