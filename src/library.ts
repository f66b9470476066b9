/**
 * The parts of the server that are useful alone, for `import … from 'palimpsest'`: comparison of two texts, and the
 * three-way merge of two edits. Both are pure functions: they do no input or output and keep nothing between calls.
 */
export { compare, compareLines, type CompareOptions } from './diff/compare.js'
export type { ThaiBreaker } from './diff/thaiBreaks.js'
export { ThaiDictionary, ThaiDictionaryError } from './diff/thaiDictionary.js'
export { dictionaryBreaker } from './diff/thaiWords.js'
export { type DiffEntry, ENTRY, type HighlightRange, type MoveInfo } from './diff/entries.js'
export { type Merge, merge3 as merge } from './diff/merge3.js'
