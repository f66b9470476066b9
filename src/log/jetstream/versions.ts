/** Which versions of nats-server can carry a log. */

/** 2.10.20 to 2.10.22 can forget a stream when the process is killed. 2.9 cannot flush each record. */
export const OLDEST = '2.10.23'
/** Earlier ones have faults that later releases repair, when servers join, leave or send snapshots. */
export const ADVISED = '2.12.3'

/** Compares the first three numbers; words after them do not count. A text without numbers is older than all. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)]
  const at = other.findIndex((number, index) => number !== one[index])
  return at !== -1 && (one[at] ?? -1) < other[at]!
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return numbers.map(Number)
}
