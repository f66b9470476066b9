/** Chooses a position for each run of changed items that could stand at several positions over equal neighbours. */

/** Position of a run that lines up with no change on the other side: the earliest one it can slide to, or the last. */
export type RestingPlace = 'earliest' | 'last'

/**
 * Moves every run of changed items of `items` to its resting place. A run that can line up with a change on the other
 * side moves to the last such position instead. Runs that touch become one.
 *
 * `changed` and `otherChanged` mark changed items with 1 and have at least one 0 behind the last item. Only `changed`
 * is altered. Unmarked items pair in order, before and after.
 *
 *     a [b c] b d    first item of the run = item behind it: the run may step to the right
 *     a b [c b] d    last item of the run = item before it: the run may step back
 */
export function slideRuns(
  items: readonly number[],
  changed: Uint8Array,
  otherChanged: Uint8Array,
  restingPlace: RestingPlace,
): void {
  const count = items.length
  // Position on the other side, between the partners of the unchanged items around `at`. At first it is right behind
  // the partner of the last unchanged item; after steps back it may be before the changed items there.
  let other = 0
  let at = 0
  for (;;) {
    while (at < count && changed[at] === 0) {
      while (otherChanged[other] === 1) other++
      other++
      at++
    }
    if (at === count) return
    let start = at
    let end = at + 1
    while (changed[end] === 1) end++

    let stop: number | undefined
    let length: number
    do {
      length = end - start
      while (start > 0 && items[start - 1] === items[end - 1]) {
        changed[--start] = 1
        changed[--end] = 0
        while (otherChanged[--other] === 1);
        while (start > 0 && changed[start - 1] === 1) start--
      }
      const linesUp = otherChanged[other] === 1 || otherChanged[other - 1] === 1
      stop = restingPlace === 'earliest' || linesUp ? end : undefined
      while (end < count && items[start] === items[end]) {
        changed[start++] = 0
        changed[end++] = 1
        while (changed[end] === 1) end++
        while (otherChanged[other] === 1) other++
        other++
        if (otherChanged[other] === 1) stop = end
      }
    } while (end - start !== length)
    while (end > (stop ?? end)) {
      changed[--start] = 1
      changed[--end] = 0
      while (otherChanged[--other] === 1);
    }
    at = end
  }
}
