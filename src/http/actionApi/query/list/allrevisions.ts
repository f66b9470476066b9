/** `list=allrevisions`: revisions of all pages by time. */
import { titleFields } from '../../pageSet/pageSet.js'
import {
  choiceOr,
  continueFrom,
  flag,
  limit,
  namespaces,
  timestamp,
  user,
  type Values,
} from '../../frame/declaration.js'
import { requireAtMostOneOf } from '../../frame/problems.js'
import { shownOf } from '../../revisionFields.js'
import { type ChangeRow, revisionRows } from '../changeRows.js'
import { readBy } from '../historyWalk.js'
import { MAX_READ } from '../linkIndex.js'
import { defineList, type Item, type Listing, type More, type QueryCall } from '../module.js'
import { shownParameters, ShownRevisions } from '../shownRevisions.js'
import { changeLists, moreAt, rangeOf } from '../timePlaces.js'

const parameters = {
  ...shownParameters,
  limit: limit(),
  user: user('only revisions of this user'),
  namespace: namespaces('only pages of these namespaces'),
  start: timestamp('begin with revisions of this time'),
  end: timestamp('end with revisions of this time'),
  dir: choiceOr('older', ['newer', 'older'], 'direction'),
  excludeuser: user('no revisions of this user'),
  continue: continueFrom(),
  generatetitles: flag('as a generator, give pages in place of revisions'),
}
type AllValues = Values<typeof parameters>
type Row = ChangeRow & { readonly kind: 'revision' }

export const allRevisions = defineList({
  name: 'allrevisions',
  prefix: 'arv',
  summary: 'Revisions of all pages',
  isGenerator: true,
  parameters,
  async run(call, values) {
    const { prefix } = call.module
    requireAtMostOneOf({ [`${prefix}user`]: values.user, [`${prefix}excludeuser`]: values.excludeuser })
    const shown = new ShownRevisions(call, values)
    const { rows, more } = found(call, values)
    if (call.isGenerator) return { items: rows.map((row) => generated(row, values)), more }
    return listed(rows, more, shown, call)
  },
})

/** HTML comes one by one. */
function found(call: QueryCall, values: AllValues): { readonly rows: readonly Row[]; readonly more?: More } {
  const { namespace, excludeuser, user: name, limit: stated, parse } = values
  changeLists(call)
  const actorIds = name === undefined ? undefined : call.context.store.changes.actorsNamed(name)
  const most = parse ? 1 : stated
  const rows: Row[] = []
  let read = 0
  for (const row of revisionRows(actorIds, rangeOf(values), call)) {
    const more = moreAt(row.revision)
    if (read++ === MAX_READ) return { rows, more }
    if (namespace?.includes(row.page.namespace) === false) continue
    if (excludeuser !== undefined && readBy(shownOf(row.revision).user, excludeuser)) continue
    if (rows.length === most) return { rows, more }
    rows.push(row)
  }
  return { rows }
}

const generated = ({ revision, page }: Row, { generatetitles }: AllValues): Item =>
  generatetitles ? { fields: undefined, pageId: page.pageId } : { fields: undefined, revisionId: revision.id }

/** Revisions that stand beside each other share the entry of their page. */
async function listed(
  rows: readonly Row[],
  more: More | undefined,
  shown: ShownRevisions,
  { wiki }: QueryCall,
): Promise<Listing> {
  const items: Item[] = []
  let last: { readonly pageid: number; readonly revisions: unknown[] } | undefined
  for (const { revision, page } of rows) {
    const fields = await shown.fields(revision, page)
    if (fields === undefined) return { items, more: moreAt(revision) }
    if (last?.pageid !== page.pageId) {
      last = { pageid: page.pageId, revisions: [] }
      items.push({ fields: { ...last, ...titleFields(page, wiki.namespaces) } })
    }
    last.revisions.push(fields)
  }
  return { items, more }
}
