/** Edit scripts, which turn one sequence into another. Line diffs and word diffs share this form. */

/**
 * One step of an edit script, over half-open index ranges of both sequences. `copy` covers equal stretches of the same
 * length. `delete` has an empty `to` range, `add` an empty `from` range, and `change` has neither.
 */
export interface Operation {
  readonly kind: OperationKind
  readonly fromStart: number
  readonly fromEnd: number
  readonly toStart: number
  readonly toEnd: number
}

export type OperationKind = 'copy' | 'change' | 'delete' | 'add'

/** The operation that replaces one range by the other. Its kind depends on which range is empty. */
export function replacement(fromStart: number, fromEnd: number, toStart: number, toEnd: number): Operation {
  const kind = fromStart === fromEnd ? 'add' : toStart === toEnd ? 'delete' : 'change'
  return { kind, fromStart, fromEnd, toStart, toEnd }
}

/**
 * The edit script of two sequences with their changed items marked; unmarked items pair in order. Stretches are
 * maximal, so copies and replacements alternate.
 */
export function operationsOf(
  fromChanged: Uint8Array,
  fromLength: number,
  toChanged: Uint8Array,
  toLength: number,
): Operation[] {
  const operations: Operation[] = []
  let from = 0
  let to = 0
  while (from < fromLength || to < toLength) {
    const fromStart = from
    const toStart = to
    while (from < fromLength && to < toLength && fromChanged[from] === 0 && toChanged[to] === 0) {
      from++
      to++
    }
    if (from > fromStart) {
      operations.push({ kind: 'copy', fromStart, fromEnd: from, toStart, toEnd: to })
      continue
    }
    while (from < fromLength && fromChanged[from] === 1) from++
    while (to < toLength && toChanged[to] === 1) to++
    operations.push(replacement(fromStart, from, toStart, to))
  }
  return operations
}
