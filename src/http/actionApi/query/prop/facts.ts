/** Small properties of pages: `pageprops`, `categoryinfo`, `description`. */
import { CATEGORY } from '../../../../domain/namespaceIds.js'
import { choicesOr, continueFrom, texts } from '../../frame/declaration.js'
import type { Fields } from '../../frame/values.js'
import type { PageEntry } from '../../pageSet/pageSet.js'
import { isHiddenCategory, propertiesOf } from '../../pageProperties.js'
import { defineFacts, type QueryCall } from '../module.js'

export const pageProps = defineFacts({
  name: 'pageprops',
  prefix: 'pp',
  summary: 'Properties that the texts of pages state',
  parameters: { prop: texts('only these properties'), continue: continueFrom() },
  run(call, { prop }) {
    const facts = new Map<PageEntry, Fields>()
    for (const entry of call.pages.existing()) {
      const all = [...propertiesOf(entry.page, call.context.store)]
      const properties = all.filter(([name]) => prop === undefined || prop.includes(name))
      if (properties.length > 0) facts.set(entry, { pageprops: Object.fromEntries(properties) })
    }
    return { facts }
  },
})

export const categoryInfo = defineFacts({
  name: 'categoryinfo',
  prefix: 'ci',
  summary: 'Numbers of members of categories',
  parameters: { continue: continueFrom() },
  run(call) {
    const facts = new Map<PageEntry, Fields>()
    for (const entry of call.pages.titled()) {
      if (entry.title.namespace !== CATEGORY) continue
      const counts = call.context.store.categories.counts(entry.title.dbkey)
      const isKnown = entry.page !== undefined || counts.page + counts.file + counts.subcategory > 0
      if (isKnown) facts.set(entry, { categoryinfo: categoryFields(entry.title.dbkey, call) })
    }
    return { facts }
  },
})

/** Numbers of members, and whether readers see the category below pages. */
export function categoryFields(dbkey: string, { context }: QueryCall): Fields {
  const { subcategory, page, file } = context.store.categories.counts(dbkey)
  return {
    size: subcategory + page + file,
    pages: page,
    files: file,
    subcats: subcategory,
    hidden: isHiddenCategory(dbkey, context.store),
  }
}

export const description = defineFacts({
  name: 'description',
  prefix: 'desc',
  summary: 'Short descriptions of pages',
  parameters: {
    prefersource: choicesOr([], ['local', 'central'], 'without effect'),
    continue: continueFrom(),
  },
  run(call) {
    const facts = new Map<PageEntry, Fields>()
    for (const entry of call.pages.existing()) {
      const { description: text } = call.context.store.search.pageFacts(entry.page.pageId)
      if (text !== undefined) facts.set(entry, { description: text, descriptionsource: 'local' })
    }
    return { facts }
  },
})
