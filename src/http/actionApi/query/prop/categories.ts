/** `prop=categories`: the categories of pages. */
import { CATEGORY } from '../../../../domain/namespaceIds.js'
import { parseTitle, type Title } from '../../../../domain/title.js'
import { choiceOr, choices, choicesOr, continueFrom, limit, texts } from '../../frame/declaration.js'
import { badContinue, requireNoContradiction, shown } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { type PageEntry, titleFields } from '../../pageSet/pageSet.js'
import { isHiddenCategory } from '../../pageProperties.js'
import { defineListedProp, type Item, type QueryCall } from '../module.js'

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
  run(call, { prop, show, limit: most, continue: given, categories: only, dir }) {
    requireNoContradiction(show)
    const chosen = only && new Set(categoryKeys(only, call))
    const [fromPage, fromName] = given === undefined ? [0, ''] : placeOf(given)
    const items: Item[] = []
    const isWanted = (dbkey: string): boolean =>
      chosen?.has(dbkey) !== false && isShown(dbkey, show ?? [], call)
    for (const entry of call.pages.existing()) {
      const { pageId } = entry.page
      if (pageId < fromPage) continue
      for (const { category, sortKey } of entriesOf(pageId, dir, call)) {
        if (pageId === fromPage && isBefore(category, fromName, dir)) continue
        if (!isWanted(category)) continue
        if (items.length === most) return { items, more: { continue: `${pageId}|${category}` } }
        items.push(itemOf(entry, category, sortKey, prop, call))
      }
    }
    return { items }
  },
})

const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const isBefore = (category: string, from: string, dir: 'ascending' | 'descending'): boolean =>
  dir === 'ascending' ? compare(category, from) < 0 : compare(category, from) > 0

function entriesOf(
  pageId: number,
  dir: 'ascending' | 'descending',
  { context }: QueryCall,
): { category: string; sortKey: string }[] {
  const sign = dir === 'ascending' ? 1 : -1
  const entries = context.store.categories.ofPage(pageId)
  return [...entries].sort((one, other) => sign * compare(one.category, other.category))
}

function itemOf(
  entry: PageEntry,
  category: string,
  sortKey: string,
  prop: readonly string[],
  call: QueryCall,
): Item {
  const title: Title = { namespace: CATEGORY, dbkey: category }
  const fields: Fields = {
    ...titleFields(title, call.wiki.namespaces),
    ...(prop.includes('sortkey') && { sortkey: hexKey(sortKey, entry), sortkeyprefix: sortKey }),
    ...(prop.includes('hidden') && { hidden: isHiddenCategory(category, call.context.store) }),
  }
  return { entry, title, fields }
}

/** The sort key in capitals, then the title, as hexadecimal digits of its bytes. */
function hexKey(sortKey: string, { title }: PageEntry): string {
  const name = (title?.dbkey ?? '').replaceAll('_', ' ')
  return Buffer.from((sortKey === '' ? name : `${sortKey}\n${name}`).toUpperCase()).toString('hex')
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

function placeOf(given: string): [pageId: number, name: string] {
  const [, id, name] = /^(\d{1,10})\|(.*)$/s.exec(given) ?? []
  if (id === undefined || name === undefined) throw badContinue()
  return [Number(id), name]
}
