/**
 * Word breaks of lines with Thai, which writes words without blanks between them. They follow libthai's rules. Only the
 * dictionary, which cuts a run of Thai characters, is exchangeable.
 *
 * Positions are in UTF-16 units; every Thai character is one unit.
 */
import { isLetter } from './letters.js'

/** Returns the start of each word after the first within a run of Thai characters, in rising order. */
export type ThaiBreaker = (run: string) => readonly number[]

/** An abbreviation has at most this many Thai characters before its period. */
const MAX_ABBREVIATED = 3
/** At the end of a line, at most this many Thai characters after an abbreviation stay together. */
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

/** For each left kind, a bit mask of the right kinds; 1 allows a break between the two. */
const BREAKS: readonly number[] = [
  /* None    */ 0,
  /* Thai    */ bits(Kind.Latin, Kind.Baht),
  /* Latin   */ bits(Kind.Thai),
  /* Digit   */ bits(Kind.Thai),
  /* Baht    */ bits(Kind.Thai),
  /* EndSign */ bits(Kind.Thai, Kind.Latin, Kind.Digit, Kind.Baht),
  /* Other   */ bits(Kind.Thai, Kind.Latin, Kind.Digit, Kind.Baht),
]

/** 1 for each unit that starts a word between two letters. Other breaks are left out. */
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
