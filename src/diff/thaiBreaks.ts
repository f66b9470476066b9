/**
 * Word breaks of lines with Thai in them, where words stand without blanks between. They follow libthai's rules; only
 * the dictionary, which cuts a run of Thai characters, is exchangeable.
 *
 * Places are in UTF-16 units; all Thai characters have one.
 */
import { isLetter } from './letters.js'

/** Gives the places within a run of Thai characters at which its words after the first one start, in rising order. */
export type ThaiBreaker = (run: string) => readonly number[]

/** At most so many Thai characters before a period make an abbreviation. */
const MAX_ABBREVIATED = 3
/** At most so many Thai characters at the end of a line, after an abbreviation, stay together. */
const MAX_REST = 4

const enum Kind {
  None = 0,
  Thai,
  Latin,
  Digit,
  Baht,
  EndSign,
  Other,
}

/** For each kind on the left a bit for each kind on the right: 1 for a break between them. */
const BREAKS: readonly number[] = [
  /* None    */ 0,
  /* Thai    */ bits(Kind.Latin, Kind.Baht),
  /* Latin   */ bits(Kind.Thai),
  /* Digit   */ bits(Kind.Thai),
  /* Baht    */ bits(Kind.Thai),
  /* EndSign */ bits(Kind.Thai, Kind.Latin, Kind.Digit, Kind.Baht),
  /* Other   */ bits(Kind.Thai, Kind.Latin, Kind.Digit, Kind.Baht),
]

/** For each unit of the line 1 if a word starts there and letters stand on both sides; other breaks are left out. */
export function thaiBreaks(line: string, breaker: ThaiBreaker): Uint8Array {
  const breaks = new Uint8Array(line.length)
  let before = Kind.None
  for (let at = 0; at < line.length;) {
    const codePoint = line.codePointAt(at)!
    const kind = kindOf(codePoint)
    if ((BREAKS[before]! >> kind) & 1) breaks[at] = 1
    before = kind
    at += codePoint > 0xffff ? 2 : 1
  }
  cutRuns(line, breaks, breaker)
  return breaks
}

function cutRuns(line: string, breaks: Uint8Array, breaker: ThaiBreaker): void {
  let afterAbbreviation = false
  for (let at = 0; at < line.length;) {
    const start = at
    while (at < line.length && kindOf(line.charCodeAt(at)) === Kind.Thai) at++
    const length = at - start
    const abbreviated: boolean =
      line[at] === '.' && length <= MAX_ABBREVIATED && (length > 0 || afterAbbreviation)
    const rest = afterAbbreviation && at === line.length && length <= MAX_REST
    if (length > 1 && !abbreviated && !rest) {
      for (const place of breaker(line.slice(start, at))) breaks[start + place] = 1
    }
    afterAbbreviation = abbreviated
    at++
  }
}

function kindOf(codePoint: number): Kind {
  if (codePoint >= 0xe01 && codePoint <= 0xe4e) {
    if (codePoint === 0xe3f) return Kind.Baht
    const isThai = codePoint !== 0xe2f && codePoint !== 0xe46 && !(codePoint >= 0xe3b && codePoint <= 0xe3e)
    return isThai ? Kind.Thai : Kind.Other
  }
  if (!isLetter(codePoint)) return Kind.None
  if (codePoint < 0x80) return codePoint >= 0x30 && codePoint <= 0x39 ? Kind.Digit : Kind.Latin
  if (codePoint === 0xe4f) return Kind.Latin
  if (codePoint >= 0xe50 && codePoint <= 0xe59) return Kind.Digit
  if (codePoint === 0xe5a || codePoint === 0xe5b) return Kind.EndSign
  return Kind.Other
}

function bits(...kinds: Kind[]): number {
  return kinds.reduce((set, kind) => set | (1 << kind), 0)
}
