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

/** A phrase in UTF-8, to be looked for in many texts: as lists of what may stand at its beginning, and after that. */
export interface PhraseForms {
  /** The first letter, small, capital and as typed. */
  readonly initials: readonly Buffer[]
  /** The rest: in small letters, with capitals in front of the words, and as typed. */
  readonly rests: readonly Buffer[]
}

export function phraseForms(text: string): PhraseForms {
  const lower = text.toLowerCase()
  const capitalised = lower.replace(/(^|\s)(\S)/g, (all) => all.toUpperCase())
  const initial = (form: string): string => String.fromCodePoint(form.codePointAt(0) ?? 0)
  const forms = [lower, capitalised, text]
  const encode = (parts: readonly string[]): Buffer[] => [...new Set(parts)].map((part) => Buffer.from(part))
  return {
    initials: encode(forms.map(initial)),
    rests: encode(forms.map((form) => form.slice(initial(form).length))),
  }
}

/** Whether a phrase stands in the bytes, as whole words. */
export function standsIn(bytes: Buffer, { initials, rests }: PhraseForms): boolean {
  for (const rest of rests) {
    let at = -1
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      at = bytes.indexOf(rest, at + 1)
      if (at < 0) break
      if (isAsciiWord(rest[rest.length - 1]) && isAsciiWord(bytes[at + rest.length])) continue
      if (initials.some((initial) => endsAt(bytes, at, initial))) return true
    }
  }
  return false
}

/** Whether a letter that begins a word ends at a byte. */
function endsAt(bytes: Buffer, end: number, letter: Buffer): boolean {
  const start = end - letter.length
  for (let n = 0; n < letter.length; n++) if (bytes[start + n] !== letter[n]) return false
  return !isAsciiWord(letter[0]) || !isAsciiWord(bytes[start - 1])
}

/** Places that are looked at for one spelling: parts of other words are passed over. */
const MAX_TRIES = 16

/** Where a spelling first stands as whole words from `from` on, or -1. */
export function findWholeWord(bytes: Buffer, form: Buffer, from: number): number {
  return find(bytes, form, from, true)
}

/** Where a spelling first stands at the beginning of a word from `from` on, or -1. */
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
