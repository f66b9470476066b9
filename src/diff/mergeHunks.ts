/**
 * What one editor changed, by lines: fast-myers-diff finds a shortest edit script, `slide.ts` settles where its runs
 * stand. Lines are numbers here; equal numbers are equal lines.
 */
import { diff_core as findDifferences } from 'fast-myers-diff'
import { type Operation, operationsOf } from './operations.js'
import { slideRuns } from './slide.js'

/**
 * Comparisons of lines that one pair of texts may cost, half a second at worst: enough for about 4000 changed lines
 * that occur on both sides. Matching is quadratic in their number.
 */
const MAX_COMPARISONS = 8_000_000
/**
 * The same for what fast-myers-diff walks without a comparison: lines of the shorter side, times how many more the
 * longer one has.
 */
const MAX_SILENT_STEPS = 20_000_000

/**
 * One of two compared texts. `changed` marks lines without a partner with 1, and has one 0 more than there are lines.
 */
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
 * The replacements that make `ownLines` of `baseLines` (`from` counts lines of the base), in order and with at least
 * one equal line between two. All numbers are below `distinctLines`. When the texts cost too much to compare, all
 * between their equal ends is one replacement.
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

/** For each line number, 1 if the range holds it. */
function holdersOf({ numbers }: Side, start: number, end: number, distinctLines: number): Uint8Array {
  const held = new Uint8Array(distinctLines)
  for (let place = start; place < end; place++) held[numbers[place]!] = 1
  return held
}

/**
 * Marks the lines of the range that the other side lacks as changed, and gives the places of the rest. A rewritten text
 * then costs little, and ties fall out as in GNU diff more often.
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
 * The ranges without partners of a shortest edit script; undefined when it costs too much to find.
 *
 * Where several are equally short, the one met first is taken. GNU diff tries those first that leave out most lines of
 * the editor's own text. fast-myers-diff does so for its second argument when the two lengths add up to an odd number,
 * for its first when they add up to an even one, so it gets the texts in that order. It halves the texts as it goes and
 * cannot be told again for each half: some ties are left that it decides in another way.
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

/** Ends fast-myers-diff, which cannot be stopped in any other way. */
class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError'
}
