/** The comparison against recorded answers of the real extension, own cases, and its own promise: it leads to `to`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { compare } from '../../src/diff/compare.js'
import { TOO_DIFFERENT } from '../../src/diff/itemTable.js'
import { ThaiDictionary } from '../../src/diff/thaiDictionary.js'
import { dictionaryBreaker } from '../../src/diff/thaiWords.js'
import { randomNumbers } from '../support/random.js'
import { hasLibthai, LIBTHAI_FILE } from '../support/thaiDictionary.js'
import { describeShared } from '../support/shared.js'

interface Entry {
  type: 0 | 1 | 2 | 3 | 4 | 5
  lineNumber?: number
  text: string
  offset: { from: number | null; to: number | null }
  highlightRanges?: { start: number; length: number; type: 0 | 1 }[]
  moveInfo?: { id: string; linkId: string; linkDirection: 0 | 1 }
}

const entriesOf = (from: string, to: string): Entry[] => JSON.parse(compare(from, to).toString()) as Entry[]

/** Types and texts, with removed words in [- -] and added ones in {+ +}. */
function shown(from: string, to: string): string[] {
  return entriesOf(from, to).map(({ type, text, highlightRanges = [] }) => {
    let bytes = Buffer.from(text)
    for (const { start, length, type: kind } of highlightRanges.toReversed()) {
      const [open, close] = kind === 0 ? ['{+', '+}'] : ['[-', '-]']
      const marked = `${open}${bytes.toString('utf8', start, start + length)}${close}`
      bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(marked), bytes.subarray(start + length)])
    }
    return `${type} ${bytes.toString()}`
  })
}

const splitLines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** The newer version of a changed line: its text without what was removed. */
function newText({ text, highlightRanges = [] }: Entry): string {
  const bytes = Buffer.from(text)
  const kept: Buffer[] = []
  let at = 0
  for (const { start, length, type } of highlightRanges) {
    kept.push(bytes.subarray(at, type === 1 ? start : start + length))
    at = start + length
  }
  return Buffer.concat([...kept, bytes.subarray(at)]).toString()
}

/** Lines that the entries make of the lines of `from`. */
function applied(from: string, entries: readonly Entry[]): string[] {
  const lines = splitLines(from)
  const offsets: number[] = []
  let offset = 0
  for (const line of lines) {
    offsets.push(offset)
    offset += Buffer.byteLength(line) + 1
  }
  const made: string[] = []
  let at = 0
  for (const entry of entries) {
    const place = entry.offset.from
    const before = (): boolean =>
      place === null ? made.length < entry.lineNumber! - 1 : offsets[at]! < place
    while (at < lines.length && before()) made.push(lines[at++]!)
    if (entry.type !== 2 && entry.type !== 4) made.push(newText(entry))
    if (place !== null) at++
  }
  return [...made, ...lines.slice(at)]
}

describe('a comparison', () => {
  test.each<[string, string, string, string[]]>([
    ['equal texts', 'a\nb', 'a\nb', []],
    ['two empty texts', '', '', []],
    ['texts that differ in a final newline', 'a\n', 'a', []],
    ['a line added', 'one\ntwo\nthree', 'one\ntwo\nthree\nfour', ['0 two', '0 three', '1 four']],
    ['a line deleted', 'one\ntwo\nthree', 'one\nthree', ['0 one', '2 two', '0 three']],
    ['a text from nothing', '', 'here', ['1 here']],
    ['a word changed', 'the quick fox', 'the slow fox', ['3 the [-quick-]{+slow+} fox']],
    ['a word put in', 'the quick fox', 'the very quick fox', ['3 the{+ very+} quick fox']],
    ['lines too unlike for a change', 'alpha', 'omega gamma', ['1 omega gamma', '2 alpha']],
    [
      'two lines of context',
      '1\n2\n3\n4\n5\n6',
      '1\n2\n3\nx\n5\n6',
      ['0 2', '0 3', '1 x', '2 4', '0 5', '0 6'],
    ],
    ['letters of several bytes', 'Straße nach Köln', 'Straße nach Ulm', ['3 Straße nach [-Köln-]{+Ulm+}']],
    ['Chinese, sign by sign', '我喜歡圍棋', '我喜歡象棋', ['3 我喜歡[-圍-]{+象+}棋']],
  ])('of %s', (_case, from, to, entries) => {
    expect(shown(from, to)).toEqual(entries)
  })

  test('finds a paragraph that was moved, with links both ways', () => {
    const moved = 'The paragraph that moves is long enough to be known again.'
    const entries = entriesOf(`${moved}\nfirst\nsecond\nthird`, `first\nsecond\nthird\n${moved}`)
    expect(entries.map(({ type }) => type)).toEqual([4, 0, 0, 0, 5])
    expect(entries[0]?.moveInfo).toEqual({
      id: 'movedpara_0_0_lhs',
      linkId: entries[4]?.moveInfo?.id,
      linkDirection: 0,
    })
    expect(entries[4]?.moveInfo).toMatchObject({ linkId: 'movedpara_0_0_lhs', linkDirection: 1 })
  })

  test('counts offsets in bytes and lines from 1', () => {
    expect(
      entriesOf('é\nb', 'é\nb\nc').map(({ offset, lineNumber }) => [offset.from, offset.to, lineNumber]),
    ).toEqual([
      [0, 0, 1],
      [3, 3, 2],
      [null, 5, 3],
    ])
  })

  test('leads to the newer text for random edits', () => {
    const random = randomNumbers(12)
    const words = ['moon', 'sea', 'é', '日本', 'ไทย', 'a', 'quick brown', '', 'x.']
    const line = (): string =>
      Array.from({ length: Math.floor(random() * 8) }, () => words[Math.floor(random() * words.length)]).join(
        ' ',
      )
    for (let round = 0; round < 400; round++) {
      const lines = Array.from({ length: 1 + Math.floor(random() * 12) }, line)
      const edited = lines.flatMap((old) => (random() < 0.2 ? [] : random() < 0.3 ? [line(), old] : [old]))
      if (random() < 0.3) edited.reverse()
      const [from, to] = [lines.join('\n'), edited.join('\n')]
      expect(applied(from, entriesOf(from, to))).toEqual(splitLines(to))
    }
  })
})

