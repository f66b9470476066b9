/** `prop=categories`: the categories of pages. */
import { CATEGORY } from '../../../../domain/namespaceIds.js'
import { formatTimestamp } from '../../../../domain/timestamp.js'
import { compareUtf8, parseTitle, type Title } from '../../../../domain/title.js'
import { type CategoryEntry, sortKeyInCapitals } from '../../../../storage/rows/categoryRows.js'
import { choiceOr, choices, choicesOr, continueFrom, limit, texts } from '../../frame/declaration.js'
import { requireNoContradiction, shown } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { type PageEntry, titleFields } from '../../pageSet/pageSet.js'
import { isHiddenCategory } from '../../pageProperties.js'
import { notReady } from '../linkIndex.js'
import { defineListedProp, type Item, type QueryCall } from '../module.js'
import { listRows } from '../places.js'

export const categories = defineListedProp({
  name: 'categories',
  prefix: 'cl',
  summary: 'Categories of pages',
  isGenerator: true,
  parameters: {
    prop: choicesOr([], ['sortkey', 'timestamp', 'hidden'], 'what to tell'),
    show: choices(['hidden', '!hidden'], 'only those that are hidden, or are not'),
    limit: limit(),
    continue: continueFrom(),
    categories: texts('only these'),
    dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
  },
  run(call, { prop, show, categories: only, ...wanted }) {
    requireNoContradiction(show)
    const chosen = only && new Set(categoryKeys(only, call))
    const { categories } = call.context.store
    if (prop.includes('timestamp') && !categories.hasTimes()) throw notReady('times of category members')
    return listRows(call, wanted, {
      of: ({ page }) =>
        categories.ofPage(page.pageId).toSorted((one, other) => compareUtf8(one.category, other.category)),
      nameOf: ({ category }) => category,
      compare: compareUtf8,
      itemOf: (link, entry) =>
        chosen?.has(link.category) !== false && isShown(link.category, show ?? [], call)
          ? itemOf(entry, link, prop, call)
          : undefined,
    })
  },
})

function itemOf(
  entry: PageEntry,
  { category, sortKey, time }: CategoryEntry,
  prop: readonly string[],
  call: QueryCall,
): Item {
  const title: Title = { namespace: CATEGORY, dbkey: category }
  const fields: Fields = {
    ...titleFields(title, call.wiki.namespaces),
    ...(prop.includes('sortkey') && { sortkey: hexKey(sortKey, entry), sortkeyprefix: sortKey }),
    ...(prop.includes('timestamp') && time !== undefined && { timestamp: formatTimestamp(time) }),
    ...(prop.includes('hidden') && { hidden: isHiddenCategory(category, call.context.store) }),
  }
  return { entry, title, fields }
}

/** The sort key in capitals, then the title, as hexadecimal digits of its bytes. */
function hexKey(sortKey: string, { title }: PageEntry): string {
  return Buffer.from(sortKeyInCapitals(sortKey, title?.dbkey ?? '')).toString('hex')
}

function isShown(category: string, show: readonly string[], { context }: QueryCall): boolean {
  if (show.length === 0) return true
  return isHiddenCategory(category, context.store) === show.includes('hidden')
}

function categoryKeys(given: readonly string[], { wiki, warnings, module }: QueryCall): string[] {
  return given.flatMap((text) => {
    const parsed = parseTitle(text, wiki.namespaces)
    if (parsed.ok && parsed.title.namespace === CATEGORY) return [parsed.title.dbkey]
    warnings.add(module.path, 'invalidcategory', `"${shown(text)}" is not a category.`)
    return []
  })
}
