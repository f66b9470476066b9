/** Words of wikitext that a language has beside the English ones, as patterns for texts. */
/** A word of wikitext: a function, a variable, a switch, an option of pictures. */
export interface MagicWord {
  readonly caseSensitive: boolean
  /** The language's own words come first. `$1` stands for a value. */
  readonly words: readonly string[]
}

type Words = ReadonlyMap<string, MagicWord>

const SWITCH = /^__.*__$/
const OPTION = 'img_'
const SIGNS = /[.*+?^${}()|[\]\\/]/g
const escaped = (word: string): string => word.replace(SIGNS, '\\$&')

/** Local words by MediaWiki's name for them, of names that `isWanted` chooses by their English words. */
function* localWords(
  words: Words,
  english: Words,
  isWanted: (name: string, english: readonly string[]) => boolean,
): Iterable<readonly [name: string, word: string, isCased: boolean]> {
  for (const [name, { words: list, caseSensitive }] of words) {
    const usual = english.get(name)?.words ?? []
    if (!isWanted(name, usual)) continue
    for (const word of list) if (!usual.includes(word)) yield [name, word, caseSensitive]
  }
}

/** Behaviour switches such as `__БЕЗ_ОГЛАВЛЕНИЯ__`. */
export class LocalSwitches {
  readonly #pattern: RegExp
  readonly #cased = new Map<string, string>()
  readonly #uncased = new Map<string, string>()

  private constructor(found: Iterable<readonly [name: string, word: string, isCased: boolean]>) {
    for (const [name, word, isCased] of found) {
      if (isCased) this.#cased.set(word, name)
      else this.#uncased.set(word.toLowerCase(), name)
    }
    const words = [...this.#cased.keys(), ...this.#uncased.keys()]
    // A longer word may begin with a shorter one.
    words.sort((one, other) => other.length - one.length)
    this.#pattern = new RegExp(words.map(escaped).join('|'), 'giu')
  }

  /** Undefined where the language has no words of its own. */
  static of(words: Words, english: Words): LocalSwitches | undefined {
    const found = [...localWords(words, english, (_name, usual) => usual.some((word) => SWITCH.test(word)))]
    return found.length === 0 ? undefined : new LocalSwitches(found)
  }

  /** MediaWiki's names of the switches in a text. */
  namesIn(text: string): string[] {
    const names = Array.from(text.matchAll(this.#pattern), ([word]) => this.#nameOf(word))
    return names.filter((name) => name !== undefined)
  }

  without(text: string): string {
    return text.replace(this.#pattern, (word) => (this.#nameOf(word) === undefined ? word : ''))
  }

  #nameOf(word: string): string | undefined {
    return this.#cased.get(word) ?? this.#uncased.get(word.toLowerCase())
  }
}

/** A whole option of a picture, such as `слева` or `ссылка=…`. Undefined where the language has no words of its own. */
export function localOptions(words: Words, english: Words): RegExp | undefined {
  const found = [...localWords(words, english, (name) => name.startsWith(OPTION))]
  if (found.length === 0) return undefined
  const patterns = found.map(([name, word]) =>
    escaped(word).replace('\\$1', name === 'img_width' ? '\\s*[0-9]*\\s*(?:x\\s*[0-9]+)?\\s*' : '.*'),
  )
  return new RegExp(`^\\s*(?:${patterns.join('|')})\\s*$`, 'u')
}
