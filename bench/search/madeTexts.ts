/**
 * Wikis of made-up texts in several scripts. All have the same pages with the same words, only the words are spelt in
 * another script: what a search costs in one script compares with another. Words follow Zipf's law, as in every language.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { IncomingPage } from '../../src/domain/page.js'
import { DumpWriter } from '../../src/import/dumpWriter.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { randomNumbers } from '../support/random.js'
import { PALIMPSEST } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'

const WORDS = 20_000
const SEED = 271_828
const BATCH = 200

/** How to spell words: a range of letters, the lengths of words, and what stands between them. */
export interface Script {
  readonly name: string
  readonly first: number
  readonly letters: number
  readonly lengths: readonly [least: number, most: number]
  readonly space: string
}

export const SCRIPTS: readonly Script[] = [
  { name: 'Latin', first: 0x61, letters: 26, lengths: [3, 9], space: ' ' },
  { name: 'Chinese', first: 0x4e00, letters: 3000, lengths: [1, 3], space: '' },
  { name: 'Japanese', first: 0x3041, letters: 80, lengths: [2, 4], space: '' },
  { name: 'Thai', first: 0x0e01, letters: 46, lengths: [2, 5], space: '' },
]

/** Draws from 0 to `count` - 1 with a probability of 1 / (n + 2.7). */
function zipf(count: number, random: () => number): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let n = 0; n < count; n++) sums[n] = sum += 1 / (n + 2.7)
  return () => {
    const wanted = random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The vocabulary: distinct words, the most frequent first. Frequent words are short, and have frequent letters. */
export function vocabulary({ first, letters, lengths: [least, most] }: Script): string[] {
  const random = randomNumbers(SEED)
  const letter = zipf(letters, random)
  const words = new Set<string>()
  for (let tries = 0; words.size < WORDS; tries++) {
    const share = Math.min(1, words.size / WORDS + 0.2)
    // After many tries in vain, longer words make room.
    const length = Math.round(least + (most - least) * share * random()) + Math.floor(tries / (20 * WORDS))
    words.add(Array.from({ length }, () => String.fromCodePoint(first + letter())).join(''))
  }
  return [...words]
}

/** The pages as lists of sentences of words, the words as numbers. The same for every script. */
export function madePages(count: number, wordsOfPage: number): number[][] {
  const random = randomNumbers(SEED + 1)
  const word = zipf(WORDS, random)
  return Array.from({ length: count }, () => {
    const length = Math.ceil(wordsOfPage * (0.2 + 1.6 * random()))
    return Array.from({ length }, word)
  })
}

/** A data folder with these pages in a script. */
export async function madeStore(
  sandbox: Sandbox,
  script: Script,
  pages: readonly (readonly number[])[],
): Promise<string> {
  const folder = join(sandbox.folder('made'), script.name)
  mkdirSync(folder, { recursive: true })
  const words = vocabulary(script)
  const store = Store.open(folder, { create: true })
  const writer = new DumpWriter(store, new Applier(store), 'made')
  for (let at = 0; at < pages.length; at += BATCH) {
    writer.writePages(pages.slice(at, at + BATCH).map((page, n) => pageOf(at + n + 1, page, words, script)))
  }
  writer.end(null)
  await store.close()
  const { status } = await sandbox.run(PALIMPSEST, ['reindex', '--missing', '--data-dir', folder])
  if (status !== 0) throw new Error(`the index of ${folder} could not be made`)
  return folder
}

const WORDS_OF_SENTENCE = 12

function pageOf(
  id: number,
  page: readonly number[],
  words: readonly string[],
  { space }: Script,
): IncomingPage {
  const sentences: string[] = []
  for (let at = 0; at < page.length; at += WORDS_OF_SENTENCE) {
    sentences.push(
      page
        .slice(at, at + WORDS_OF_SENTENCE)
        .map((word) => words[word]!)
        .join(space),
    )
  }
  const revision = {
    id,
    parentId: undefined,
    statedSha1: undefined,
    statedSizeBytes: undefined,
    timestamp: 1_700_000_000,
    editor: { id: 1, name: 'Ann' },
    comment: '',
    minor: false,
    contentModel: 'wikitext',
    text: sentences.join('. '),
  }
  return { id, namespace: 0, dbkey: `Page_${id}`, redirectTarget: undefined, revisions: [revision] }
}

/** Queries of one or two words that follow each other in a page, two to four characters long in Chinese. */
export function madeQueries(pages: readonly (readonly number[])[], count: number): number[][] {
  const random = randomNumbers(SEED + 2)
  const lengths = vocabulary(SCRIPTS[1]!).map((word) => word.length)
  const queries: number[][] = []
  while (queries.length < count) {
    const page = pages[Math.floor(random() * pages.length)]!
    const at = Math.floor(random() * (page.length - 1))
    const words = page.slice(at, at + 1 + Math.floor(2 * random()))
    const length = words.reduce((sum, word) => sum + lengths[word]!, 0)
    if (length >= 2 && length <= 4) queries.push(words)
  }
  return queries
}
