/** Conversion of a text to a variant, with rules that a page adds to the tables of its language. */
import type { TextTable } from './textTable.js'

/** What a variant does with texts. */
export interface Conversion {
  /** The words of the first step compete with a page's rules: the longest one wins. Undefined: rules come first. */
  readonly words?: TextTable | undefined
  /** The other steps, or all of them. */
  readonly rest: (text: string) => string
  /** Whether a page is written so already. Then its foreign words stay, too. */
  readonly isWrittenSo?: (text: string) => boolean
}

/** For a variant in which texts stay as they are written. */
export const AS_WRITTEN: Conversion = { rest: (text) => text }

/** A conversion by a table alone. */
export const byTable = (words: TextTable): Conversion => ({ ...AS_WRITTEN, words })

/** Rules of a page, such as of `-{H|zh-hans:…;zh-hant:…}-`. */
export class PageRules {
  readonly #texts = new Map<string, string>()
  /** By the first UTF-16 unit: lengths of the texts, the longest first. */
  readonly #lengths = new Map<number, number[]>()

  get isEmpty(): boolean {
    return this.#texts.size === 0
  }

  add(from: string, to: string): void {
    if (from === '') return
    this.#texts.set(from, to)
    const unit = from.charCodeAt(0)
    const lengths = this.#lengths.get(unit) ?? []
    if (lengths.includes(from.length)) return
    this.#lengths.set(
      unit,
      [...lengths, from.length].sort((one, other) => other - one),
    )
  }

  remove(from: string): void {
    this.#texts.delete(from)
  }

  /** Length of the longest text of a rule at a place; 0 if there is none. */
  matchAt(text: string, at: number): number {
    for (const length of this.#lengths.get(text.charCodeAt(at)) ?? [])
      if (this.#texts.has(text.slice(at, at + length)) && at + length <= text.length) return length
    return 0
  }

  get(from: string): string {
    return this.#texts.get(from) ?? from
  }
}

export function convert(text: string, conversion: Conversion, rules?: PageRules): string {
  const { words, rest } = conversion
  if (rules === undefined || rules.isEmpty) return rest(words === undefined ? text : words.convert(text))
  let result = ''
  /** Text that no rule has changed, after the first step. */
  let pending = ''
  let start = 0
  for (let at = 0; at < text.length;) {
    const ruled = rules.matchAt(text, at)
    const known = words?.matchAt(text, at) ?? 0
    if (ruled === 0 && known === 0) {
      at++
      continue
    }
    pending += text.slice(start, at)
    const length = Math.max(ruled, known)
    const piece = text.slice(at, at + length)
    if (ruled === length) {
      result += rest(pending) + rules.get(piece)
      pending = ''
    } else pending += words!.get(piece)!
    at += length
    start = at
  }
  return result + rest(pending + text.slice(start))
}
