/** libthai's dictionary file: sound ones, and damaged or hostile ones, which are refused or at least do no harm. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ThaiDictionary, ThaiDictionaryError } from '../../src/diff/thaiDictionary.js'
import { dictionaryBreaker } from '../../src/diff/thaiWords.js'
import { randomNumbers } from '../support/random.js'
import {
  ALPHABET,
  cellsOf,
  dictionaryOf,
  hasLibthai,
  LIBTHAI_FILE,
  recordedLines,
  tailsOf,
  u32,
} from '../support/thaiDictionary.js'

const WORDS = ['กา', 'ขา', 'มานี', 'น']
const TEXT = 'กามานีนขากานนมานีกาขฃมานีกา'

function holds(dictionary: ThaiDictionary, word: string): boolean {
  let state = dictionary.root
  for (const sign of word) {
    state = dictionary.next(state, dictionary.code(sign.charCodeAt(0)))
    if (state === 0) return false
  }
  return dictionary.isWord(state)
}

describe('a dictionary', () => {
  const dictionary = new ThaiDictionary(dictionaryOf(WORDS))

  test('has its words and no others', () => {
    expect(WORDS.filter((word) => !holds(dictionary, word))).toEqual([])
    expect(['', 'ก', 'กาก', 'มาน', 'ฃ', 'x', 'กx'].filter((word) => holds(dictionary, word))).toEqual([])
  })

  test('cuts a run at words, and leaves together what is none', () => {
    expect(dictionaryBreaker(dictionary)('กามานีกานขา')).toEqual([2, 6, 8, 9])
    expect(dictionaryBreaker(dictionary)('กาฃฃฃฃกามานีกา')).toEqual([2, 6, 8, 12])
    expect(dictionaryBreaker(dictionary)('ฃฃฃฃ')).toEqual([])
  })

  test('may have words that go on as others', () => {
    // The root leads by sign 1 to cell 3. There a word ends (cell 100), and by sign 2 others begin (tail 2).
    const cells = new Map<number, readonly [number, number]>([
      [2, [2, 0]],
      [3, [100, 2]],
      [100, [-1, 3]],
      [102, [-2, 3]],
    ])
    const made = new ThaiDictionary(Buffer.concat([ALPHABET, cellsOf(cells), tailsOf([[], [3]])]))
    const both = ['ก', 'กขฃ']
    expect(both.every((word) => holds(made, word))).toBe(true)
    expect(holds(made, 'กข')).toBe(false)
  })
})

describe('a file is refused that', () => {
  const tails = tailsOf([[1]])
  const rooted = (...more: [number, readonly [number, number]][]) =>
    Buffer.concat([ALPHABET, cellsOf(new Map([[2, [2, 0]], ...more])), tails])
  test.each<[string, Uint8Array, string]>([
    ['is empty', Buffer.alloc(0), 'is cut off'],
    ['is text', Buffer.from('some text of a person'), 'is no dictionary: it has no alphabet'],
    ['has a huge alphabet', u32(0xd9fcd9fc, 1, 0, 0x7fffffff, 0, 0), 'has an alphabet that is too large'],
    [
      'has an alphabet from end to start',
      u32(0xd9fcd9fc, 1, 9, 3, 0, 0),
      'has an alphabet that is too large',
    ],
    ['has only an alphabet', ALPHABET, 'is cut off'],
    ['counts more cells than it has', Buffer.concat([ALPHABET, u32(0xdafcdafc, -1)]), 'is cut off'],
    ['has no root', Buffer.concat([ALPHABET, u32(0xdafcdafc, 2, 0, 0), tails]), 'has no words'],
    ['leads to no tail', rooted([3, [-2, 2]]), 'is damaged: a cell leads to no tail'],
    ['goes round in a circle', rooted([3, [3, 4]], [4, [1, 3]]), 'is damaged: a cell belongs to no word'],
    ['has bytes behind its end', Buffer.concat([rooted(), Buffer.alloc(1)]), 'has bytes behind its end'],
    [
      'has an endless word',
      Buffer.concat([ALPHABET, cellsOf(new Map([[2, [2, 0]]])), tailsOf([Array<number>(65).fill(1)])]),
      'has a word of more than 64 letters',
    ],
  ])('%s', (_case, bytes, message) => {
    expect(() => new ThaiDictionary(bytes)).toThrow(new ThaiDictionaryError(message))
  })

  test('is cut off anywhere', () => {
    const whole = dictionaryOf(WORDS)
    for (let length = 0; length < whole.length; length++) {
      expect(() => new ThaiDictionary(whole.subarray(0, length)), String(length)).toThrow(ThaiDictionaryError)
    }
  })
})

test('a damaged file is refused, or cuts runs at places in them', () => {
  const random = randomNumbers(3)
  let read = 0
  for (let round = 0; round < 3000; round++) {
    const bytes = dictionaryOf(WORDS)
    for (let flips = 1 + random() * 4; flips > 0; flips--)
      bytes[Math.floor(random() * bytes.length)] = random() * 256
    try {
      const starts = dictionaryBreaker(new ThaiDictionary(bytes))(TEXT)
      expect(starts.every((start, n) => start > (starts[n - 1] ?? 0) && start < TEXT.length)).toBe(true)
      read++
    } catch (error) {
      expect(error).toBeInstanceOf(ThaiDictionaryError)
    }
  }
  expect(read).toBeGreaterThan(100)
})

describe.skipIf(!hasLibthai)(
  `libthai's dictionary${hasLibthai ? '' : ' (libthai-data is not installed)'}`,
  () => {
    const dictionary = new ThaiDictionary(hasLibthai ? readFileSync(LIBTHAI_FILE) : dictionaryOf(WORDS))

    test('reads a run of any signs in time that grows with its length', () => {
      const runs = recordedLines().map(([line]) =>
        line.replace(/[^\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e4e]/g, ''),
      )
      for (const piece of ['ก', 'เ', 'กระ', 'นานากา', 'ฃ', runs.join('')]) {
        const run = piece.repeat(Math.ceil(100_000 / piece.length))
        const starts = dictionaryBreaker(dictionary)(run)
        expect(starts.every((start, n) => start > (starts[n - 1] ?? 0))).toBe(true)
      }
    })
  },
)
