/**
 * The changes of one editor, by lines, as GNU diff finds them. It sets lines aside, finds a shortest edit script of the
 * rest, and slides its runs. Lines are numbers here; equal lines have equal numbers.
 */
import { type Operation, operationsOf } from './operations.js'
import { ShortestScript } from './shortestScript.js'
import { slideRuns } from './slide.js'

/**
 * Limit on the steps of the search for one pair of texts, which take half a second at worst. It suffices for 4000 lines
 * in another order. The search is quadratic in their number.
 */
const MAX_STEPS = 80_000_000
/** Equal lines at the ends that are compared all the same. diff3 asks for it, and it affects where runs stand. */
const HORIZON_LINES = 100

/** One of two compared texts. `changed` marks lines without a partner with 1, and has an extra 0 at the end. */
interface Side {
  readonly numbers: readonly number[]
  readonly changed: Uint8Array
}

/** The lines of both sides that are compared. */
interface Window {
  readonly start: number
  readonly baseEnd: number
  readonly ownEnd: number
}

/**
 * The replacements that turn `baseLines` into `ownLines`, in order and with at least one equal line between two of
 * them. `from` counts base lines. All numbers are below `distinctLines`. If the texts cost too much to compare, one
 * replacement covers all lines between their equal ends.
 */
export function findHunks(
  baseLines: readonly number[],
  ownLines: readonly number[],
  distinctLines: number,
): Operation[] {
  const base: Side = { numbers: baseLines, changed: new Uint8Array(baseLines.length + 1) }
  const own: Side = { numbers: ownLines, changed: new Uint8Array(ownLines.length + 1) }
  const window = findWindow(baseLines, ownLines)
  const compared = withHorizon(window, baseLines.length)
  if (!markChanges(base, own, compared, distinctLines)) markAll(base, own, window)
  slideWithin(compared, base, own)
  const script = operationsOf(base.changed, baseLines.length, own.changed, ownLines.length)
  return script.filter(({ kind }) => kind !== 'copy')
}

/** Marks the changed lines of a window. Returns false, and marks some, if the search takes too long. */
function markChanges(base: Side, own: Side, window: Window, distinctLines: number): boolean {
  const { start, baseEnd, ownEnd } = window
  const baseCounts = countLines(base, start, baseEnd, distinctLines)
  const ownCounts = countLines(own, start, ownEnd, distinctLines)
  const basePlaces = setAside(base, start, baseEnd, ownCounts)
  const ownPlaces = setAside(own, start, ownEnd, baseCounts)
  const script = ShortestScript.find(
    ownPlaces.map((place) => own.numbers[place]!),
    basePlaces.map((place) => base.numbers[place]!),
    MAX_STEPS,
  )
  if (script === undefined) return false
  ownPlaces.forEach((place, n) => (own.changed[place] = script.first[n]!))
  basePlaces.forEach((place, n) => (base.changed[place] = script.second[n]!))
  return true
}

function markAll(base: Side, own: Side, { start, baseEnd, ownEnd }: Window): void {
  base.changed.fill(0).fill(1, start, baseEnd)
  own.changed.fill(0).fill(1, start, ownEnd)
}

/** Slides runs of both sides. They stay in the window, as in GNU diff. */
function slideWithin({ start, baseEnd, ownEnd }: Window, base: Side, own: Side): void {
  const [baseNumbers, ownNumbers] = [base.numbers.slice(start, baseEnd), own.numbers.slice(start, ownEnd)]
  const baseChanged = base.changed.subarray(start, baseEnd + 1)
  const ownChanged = own.changed.subarray(start, ownEnd + 1)
  slideRuns(ownNumbers, ownChanged, baseChanged, 'last')
  slideRuns(baseNumbers, baseChanged, ownChanged, 'last')
}

/** The lines between the equal ends. */
function findWindow(base: readonly number[], own: readonly number[]): Window {
  let baseEnd = base.length
  let ownEnd = own.length
  let start = 0
  while (start < baseEnd && start < ownEnd && base[start] === own[start]) start++
  while (baseEnd > start && ownEnd > start && base[baseEnd - 1] === own[ownEnd - 1]) {
    baseEnd--
    ownEnd--
  }
  return { start, baseEnd, ownEnd }
}

