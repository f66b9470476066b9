/** Searching words in UTF-8 without decoding it: decoding a text takes longer than all else a result needs. */

/** The spellings of a word or phrase that texts usually have: as typed, in small letters, with capitals, all capitals. */
export function spellings(text: string): Buffer[] {
  const lower = text.toLowerCase()
  const capitalised = lower.replace(
    /(^|\s)(\S)/g,
    (_all, before: string, letter: string) => before + letter.toUpperCase(),
  )
  const first = lower.charAt(0).toUpperCase() + lower.slice(1)
  return [...new Set([lower, first, capitalised, text, lower.toUpperCase()])].map((form) => Buffer.from(form))
}

/** Whether one of the spellings stands in the bytes, as whole words. */
export function standsIn(bytes: Buffer, forms: readonly Buffer[]): boolean {
  return forms.some((form) => findWord(bytes, form, 0) >= 0)
}

/** Places that are looked at for one spelling: parts of other words are passed over. */
const MAX_TRIES = 16

/** Where a spelling first stands as whole words from `from` on, or -1. */
export function findWord(bytes: Buffer, form: Buffer, from: number): number {
  let at = from
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    at = bytes.indexOf(form, at)
    if (at < 0) return -1
    if (!isAsciiWord(form[0]) || !isAsciiWord(bytes[at - 1])) {
      const end = at + form.length
      if (!isAsciiWord(form[form.length - 1]) || !isAsciiWord(bytes[end])) return at
    }
    at++
  }
  return -1
}

function isAsciiWord(byte: number | undefined): boolean {
  if (byte === undefined) return false
  const lower = byte | 0x20
  return (lower >= 97 && lower <= 122) || (byte >= 48 && byte <= 57)
}
