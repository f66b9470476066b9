/**
 * Letters that people write in place of each other, although the index keeps them apart: forms of alef, the two letters
 * that Arabic and Persian keyboards have for one, digits of other scripts. A query finds words in all of these
 * spellings. So one index serves all languages, and words in other scripts cost nothing.
 */

/** Between the spellings of one term of a query. No term has it, and it sorts like no letter. */
export const OR = '\u0002'

const ALEFS = 'اأإآٱ'
/** Folded forms, the usual one first: alef, he and ta marbuta, ya and alef maqsura, kaf. */
const LETTERS = [ALEFS, 'هة', 'يىی', 'كک']
/** Digits 0 of scripts whose texts often have ASCII digits too: Arabic, Persian, Devanagari, Bengali. */
const ZEROS = ['٠', '۰', '०', '০']
const ASCII_ZERO = 0x30
const DIGITS = 10
/** Beginnings to follow at once. Words have few spellings that a wiki uses. */
const MOST_BEGINNINGS = 64
const MOST_SPELLINGS = 16

/** The spellings of a term of a query: one in most cases. */
export const spellingsIn = (term: string): readonly string[] => (term.includes(OR) ? term.split(OR) : [term])

/** Entries of lists that one query may look at, some microseconds each. */
export interface Looks {
  left: number
}

export const someLooks = (): Looks => ({ left: MOST_LOOKS })

const MOST_LOOKS = 300

type Others = ReadonlyMap<string, string>

const byLetter = new Map(
  LETTERS.flatMap((letters) => [...letters].map((letter) => [letter, letters] as const)),
)
for (let digit = 0; digit < DIGITS; digit++) {
  const [ascii, ...local] = digitsOf(digit)
  for (const letter of local) byLetter.set(letter, `${letter}${ascii}`)
}
// Arabic and Persian have digits of their own, which look alike.
for (let digit = 0; digit < DIGITS; digit++) {
  const [ascii, arabic, persian] = digitsOf(digit)
  for (const letter of [arabic!, persian!]) byLetter.set(letter, `${arabic}${persian}${ascii}`)
}
/** For words in any language. ASCII digits stand for themselves, so that numbers cost no more. */
const USUAL: Others = byLetter
const ANY_OTHER = new RegExp(`[${[...USUAL.keys()].join('')}]`, 'u')
const ASCII_DIGIT = /[0-9]/

/** A digit as ASCII has it, and then as the scripts of ZEROS do. */
function digitsOf(digit: number): string[] {
  const local = ZEROS.map((zero) => String.fromCodePoint(zero.codePointAt(0)! + digit))
  return [String.fromCharCode(ASCII_ZERO + digit), ...local]
}

/** Spellings in the words of one wiki. */
export class LetterSpellings {
  readonly #others: Others
  readonly #hasDigits: boolean

  /** `digits`: the ten digits of the wiki's language. */
  constructor(digits: readonly string[]) {
    this.#hasDigits = digits[0] !== '0'
    const ascii = digits.map((digit, n) => [String(n), `${n}${digit}`] as const)
    this.#others = this.#hasDigits ? new Map([...USUAL, ...ascii]) : USUAL
  }

  /** True if a text has letters with other spellings. */
  mayDiffer(text: string): boolean {
    return ANY_OTHER.test(text) || (this.#hasDigits && ASCII_DIGIT.test(text))
  }

  /**
   * The spellings of a word that a sorted list has, or words that begin with one of them. `next` gives the first entry
   * of the list at or after a text. Once the looks at the list are used up, spellings are left out.
   */
  among(word: string, next: (from: string) => string | undefined, looks: Looks): string[] {
    const begins = (text: string): boolean => looks.left-- > 0 && next(text)?.startsWith(text) === true
    let beginnings = ['']
    for (const letter of word) {
      const others = this.#others.get(letter)
      if (others === undefined) beginnings = beginnings.map((beginning) => beginning + letter)
      else {
        const longer = beginnings.flatMap((beginning) => Array.from(others, (other) => beginning + other))
        beginnings = longer.filter(begins).slice(0, MOST_BEGINNINGS)
      }
    }
    return beginnings.filter(begins).slice(0, MOST_SPELLINGS)
  }
}

/** True if words of other spellings may equal those of a text. */
export const hasSpellings = (text: string): boolean => ASCII_DIGIT.test(text) || ANY_OTHER.test(text)

/** One spelling for all: of words to compare. */
export function usualSpelling(word: string): string {
  if (!ANY_OTHER.test(word)) return word
  return Array.from(word, (letter) => {
    const others = USUAL.get(letter)
    if (others === undefined) return letter
    return [...others].find((each) => ASCII_DIGIT.test(each)) ?? others.charAt(0)
  }).join('')
}
