/** The table at the end of a scenario. */
import { percentile } from '../support/statistics.js'
import { formatNumber } from '../support/table.js'
import type { Checked } from './checks.js'
import type { Ledger } from './ledger.js'

export type Row = readonly [name: string, value: string]

export interface Report {
  readonly rows: readonly Row[]
  readonly faults: readonly string[]
}

export function reportOf(ledger: Ledger, checked: Checked, more: readonly Row[] = []): Report {
  const rows: Row[] = [
    ...more,
    ...loadRows(ledger),
    ['unknown edits that are saved', formatNumber(checked.unknownSaved, 0)],
    ['pages, revisions', `${formatNumber(checked.pages, 0)}, ${formatNumber(checked.revisions, 0)}`],
    ['position of all nodes', formatNumber(checked.position, 0)],
    ['digest of all stores', checked.digest.slice(0, 16)],
  ]
  return { rows, faults: checked.faults }
}

function loadRows(ledger: Ledger): Row[] {
  const times = ledger.savedTimes()
  const at = (share: number): string => (times.length === 0 ? '-' : formatNumber(percentile(times, share), 1))
  return [
    ['edits sent', formatNumber(ledger.sent.length, 0)],
    ['saved', formatNumber(ledger.count('saved'), 0)],
    ['merged with others', formatNumber(ledger.merges, 0)],
    ['refused', formatNumber(ledger.count('refused'), 0)],
    ['unknown', formatNumber(ledger.count('unknown'), 0)],
    ['saved a second', formatNumber(ledger.count('saved') / ledger.seconds, 0)],
    ['p50, p99, longest in ms', `${at(0.5)}, ${at(0.99)}, ${at(1)}`],
    ['reads of own edits', formatNumber(ledger.readsChecked, 0)],
    ['of these, old after 300 ms', formatNumber(ledger.readsLate, 0)],
    ...ledger.answers().map(([answer, count]): Row => [`answer ${answer}`, formatNumber(count, 0)]),
  ]
}
