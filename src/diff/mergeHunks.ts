/**
 * The changes of one editor, by lines. fast-myers-diff finds a shortest edit script, and `slide.ts` positions its runs.
 * Lines are numbers here; equal lines have equal numbers.
 */
import { diff_core as findDifferences } from 'fast-myers-diff'
import { type Operation, operationsOf } from './operations.js'
import { slideRuns } from './slide.js'

/**
 * Limit on line comparisons for one pair of texts, which take half a second at worst. It suffices for about 4000
 * changed lines that occur on both sides. Matching is quadratic in their number.
 */
const MAX_COMPARISONS = 8_000_000
/**
 * Limit on the steps that fast-myers-diff takes without a comparison: the lines of the shorter side times the
 * difference in length.
 */
const MAX_SILENT_STEPS = 20_000_000

/** One of two compared texts. `changed` marks lines without a partner with 1, and has an extra 0 at the end. */
interface Side {
  readonly numbers: readonly number[]
  readonly changed: Uint8Array
}

/** The lines of both sides between their equal ends. */
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
  markChanges(base, own, distinctLines)
  slideRuns(own.numbers, own.changed, base.changed, 'last')
  slideRuns(base.numbers, base.changed, own.changed, 'last')
  const script = operationsOf(base.changed, baseLines.length, own.changed, ownLines.length)
  return script.filter(({ kind }) => kind !== 'copy')
}

function markChanges(base: Side, own: Side, distinctLines: number): void {
  const { start, baseEnd, ownEnd } = findWindow(base.numbers, own.numbers)
  const basePlaces = setUnsharedAside(base, start, baseEnd, holdersOf(own, start, ownEnd, distinctLines))
  const ownPlaces = setUnsharedAside(own, start, ownEnd, holdersOf(base, start, baseEnd, distinctLines))
  const found = matchLines(
    basePlaces.map((place) => base.numbers[place]!),
    ownPlaces.map((place) => own.numbers[place]!),
  )
  if (found === undefined) {
    base.changed.fill(1, start, baseEnd)
    own.changed.fill(1, start, ownEnd)
    return
  }
  for (const [baseFrom, baseTo, ownFrom, ownTo] of found) {
    for (let n = baseFrom; n < baseTo; n++) base.changed[basePlaces[n]!] = 1
    for (let n = ownFrom; n < ownTo; n++) own.changed[ownPlaces[n]!] = 1
  }
}

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

/** For each line number, 1 if the range holds that line. */
function holdersOf({ numbers }: Side, start: number, end: number, distinctLines: number): Uint8Array {
  const held = new Uint8Array(distinctLines)
  for (let place = start; place < end; place++) held[numbers[place]!] = 1
  return held
}

/**
 * Marks the lines of the range that the other side lacks as changed, and returns the positions of the others. This
 * makes rewritten texts cheap, and resolves ties as GNU diff does more often.
 */
function setUnsharedAside(side: Side, start: number, end: number, heldByOther: Uint8Array): number[] {
  const places: number[] = []
  for (let place = start; place < end; place++) {
    if (heldByOther[side.numbers[place]!] === 1) places.push(place)
    else side.changed[place] = 1
  }
  return places
}

type Differences = readonly (readonly [baseFrom: number, baseTo: number, ownFrom: number, ownTo: number])[]

/**
 * The unpaired ranges of a shortest edit script; undefined when the search costs too much.
 *
 * Several scripts may be equally short; the first one found wins. GNU diff first tries those that leave out most of the
 * editor's own lines. fast-myers-diff does so for its second argument if the sum of the lengths is odd, and for its
 * first if it is even, so the order of the arguments depends on the sum. The library halves the texts recursively, and
 * the order cannot change for each half. Some ties therefore still differ from GNU diff.
 */
function matchLines(base: readonly number[], own: readonly number[]): Differences | undefined {
  const silentSteps = Math.min(base.length, own.length) * Math.abs(base.length - own.length)
  if (silentSteps > MAX_SILENT_STEPS) return undefined
  const baseFirst = (base.length + own.length) % 2 === 1
  const [first, second] = baseFirst ? [base, own] : [own, base]
  let left = MAX_COMPARISONS
  const equal = (n: number, m: number): boolean => {
    if (left-- === 0) throw new TooCostlyError()
    return first[n] === second[m]
  }
  try {
    const found = [...findDifferences(0, first.length, 0, second.length, equal)]
    return baseFirst ? found : found.map(([ownFrom, ownTo, from, to]) => [from, to, ownFrom, ownTo] as const)
  } catch (error) {
    if (error instanceof TooCostlyError) return undefined
    throw error
  }
}

/** Stops fast-myers-diff, which offers no other way. */
class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError'
}
