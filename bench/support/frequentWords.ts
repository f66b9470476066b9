/** The words that occur on most pages of a store, which are the costliest to search for. */
import type { Store } from '../../src/storage/store.js'
import { benchTexts, wordsOf } from '../search/texts.js'

export function frequentWords(store: Store, count: number): string[] {
  const pages = new Map<string, number>()
  for (const { text } of benchTexts(store)) {
    for (const word of new Set(wordsOf(text.toLowerCase()))) pages.set(word, (pages.get(word) ?? 0) + 1)
  }
  return [...pages]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([word]) => word)
}
