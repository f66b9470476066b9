/** Targets of redirects from the imported table `redirect`. */
import { parseTitle, titleId } from '../../../domain/title.js'
import type { WriteContext } from '../writeContext.js'
import { dropUses, loadPage, type PageState, redirectInText, savePage } from '../pageState.js'
import type { SqlId } from '../../rows/keys.js'
import { decodeSqlRow, readNewRow } from '../../sqlTables/sqlTables.js'

/** In a row: the target in reading form, with `#section`. The number of its namespace is before it. */
export const TARGET = 'target'

/** Gives pages the targets of their rows, and pages without a row those of their texts. */
export function redirectPages(context: WriteContext, pageIds: readonly SqlId[]): void {
  for (const id of pageIds) {
    const page = loadPage(context.tables, Number(id))
    if (page !== undefined && !page.untitled) redirectPage(context, page)
  }
}

function redirectPage(context: WriteContext, page: PageState): void {
  const row = readNewRow(context.tables, 'redirect', page.id)
  const before = page.redirectTarget
  const after = row === undefined ? redirectInText(page) : targetInRow(context, row)
  if (after === before) return
  if (after !== undefined && before !== undefined && isSameTarget(context, before, after)) return
  page.redirectTarget = after
  context.counters.redirects += Number(after !== undefined) - Number(before !== undefined)
  savePage(context, page)
  dropUses(context, page, 'content')
}

function targetInRow({ namespaces }: WriteContext, row: Buffer): string | undefined {
  const target = new Map(decodeSqlRow(row)).get(TARGET) ?? ''
  const colon = target.indexOf(':')
  const [prefix, rest] = [target.slice(0, colon), target.slice(colon + 1)]
  // Another wiki's prefix is no number.
  if (!/^\d+$/.test(prefix)) return target
  const name = namespaces.byId(Number(prefix))?.name
  return name === undefined ? undefined : `${name === '' ? '' : `${name}:`}${rest}`
}

/** Tells if two links mean the same page. A link without a section means also one with it, since old rows have none. */
function isSameTarget({ namespaces }: WriteContext, known: string, stated: string): boolean {
  const [one, other] = [parseTitle(known, namespaces), parseTitle(stated, namespaces)]
  if (!one.ok || !other.ok || titleId(one.title) !== titleId(other.title)) return false
  return other.fragment === '' || one.fragment === other.fragment
}
