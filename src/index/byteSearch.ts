/** Searching words in UTF-8 without decoding it: decoding a text takes longer than all else a result needs. */

/** A word or phrase in UTF-8, as texts usually write it, and as they seldom do. */
export interface Spellings {
  /** In small letters, and with a capital in front. */
  readonly usual: readonly Buffer[]
  /** With capitals in front of every word, all in capitals, and as typed. */
  readonly rare: readonly Buffer[]
}

export function spellings(text: string): Spellings {
  const lower = text.toLowerCase()
  const usual = new Set([lower, lower.charAt(0).toUpperCase() + lower.slice(1)])
  const capitalised = lower.replace(/(^|\s)(\S)/g, (all) => all.toUpperCase())
  const rare = new Set([capitalised, lower.toUpperCase(), text].filter((form) => !usual.has(form)))
  const encode = (forms: ReadonlySet<string>): Buffer[] => [...forms].map((form) => Buffer.from(form))
  return { usual: encode(usual), rare: encode(rare) }
}

/** Whether one of the spellings stands in the bytes, as whole words. */
export function standsIn(bytes: Buffer, { usual, rare }: Spellings): boolean {
  return [...usual, ...rare].some((form) => findWord(bytes, form, 0) >= 0)
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
