/**
 * The changes of one editor, by lines, as GNU diff finds them. It sets lines aside, finds a shortest edit script of the
 * rest, and slides its runs. Lines are numbers here; equal lines have equal numbers.
 */
import { type Operation, operationsOf } from './operations.js'
import { linesSetAside } from './setAside.js'
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
