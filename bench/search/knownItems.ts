/** Known items: queries with words of one page each, which a search should list first. */
import { drawSome, randomNumbers } from '../support/random.js'
import { type BenchText, wordsOf } from './texts.js'

const QUERIES_OF_A_KIND = 100
/** The first set served to tune the ranking, the second did not. */
const SETS = { tuned: 1_234_567, 'held out': 86_420_975 } as const
/** Shorter pages have too few words for queries. */
const MIN_WORDS = 30
/** Shorter sentences are mostly captions and entries of lists. */
const MIN_SENTENCE_WORDS = 6
const WORDS_IN_A_ROW = 3

export type KnownItemSet = keyof typeof SETS
export const ITEM_SETS = Object.keys(SETS) as KnownItemSet[]

/** `phrase` may cross punctuation and line breaks; `sentence` does not, and knows no rare words. */
export const ITEM_KINDS = ['title', 'phrase', 'rare words', 'sentence'] as const

export interface KnownItem {
  readonly set: KnownItemSet
  readonly kind: (typeof ITEM_KINDS)[number]
  readonly words: readonly string[]
  readonly page: number
}

/** The queries of a set, the same in every run. */
export function drawItems(texts: readonly BenchText[], set: KnownItemSet): KnownItem[] {
  const random = randomNumbers(SETS[set])
  const long = texts.filter(({ text }) => wordsOf(text).length >= MIN_WORDS)
  const frequency = documentFrequencies(texts)
  const draw = (
    kind: KnownItem['kind'],
    from: readonly BenchText[],
    words: (text: BenchText) => readonly string[],
  ): KnownItem[] =>
    drawSome(from, QUERIES_OF_A_KIND, random).map((text) => {
      return { set, kind, words: words(text), page: text.page }
    })
  const inARow = (words: readonly string[]): readonly string[] => {
    const at = Math.floor(random() * (words.length - WORDS_IN_A_ROW + 1))
    return words.slice(at, at + WORDS_IN_A_ROW)
  }
  const items = [
    ...draw('title', long, ({ title }) => wordsOf(title)),
    ...draw('phrase', long, ({ text }) => inARow(wordsOf(text))),
    ...draw('rare words', long, ({ text }) => rarestWords(text, frequency)),
    ...draw(
      'sentence',
      long.filter(({ text }) => sentencesOf(text).length > 0),
      ({ text }) => inARow(drawSome(sentencesOf(text), 1, random)[0]!),
    ),
  ]
  return items.filter(({ words }) => words.length > 0)
}

/** For each item, the number of pages that have its words in a row, case apart; at least 1. */
export function pagesWithRows(texts: readonly BenchText[], items: readonly KnownItem[]): number[] {
  const inRows = (words: readonly string[]): string => ` ${words.join(' ').toLowerCase()} `
  const pages = texts.map(({ title, text }) => inRows([...wordsOf(title), ...wordsOf(text)]))
  return items.map(({ words }) => {
    const row = inRows(words)
    return Math.max(1, pages.filter((page) => page.includes(row)).length)
  })
}

function documentFrequencies(texts: readonly BenchText[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>()
  for (const { text } of texts) {
    for (const word of new Set(wordsOf(text.toLowerCase()))) {
      frequency.set(word, (frequency.get(word) ?? 0) + 1)
    }
  }
  return frequency
}

/** The two rarest words that another page has too. */
function rarestWords(text: string, frequency: ReadonlyMap<string, number>): string[] {
  return [...new Set(wordsOf(text.toLowerCase()))]
    .filter((word) => frequency.get(word)! > 1)
    .sort((a, b) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1))
    .slice(0, 2)
}

/** The words of each sentence. */
function sentencesOf(text: string): string[][] {
  return text
    .split(/[.!?:;]\s+|\n/u)
    .map(wordsOf)
    .filter((words) => words.length >= MIN_SENTENCE_WORDS)
}
