/**
 * A copy of a list in ascending order; equal members keep their order. Most queries have two or three words. To sort
 * so few, the runtime takes a kilobyte and most of a microsecond.
 */
export function ascending<Member>(list: readonly Member[], numberOf: (member: Member) => number): Member[] {
  const sorted = [...list]
  for (let n = 1; n < sorted.length; n++) {
    const member = sorted[n]!
    const number = numberOf(member)
    let at = n
    for (; at > 0 && numberOf(sorted[at - 1]!) > number; at--) sorted[at] = sorted[at - 1]!
    sorted[at] = member
  }
  return sorted
}
