/** Settles where a run of changed items stands when it could stand at several places over equal neighbours. */

/**
 * Where a run stands that lines up with no change on the other side: at the earliest place it can slide to, or the
 * last.
 */
export type RestingPlace = 'earliest' | 'last'

/**
 * Moves every run of changed items of `items` to its resting place, or, when it can slide to places that line up with a
 * change on the other side, to the last of those. Runs that touch become one.
 *
 * `changed` and `otherChanged` mark changed items with 1 and have at least one 0 behind the last item. Only `changed`
 * is altered; items that are not marked pair in order before and after.
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
  // Place on the other side: between the partners of the unchanged items around `at`, behind or (after steps back)
  // before the changed items there, if any. At first, right behind the partner of the last unchanged item.
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
