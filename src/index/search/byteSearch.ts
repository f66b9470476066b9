/** Word search in UTF-8 bytes. Decoding a text would take longer than everything else for a result. */

/** Spellings of a word or phrase in UTF-8, by frequency. */
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

/** A phrase in UTF-8 for a search in many texts. Any initial may precede any rest. */
export interface PhraseForms {
  /** The first letter: lower case, capital and as typed. */
  readonly initials: readonly Buffer[]
  /** The rest: in lower case, with capital first letters, and as typed. */
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

/** Whether the bytes contain the phrase as whole words. */
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

/** Whether `letter` ends at byte `end` and begins a word. */
function endsAt(bytes: Buffer, end: number, letter: Buffer): boolean {
  const start = end - letter.length
  for (let n = 0; n < letter.length; n++) if (bytes[start + n] !== letter[n]) return false
  return !isAsciiWord(letter[0]) || !isAsciiWord(bytes[start - 1])
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