function withHorizon({ start, baseEnd, ownEnd }: Window, baseLength: number): Window {
  const after = Math.min(HORIZON_LINES, baseLength - baseEnd)
  return { start: Math.max(0, start - HORIZON_LINES), baseEnd: baseEnd + after, ownEnd: ownEnd + after }
}

/** For each line number, how often the range has that line. */
function countLines({ numbers }: Side, start: number, end: number, distinctLines: number): Uint32Array {
  const counts = new Uint32Array(distinctLines)
  for (let place = start; place < end; place++) counts[numbers[place]!]!++
  return counts
}

/** Marks lines of the range to leave out of the search as changed, and returns the positions of the others. */
function setAside(side: Side, start: number, end: number, countsInOther: Uint32Array): number[] {
  const aside = linesSetAside(side.numbers.slice(start, end), countsInOther)
  side.changed.set(aside, start)
  return [...aside.keys()].filter((n) => aside[n] === 0).map((n) => start + n)
}

// Chooses the lines that a merge leaves out of the search for common lines, as GNU diff does. These are lines that the
// other side lacks, and frequent ones between them.

const KEPT = 0
/** The other side lacks the line. */
const UNSHARED = 1
/** The other side has the line often. Most unshared neighbours set it aside. */
const FREQUENT = 2

/** The least count of a frequent line in a short text. */
const FEW = 5
/** A frequent line so near to the start or the end of a run is kept, unless this many unshared lines are before it. */
const NEAR = 8
const UNSHARED_IN_A_ROW = 3

/**
 * 1 for each line to leave out. `countsInOther` has, by the number of a line, how often the other side has it.
 */
function linesSetAside(lines: readonly number[], countsInOther: Uint32Array): Uint8Array {
  const many = FEW * doublings(lines.length >> 6)
  const kinds = Uint8Array.from(lines, (line) => {
    const count = countsInOther[line]!
    return count === 0 ? UNSHARED : count > many ? FREQUENT : KEPT
  })
  for (let at = 0; at < kinds.length;) {
    if (kinds[at] !== UNSHARED) {
      // Frequent lines before the first unshared line of a run are kept.
      kinds[at++] = KEPT
      continue
    }
    const start = at
    while (at < kinds.length && kinds[at] !== KEPT) at++
    keepSome(kinds.subarray(start, at))
  }
  return kinds.map((kind) => (kind === KEPT ? 0 : 1))
}

/** 2 to the number of times that a number can be divided by 4. */
function doublings(number: number): number {
  let result = 1
  for (let rest = number >> 2; rest > 0; rest >>= 2) result *= 2
  return result
}

/** Keeps frequent lines of a run of lines set aside, which begins with an unshared one. */
function keepSome(whole: Uint8Array): void {
  let length = whole.length
  while (whole[length - 1] === FREQUENT) whole[--length] = KEPT
  const run = whole.subarray(0, length)
  let frequent = 0
  for (const kind of run) if (kind === FREQUENT) frequent++
  if (frequent * 4 > length) {
    run.forEach((kind, at) => kind === FREQUENT && (run[at] = KEPT))
    return
  }
  keepStretches(run, doublings(length >> 2) + 1)
  keepNear(run, (at) => at)
  keepNear(run, (at) => length - 1 - at)
}

/** Keeps frequent lines of which at least `enough` are in a row. */
function keepStretches(run: Uint8Array, enough: number): void {
  for (let at = 0; at < run.length;) {
    const start = at
    while (run[at] === FREQUENT) at++
    if (at - start >= enough) run.fill(KEPT, start, at)
    if (at === start) at++
  }
}

/** Keeps frequent lines near an end of the run. `placeOf` counts from that end. */
function keepNear(run: Uint8Array, placeOf: (at: number) => number): void {
  for (let at = 0, inARow = 0; at < run.length && inARow < UNSHARED_IN_A_ROW; at++) {
    const place = placeOf(at)
    const kind = run[place]!
    if (kind === UNSHARED && at >= NEAR) return
    if (kind === FREQUENT) run[place] = KEPT
    inARow = kind === UNSHARED ? inARow + 1 : 0
  }
}