interface GoldenCase {
  readonly id: string
  readonly from: string
  readonly to: string
  /** The array that wikidiff2 1.13 writes, byte for byte. */
  readonly diff: string
}

const GOLDEN = join(import.meta.dirname, '../fixtures/compare/cases.json')
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as GoldenCase[]

describe("wikidiff2's answers to texts of our own", () => {
  test.each(golden)('are given to the byte: $id', ({ from, to, diff }) => {
    expect(compare(from, to).toString()).toBe(diff)
  })

  test('hold every kind of entry', () => {
    const kinds = golden.flatMap(({ diff }) => (JSON.parse(diff) as Entry[]).map(({ type }) => type))
    expect([...new Set(kinds)].toSorted()).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('lead to the newer text', () => {
    // A U+0000 ends the words of a line, so what stands behind it does not show.
    for (const { id, from, to } of golden.filter((one) => !one.from.includes('\0'))) {
      expect(applied(from, entriesOf(from, to)).map(anyBlank), id).toEqual(splitLines(to).map(anyBlank))
    }
  })
})

describeShared('recorded answers', 'oracle/diff', (folder) => {
  interface Pair {
    id: string
    from: string
    to: string
    recorded: string
  }

  const pairsOf = (file: string): Pair[] =>
    gunzipSync(readFileSync(join(folder, file)))
      .toString()
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => {
        const recorded = row.slice(row.indexOf('"diff": ') + '"diff": '.length, row.lastIndexOf('}'))
        return { ...(JSON.parse(row) as Pair), recorded }
      })
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'))
  const hasThai = ({ from, to }: Pair): boolean => /[\u0e01-\u0e5b]/.test(from + to)

  test.each(files)('of %s are given to the byte, but for Thai words', (file) => {
    for (const pair of pairsOf(file).filter((one) => !hasThai(one))) {
      expect(compare(pair.from, pair.to).toString(), pair.id).toBe(pair.recorded)
    }
  })

  test('of pairs with Thai are given to the byte for nine in ten', () => {
    const thai = files.flatMap(pairsOf).filter(hasThai)
    const same = thai.filter(({ from, to, recorded }) => compare(from, to).toString() === recorded)
    expect(thai.length).toBeGreaterThan(50)
    expect(same.length / thai.length).toBeGreaterThanOrEqual(0.9)
  })

  test.skipIf(!hasLibthai)("of pairs with Thai are given to the byte with libthai's dictionary", () => {
    const dictionary = new ThaiDictionary(readFileSync(LIBTHAI_FILE))
    for (const { id, from, to, recorded } of files.flatMap(pairsOf).filter(hasThai)) {
      const thaiBreaker = dictionaryBreaker(dictionary)
      expect(compare(from, to, { thaiBreaker }).toString(), id).toBe(recorded)
    }
  })

  test.each(files)('of %s lead to the newer text', (file) => {
    for (const { id, from, to } of pairsOf(file)) {
      expect(applied(from, entriesOf(from, to)).map(anyBlank), id).toEqual(splitLines(to).map(anyBlank))
    }
  })
})

describe('texts that would take many seconds are refused', () => {
  const words = (count: number, seed: number): string => {
    const random = randomNumbers(seed)
    return Array.from({ length: count }, () => `w${Math.floor(random() * 500)}`).join(' ')
  }

  test.each([
    ['one line of 2 MB of words', words(450_000, 1), words(450_000, 2)],
    [
      'many lines of few kinds',
      words(450_000, 1).replaceAll(' ', '\n'),
      words(450_000, 2).replaceAll(' ', '\n'),
    ],
    ['a million lines, all replaced', 'a\n'.repeat(1e6), 'b\n'.repeat(1e6)],
  ])('%s', (_case, from, to) => {
    expect(() => compare(from, to)).toThrow(TOO_DIFFERENT)
  })

  test('but large texts with few differences are compared', () => {
    const line = words(450_000, 1)
    expect(shown(`${line} end`, `${line} END`)).toHaveLength(1)
    const lines = 'a\n'.repeat(1e6)
    expect(entriesOf(`${lines}b`, `${lines}c`)).toHaveLength(4)
  })
})

/** Blanks of any kind count as equal words, and an equal word is shown as it stands in the older text. */
const anyBlank = (line: string): string => line.replace(/\s+/g, ' ')
