/** Several ordered lists as one. Each is read as far as the caller iterates, and one item ahead. */

/** Of equal items, that of the earlier list comes first. `isBefore` is false for equal ones. */
export function* merged<Item>(
  lists: readonly Iterator<Item, void>[],
  isBefore: (one: Item, other: Item) => boolean,
): Generator<Item, void> {
  const heads = lists.map((list) => list.next())
  for (;;) {
    let first = -1
    let best: Item | undefined
    for (const [n, head] of heads.entries()) {
      if (head.done === true || (first >= 0 && !isBefore(head.value, best!))) continue
      first = n
      best = head.value
    }
    if (first < 0) return
    yield best!
    heads[first] = lists[first]!.next()
  }
}
