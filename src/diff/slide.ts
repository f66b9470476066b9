/** Settles where a run of changed items stands when it could stand at several places over equal neighbours. */

/**
 * Moves every run of changed items of `items` to the earliest place it can slide to, or, when a later place lines up
 * with a change on the other side, to the last such place. Runs that touch become one.
 *
 * `changed` and `otherChanged` mark changed items with 1 and have at least one 0 behind the last item. Only `changed`
 * is altered; items that are not marked pair in order before and after.
 *
 *     a [b c] b d    first item of the run = item behind it: the run may step to the right
 *     a b [c b] d    last item of the run = item before it: the run may step back
 */
export function slideRuns(items: readonly number[], changed: Uint8Array, otherChanged: Uint8Array): void {
  const count = items.length
  // Place on the other side: right behind the partner of the last unchanged item before `at`.
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

    let stop: number
    let length: number
    do {
      length = end - start
      while (start > 0 && items[start - 1] === items[end - 1]) {
        changed[--start] = 1
        changed[--end] = 0
        while (otherChanged[--other] === 1);
        while (start > 0 && changed[start - 1] === 1) start--
      }
      stop = end
      while (end < count && items[start] === items[end]) {
        changed[start++] = 0
        changed[end++] = 1
        while (changed[end] === 1) end++
        while (otherChanged[other] === 1) other++
        other++
        if (otherChanged[other] === 1) stop = end
      }
    } while (end - start !== length)
    while (end > stop) {
      changed[--start] = 1
      changed[--end] = 0
      while (otherChanged[--other] === 1);
    }
    at = end
  }
}
