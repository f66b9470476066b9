/** What pages add to the totals of the store. Pages without a title add nothing. */
import type { WriteContext } from '../writeContext.js'
import type { PageState } from '../pageState.js'

export interface Totals {
  readonly pages: number
  readonly revisions: number
  readonly redirects: number
}

export const NO_TOTALS: Totals = { pages: 0, revisions: 0, redirects: 0 }

export const totalsOf = ({ untitled, counts, redirectTarget }: PageState): Totals =>
  untitled
    ? NO_TOTALS
    : { pages: 1, revisions: counts.revisions, redirects: redirectTarget === undefined ? 0 : 1 }

/** Brings the counters from what a page added before to what it adds now. */
export function moveTotals({ counters }: WriteContext, before: Totals, after: Totals): void {
  for (const name of ['pages', 'revisions', 'redirects'] as const)
    counters[name] += after[name] - before[name]
}
