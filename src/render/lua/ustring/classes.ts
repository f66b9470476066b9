/** Character classes of patterns, over all of Unicode. */

const CLASSES = {
  a: /\p{L}/u,
  c: /\p{Cc}/u,
  d: /\p{Nd}/u,
  l: /\p{Ll}/u,
  p: /\p{P}/u,
  s: /[\t-\r\x85\u180e\p{Z}]/u,
  u: /\p{Lu}/u,
  w: /[\p{L}\p{Nd}]/u,
  x: /[0-9A-Fa-f\uff10-\uff19\uff21-\uff26\uff41-\uff46]/u,
  z: /\x00/u,
} as const

const LETTERS = Object.keys(CLASSES) as (keyof typeof CLASSES)[]
const KNOWN = 1 << LETTERS.length
const CODE_POINTS = 0x110000

/** Bit masks of each character's classes, computed on first use. */
const classBits = new Uint16Array(CODE_POINTS)

function bitsOf(code: number): number {
  const known = classBits[code] ?? 0
  if (known !== 0) return known
  const character = String.fromCodePoint(code)
  const bits = LETTERS.reduce(
    (sum, letter, index) => (CLASSES[letter].test(character) ? sum | (1 << index) : sum),
    KNOWN,
  )
  classBits[code] = bits
  return bits
}

export type CodeTest = (code: number) => boolean

/** The class of `%` and this letter; a capital letter negates it. Undefined for an unknown letter. */
export function classTest(letterCode: number): CodeTest | undefined {
  const letter = String.fromCodePoint(letterCode)
  const index = LETTERS.indexOf(letter.toLowerCase() as keyof typeof CLASSES)
  if (index < 0) return undefined
  const bit = 1 << index
  if (letter === letter.toLowerCase()) return (code) => (bitsOf(code) & bit) !== 0
  return (code) => (bitsOf(code) & bit) === 0
}
