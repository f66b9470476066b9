/** Word search in UTF-8 bytes. Decoding a text would take longer than everything else for a result. */

/** Spellings of a word in UTF-8, by frequency. */
export interface Spellings {
  /** In lower case, and with a capital first letter. */
  readonly usual: readonly Buffer[]
  /** With a capital first letter in every word, all in capitals, and as typed. */
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

/** Occurrences to check per spelling, since some are parts of other words. */
const MAX_TRIES = 16

/** Byte offset of the first occurrence as whole words, at or after `from`, or -1. */
export function findWholeWord(bytes: Buffer, form: Buffer, from: number): number {
  return find(bytes, form, from, true)
}

/** Byte offset of the first occurrence at the beginning of a word, at or after `from`, or -1. */
export function findBeginning(bytes: Buffer, form: Buffer, from: number): number {
  return find(bytes, form, from, false)
}

function find(bytes: Buffer, form: Buffer, from: number, whole: boolean): number {
  let at = from
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    at = bytes.indexOf(form, at)
    if (at < 0) return -1
    if (!isAsciiWord(form[0]) || !isAsciiWord(bytes[at - 1])) {
      const end = at + form.length
      if (!whole || !isAsciiWord(form[form.length - 1]) || !isAsciiWord(bytes[end])) return at
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
