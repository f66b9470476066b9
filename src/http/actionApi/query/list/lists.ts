/** Small lists: `allcategories`, `random` and `tags`. */
import { CATEGORY } from '../../../../domain/namespaceIds.js'
import { compareUtf8, type Title } from '../../../../domain/title.js'
import type { TitleRange } from '../../../../storage/pages/pageLists.js'
import type { Store } from '../../../../storage/store.js'
import {
  choiceOr,
  choicesOr,
  continueFrom,
  deprecated,
  flag,
  integer,
  limit,
  namespaces,
  text,
} from '../../frame/declaration.js'
import { badContinue } from '../../frame/problems.js'
import { named } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { categoryFields } from '../prop/facts.js'
import { keyOf, prefixKeyOf } from '../places.js'
import { defineList, type Item, type QueryCall } from '../module.js'

/** Categories to read for one answer. */
const MAX_READ = 2000

export const allCategories = defineList({
  name: 'allcategories',
  prefix: 'ac',
  summary: 'Categories that have members or a page',
  isGenerator: true,
  parameters: {
    from: text('begin with this category'),
    continue: continueFrom(),
    to: text('end with this category'),
    prefix: text('only categories that begin so'),
    dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
    min: integer('least members'),
    max: integer('most members'),
    limit: limit(),
    prop: choicesOr([], ['size', 'hidden'], 'what to tell'),
  },
  run(call, { from, continue: given, to, prefix, dir, min, max, limit: most, prop }) {
    const { store } = call.context
    const range = {
      from: given ?? (from && keyOf(from, CATEGORY, call)),
      to: to && keyOf(to, CATEGORY, call),
      prefix: prefix && prefixKeyOf(prefix, CATEGORY, call),
      isReverse: dir === 'descending',
    }
    const items: Item[] = []
    let read = 0
    for (const { dbkey, size } of knownCategories(range, store)) {
      const isWanted = size >= (min ?? 0) && size <= (max ?? Infinity)
      if ((isWanted && items.length === most) || read++ === MAX_READ)
        return { items, more: { continue: dbkey } }
      if (!isWanted) continue
      const facts = prop.length === 0 ? {} : categoryFields(dbkey, call)
      const shown = {
        category: dbkey.replaceAll('_', ' '),
        ...(prop.includes('size') && pick(facts, ['size', 'pages', 'files', 'subcats'])),
        ...(prop.includes('hidden') && pick(facts, ['hidden'])),
      }
      items.push({ title: { namespace: CATEGORY, dbkey }, fields: named('category', shown) })
    }
    return { items }
  },
})

/** Categories in use, and those that have a page alone, in one order. */
function* knownCategories(range: TitleRange, store: Store): Generator<{ dbkey: string; size: number }, void> {
  const pages = store.lists.walkTitles(CATEGORY, range)
  const sign = range.isReverse ? -1 : 1
  let page = pages.next()
  for (const used of store.categories.walk(range)) {
    for (; page.done !== true && sign * compareUtf8(page.value, used.dbkey) < 0; page = pages.next())
      yield { dbkey: page.value, size: 0 }
    if (page.done !== true && page.value === used.dbkey) page = pages.next()
    yield used
  }
  for (; page.done !== true; page = pages.next()) yield { dbkey: page.value, size: 0 }
}

const pick = (fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, fields[name]]))

/** Ids to try for each page that is wanted. */
const TRIES = 60

export const random = defineList({
  name: 'random',
  prefix: 'rn',
  summary: 'Pages by chance',
  isGenerator: true,
  parameters: {
    namespace: namespaces('only pages of these namespaces'),
    filterredir: choiceOr('nonredirects', ['all', 'redirects', 'nonredirects'], 'redirects or not'),
    redirect: deprecated(flag('as `filterredir=redirects`')),
    limit: limit(1),
    continue: continueFrom(),
  },
  run(call, { namespace, filterredir, redirect, limit: most, continue: given }) {
    call.reuse.isPersonal = true
    if (given !== undefined && !/^[\d.|]{1,100}$/.test(given)) throw badContinue()
    const { store } = call.context
    const redirects = redirect ? 'redirects' : filterredir
    const { nextPageId, pages } = store.counters()
    const found = new Map<number, Item>()
    for (let tries = 0; tries < TRIES * most && found.size < most; tries++) {
      const page = store.getPageById(1 + Math.floor(Math.random() * (nextPageId - 1)))
      if (page === undefined || namespace?.includes(page.namespace) === false) continue
      if (redirects !== 'all' && (page.redirectTarget !== undefined) !== (redirects === 'redirects')) continue
      const fields = { id: page.pageId, ...titleFields(page, call.wiki.namespaces) }
      found.set(page.pageId, { title: page, pageId: page.pageId, fields })
    }
    const items = [...found.values()]
    if (items.length === 0) items.push(...usual(namespace ?? [0], call))
    const more = pages > most ? { continue: `${Math.random()}|${Math.random()}|${nextPageId}|0` } : undefined
    return { items, more }
  },
})

/** One page where chance found none: ids of pages lie far apart. */
function usual(namespaces: readonly number[], { context, wiki }: QueryCall): Item[] {
  for (const namespace of namespaces) {
    const title: Title | undefined = context.store.lists.random(namespace, Math.random)
    const row = title && context.store.getPage(title.namespace, title.dbkey)
    if (title !== undefined && row !== undefined)
      return [
        { title, pageId: row.pageId, fields: { id: row.pageId, ...titleFields(title, wiki.namespaces) } },
      ]
  }
  return []
}

/** Tags that the software gives. Others come from the table `change_tag_def`. */
const SOFTWARE_TAGS =
  `mw-blank mw-changed-redirect-target mw-contentmodelchange mw-manual-revert mw-new-redirect
  mw-removed-redirect mw-replace mw-reverted mw-rollback mw-server-side-upload mw-undo`.split(/\s+/)

export const tags = defineList({
  name: 'tags',
  prefix: 'tg',
  summary: 'Tags of revisions',
  isGenerator: false,
  parameters: {
    continue: continueFrom(),
    limit: limit(),
    prop: choicesOr(
      [],
      ['displayname', 'description', 'hitcount', 'defined', 'source', 'active'],
      'what to tell; how often a tag was given is not known here',
    ),
  },
  run({ context }, { continue: from, limit: most, prop }) {
    const own = new Set(context.store.imported.changeTags()?.values())
    const all = [...new Set([...SOFTWARE_TAGS, ...own])].sort(compareUtf8)
    const names = all.filter((name) => from === undefined || compareUtf8(name, from) >= 0)
    const items = names.slice(0, most).map((name) => {
      const isSoftware = SOFTWARE_TAGS.includes(name)
      const fields = {
        name,
        ...(prop.includes('displayname') && { displayname: name }),
        ...(prop.includes('description') && { description: '' }),
        ...(prop.includes('defined') && { defined: true }),
        ...(prop.includes('source') && { source: [isSoftware ? 'software' : 'manual'] }),
        ...(prop.includes('active') && { active: true }),
      }
      return { fields }
    })
    const next = names[most]
    return { items, ...(next !== undefined && { more: { continue: next } }) }
  },
})
