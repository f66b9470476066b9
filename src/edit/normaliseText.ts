/** The form in which every text is stored: line feeds, no control characters, NFC, no white space at the end. */

const FORBIDDEN = '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff\\ud800-\\udfff]'
/** A quick test without the flag `u`. It also matches halves of letters beyond U+FFFF, and is several times faster. */
const MAY_BE_FORBIDDEN = new RegExp(FORBIDDEN)
const ALL_FORBIDDEN = new RegExp(FORBIDDEN, 'gu')
const REPLACEMENT = '\ufffd'
const LINE_ENDS = /\r\n?/g

/** Texts without any of these are in NFC: the first combining mark is U+0300, and no letter before it changes. */
const MAY_COMPOSE = /[\u0300-\uffff]/

/**
 * The combining grapheme joiner breaks a run of marks invisibly, as in UAX #15's stream-safe text. It is a mark itself,
 * but NFC never moves another mark across it.
 */
const JOINER = '\u034f'
const MARK = /^[^\P{M}\u034f]$/u
/** In UTF-16 units. No script needs a tenth of this. */
const MAX_RUN_OF_MARKS = 128

/**
 * The text as it is stored:
 * 1. CR LF and CR become LF.
 * 2. Control characters except tab and LF become U+FFFD, and so do U+FFFE, U+FFFF and lone surrogates.
 * 3. The text becomes NFC.
 * 4. Spaces, tabs and line feeds at the end are cut.
 *
 * The operation is idempotent and takes linear time. NFC sorts a run of combining marks in quadratic time, so U+034F
 * first breaks runs longer than 128 units. The result is still in NFC.
 */
export function normaliseText(source: string): string {
  const lines = source.includes('\r') ? source.replace(LINE_ENDS, '\n') : source
  const printable = MAY_BE_FORBIDDEN.test(lines) ? lines.replace(ALL_FORBIDDEN, REPLACEMENT) : lines
  return trimEnd(composed(printable))
}

/** NFC decomposes letters and may lengthen a run, so long runs are broken again. A second NFC lengthens none. */
function composed(text: string): string {
  if (!MAY_COMPOSE.test(text)) return text
  return breakLongRuns(breakLongRuns(text).normalize('NFC'))
}

/** A loop from the end sees each blank once. A regular expression would try every blank of every run. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09
}

/** A run longer than the limit covers a multiple of the limit, so checking those positions finds every such run. */
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

/** End of the run of marks that covers `at`; `at` itself if there is no mark. */
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

/** True if the unit is the second half of a letter. Lone surrogates are gone by now. */
function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}
