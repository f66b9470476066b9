/** `list=allpages`: pages of a namespace by title. */
import { toSeconds } from '../../../../domain/timestamp.js'
import type { Title } from '../../../../domain/title.js'
import type { PageSummary } from '../../../../storage/store.js'
import {
  choiceOr,
  choices,
  continueFrom,
  integer,
  limit,
  namespaceOr,
  text,
  type Values,
} from '../../frame/declaration.js'
import { ActionError, badContinue } from '../../frame/problems.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { restrictionOf } from '../../restrictions.js'
import { keyOf, prefixKeyOf } from '../places.js'
import { defineList, type Item, type QueryCall } from '../module.js'

/** Pages to read for one answer. A rare kind of page may take several answers. */
const MAX_READ = 1500

const parameters = {
  from: text('begin with this title'),
  continue: continueFrom(),
  to: text('end with this title'),
  prefix: text('only titles that begin so'),
  namespace: namespaceOr(0, 'the namespace'),
  filterredir: choiceOr('all', ['all', 'redirects', 'nonredirects'], 'redirects or not'),
  minsize: integer('least bytes of the text'),
  maxsize: integer('most bytes of the text'),
  prtype: choices(['edit', 'move', 'upload'], 'only protected pages'),
  prlevel: choices(['', 'autoconfirmed', 'sysop'], 'only with this protection'),
  prfiltercascade: choiceOr(
    'all',
    ['cascading', 'noncascading', 'all'],
    'protection that cascades or does not',
  ),
  prexpiry: choiceOr('all', ['indefinite', 'definite', 'all'], 'protection that ends or does not'),
  filterlanglinks: choiceOr(
    'all',
    ['withlanglinks', 'withoutlanglinks', 'all'],
    'with links to other languages, or without',
  ),
  limit: limit(),
  dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
}
type AllPagesValues = Values<typeof parameters>

export const allPages = defineList({
  name: 'allpages',
  prefix: 'ap',
  summary: 'Pages of a namespace by title',
  isGenerator: true,
  parameters,
  run(call, values) {
    requireFitting(values)
    const { namespace, limit: most, continue: given, dir } = values
    const isReverse = dir === 'descending'
    if (given?.includes('|') === true) throw badContinue()
    const from = given ?? (values.from && keyOf(values.from, namespace, call))
    const to = values.to === undefined ? undefined : values.to && keyOf(values.to, namespace, call)
    const prefix = values.prefix ? prefixKeyOf(values.prefix, namespace, call) : undefined
    const isWanted = filterOf(values, call)
    const items: Item[] = []
    let read = 0
    const { store } = call.context
    if (to === '') return { items }
    for (const dbkey of store.lists.walkTitles(namespace, { from, to, prefix, isReverse })) {
      if (read++ === MAX_READ) return { items, more: { continue: dbkey } }
      const page = store.getPageByTitle({ namespace, dbkey })
      if (page === undefined || !isWanted(page)) continue
      if (items.length === most) return { items, more: { continue: dbkey } }
      items.push(itemOf(page, call))
    }
    return { items }
  },
})

function requireFitting({ prlevel, prtype }: AllPagesValues): void {
  if (prlevel !== undefined && prtype === undefined)
    throw new ActionError('invalidparammix', 'The "prlevel" parameter may only be used with "prtype".')
}

function itemOf(page: PageSummary, { wiki }: QueryCall): Item {
  const title: Title = { namespace: page.namespace, dbkey: page.dbkey }
  return {
    title,
    pageId: page.pageId,
    fields: { pageid: page.pageId, ...titleFields(title, wiki.namespaces) },
  }
}

/** A test of pages for their protection. No level here is for uploads alone. */
function restrictionTest(
  prtype: NonNullable<AllPagesValues['prtype']>,
  { prlevel, prexpiry, prfiltercascade }: AllPagesValues,
  { context, nowMs }: QueryCall,
): (page: PageSummary) => boolean {
  const actions = prtype.filter((type) => type !== 'upload')
  return (page) => {
    const protection = context.store.getProtection(page, toSeconds(nowMs))
    return actions.some((action) => {
      const { level, expires } = restrictionOf(protection, action)
      if (level === undefined || prlevel?.includes(level) === false) return false
      const cascades = action === 'edit' && protection.cascades === true
      return (
        (prexpiry === 'all' || (expires === null) === (prexpiry === 'indefinite')) &&
        (prfiltercascade === 'all' || cascades === (prfiltercascade === 'cascading'))
      )
    })
  }
}

/** A test of pages for all filters of the request. */
function filterOf(values: AllPagesValues, call: QueryCall): (page: PageSummary) => boolean {
  const { filterredir, minsize, maxsize, prtype, filterlanglinks } = values
  const { store } = call.context
  const tests: ((page: PageSummary) => boolean)[] = []
  if (filterredir !== 'all')
    tests.push(({ redirectTarget }) => (redirectTarget !== undefined) === (filterredir === 'redirects'))
  if (minsize !== undefined || maxsize !== undefined)
    tests.push(({ latestId }) => {
      const size = store.getRevision(latestId)?.sizeBytes ?? 0
      return size >= (minsize ?? 0) && size <= (maxsize ?? Infinity)
    })
  if (prtype !== undefined) tests.push(restrictionTest(prtype, values, call))
  if (filterlanglinks !== 'all')
    tests.push(
      ({ pageId }) => store.imported.hasLanguageLinks(pageId) === (filterlanglinks === 'withlanglinks'),
    )
  return (page) => tests.every((test) => test(page))
}
