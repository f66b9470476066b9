/**
 * Chooses the lines that a merge leaves out of the search for common lines, as GNU diff does. These are lines that the
 * other side lacks, and frequent ones between them.
 */

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
export function linesSetAside(lines: readonly number[], countsInOther: Uint32Array): Uint8Array {
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
