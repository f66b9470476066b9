/** The form in which every text is stored: line feeds, no control characters, NFC, no white space at the end. */

const FORBIDDEN = '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff\\ud800-\\udfff]'
/** Sees the halves of any letter beyond U+FFFF as well, and is several times faster than a pattern that does not. */
const MAY_BE_FORBIDDEN = new RegExp(FORBIDDEN)
const ALL_FORBIDDEN = new RegExp(FORBIDDEN, 'gu')
const REPLACEMENT = '\ufffd'
const LINE_ENDS = /\r\n?/g

/** Texts without any of these are in NFC: the first combining mark is U+0300, and nothing before it changes. */
const MAY_COMPOSE = /[\u0300-\uffff]/

/**
 * The combining grapheme joiner breaks a run of marks without being seen (UAX #15, stream-safe text, does the same).
 * It is a mark itself, but one that no other is ever moved across.
 */
const JOINER = '\u034f'
const MARK = /^[^\P{M}\u034f]$/u
/** In UTF-16 units. No script needs a tenth of it. */
const MAX_RUN_OF_MARKS = 128

/**
 * The text as it is stored: CR LF and CR become LF; control characters but tab and LF, U+FFFE, U+FFFF and lone
 * surrogates become U+FFFD; then NFC; then spaces, tabs and line feeds at the end are cut. Applied again it changes
 * nothing.
 *
 * Time is linear. Sorting a run of combining marks takes the square of its length, so a run longer than 128 units is
 * first broken by U+034F; the result is still in NFC.
 */
export function normaliseText(source: string): string {
  const lines = source.includes('\r') ? source.replace(LINE_ENDS, '\n') : source
  const printable = MAY_BE_FORBIDDEN.test(lines) ? lines.replace(ALL_FORBIDDEN, REPLACEMENT) : lines
  return trimEnd(composed(printable))
}

/** Normalised a second time, no run grows, since NFC takes letters apart only once; but the first time it may. */
function composed(text: string): string {
  if (!MAY_COMPOSE.test(text)) return text
  return breakLongRuns(breakLongRuns(text).normalize('NFC'))
}

/** A regular expression would try every blank of every run; a loop from the end sees each blank once. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09
}

/** A run longer than the limit covers a multiple of the limit, so looking at those places finds every one. */
function breakLongRuns(text: string): string {
  let broken = ''
  let copied = 0
  for (let at = MAX_RUN_OF_MARKS; at < text.length; at += MAX_RUN_OF_MARKS) {
    const end = runEnd(text, isLowSurrogate(text, at) ? at - 1 : at)
    const start = runStart(text, end)
    if (end - start <= MAX_RUN_OF_MARKS) continue
    broken += text.slice(copied, start) + joinPieces(text.slice(start, end))
    copied = end
    at = end
  }
  return broken + text.slice(copied)
}

/** Where the run of marks that begins at or goes on over `at` ends; `at` itself if there is no mark. */
function runEnd(text: string, at: number): number {
  let end = at
  for (;;) {
    const char = String.fromCodePoint(text.codePointAt(end) ?? 0)
    if (!MARK.test(char)) return end
    end += char.length
  }
}

function runStart(text: string, end: number): number {
  let start = end
  for (;;) {
    const before = isLowSurrogate(text, start - 1) ? start - 2 : start - 1
    if (before < 0 || !MARK.test(text.slice(before, start))) return start
    start = before
  }
}

function joinPieces(run: string): string {
  const pieces: string[] = []
  for (let start = 0; start < run.length;) {
    let end = Math.min(start + MAX_RUN_OF_MARKS, run.length)
    if (isLowSurrogate(run, end)) end--
    pieces.push(run.slice(start, end))
    start = end
  }
  return pieces.join(JOINER)
}

/** Whether the unit is the second half of a letter; there are no lone surrogates left here. */
function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}
