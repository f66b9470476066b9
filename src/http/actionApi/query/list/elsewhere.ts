/** `list=exturlusage`, `iwbacklinks` and `langbacklinks`: pages that name addresses, or titles of other wikis. */
import type { LanguageRange, LanguageUse } from '../../../../storage/sqlTables/languagePages.js'
import { choiceOr, choicesOr, continueFrom, flag, limit, namespaces, text } from '../../frame/declaration.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { addressPattern, PROTOCOLS } from '../addressPatterns.js'
import { isRedirect, linkIndex, MAX_READ, notReady } from '../linkIndex.js'
import { placeOf } from '../places.js'
import { defineList, type Item, type Listing, type QueryCall } from '../module.js'
import { requireWith } from '../prop/elsewhere.js'

/** Above all names that begin with a text. */
const LAST = '\u{10ffff}'

export const extUrlUsage = defineList({
  name: 'exturlusage',
  prefix: 'eu',
  summary: 'Pages that name addresses outside of the wiki',
  isGenerator: true,
  parameters: {
    prop: choicesOr(['ids', 'title', 'url'], ['ids', 'title', 'url'], 'what to tell'),
    continue: continueFrom(),
    protocol: choiceOr('', ['', ...PROTOCOLS], 'only addresses with this protocol'),
    query: text('only addresses that begin so; `*.` stands for any host below'),
    namespace: namespaces('only pages of these namespaces'),
    limit: limit(),
    expandurl: flag('addresses without protocol get one'),
  },
  run(call, { prop, continue: given, protocol, query, namespace, limit: most, expandurl }) {
    const index = linkIndex(call)
    const { prefix, matches } = addressPattern(query, protocol)
    const place = given === undefined ? undefined : placeOf(given, 2)
    const [fromPage = 0, fromNumber = 0] = place?.numbers ?? []
    const range = {
      from: place?.name ?? prefix,
      to: prefix + LAST,
      ...(place !== undefined && { fromPage }),
    }
    const items: Item[] = []
    let read = 0
    for (const { name, pageId } of index.uses('external', 0, range)) {
      if (read++ === MAX_READ) return { items, more: { continue: `${pageId}|0|${name}` } }
      const page = call.context.store.getPageById(pageId)
      if (!matches(name) || page === undefined || namespace?.includes(page.namespace) === false) continue
      const isFirst = place !== undefined && pageId === fromPage && name === place.name
      for (const [number, url] of index.addressesAt(pageId, name).entries()) {
        if (isFirst && number < fromNumber) continue
        if (items.length === most) return { items, more: { continue: `${pageId}|${number}|${name}` } }
        const fields: Fields = {
          ...(prop.includes('ids') && { pageid: pageId }),
          ...(prop.includes('title') && titleFields(page, call.wiki.namespaces)),
          ...(prop.includes('url') && { url: expandurl && url.startsWith('//') ? `https:${url}` : url }),
        }
        items.push({ pageId, fields })
      }
    }
    return { items }
  },
})

export const iwBacklinks = defineList({
  name: 'iwbacklinks',
  prefix: 'iwbl',
  summary: 'Pages that name titles of another wiki',
  isGenerator: true,
  parameters: {
    prefix: text('the other wiki'),
    title: text('only this title; needs `iwblprefix`'),
    continue: continueFrom(),
    limit: limit(),
    prop: choicesOr([], ['iwprefix', 'iwtitle'], 'what to tell in addition'),
    dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
  },
  run(call, { prefix: site, title, prop, ...query }) {
    const own = call.module.prefix
    requireWith(`${own}title`, title, `${own}prefix`, site)
    const key = title?.trim().replaceAll(' ', '_')
    const index = linkIndex(call)
    const uses = (range: LanguageRange): Iterable<LanguageUse> => index.uses('interwiki', 0, range)
    return pagesNaming(uses, call, { ...query, site, title: key }, ([prefix, name]) => ({
      ...(prop.includes('iwprefix') && { iwprefix: prefix }),
      ...(prop.includes('iwtitle') && { iwtitle: name }),
    }))
  },
})

export const langBacklinks = defineList({
  name: 'langbacklinks',
  prefix: 'lbl',
  summary: 'Pages with links to another language',
  isGenerator: true,
  parameters: {
    lang: text('the language'),
    title: text('only this title; needs `lbllang`'),
    continue: continueFrom(),
    limit: limit(),
    prop: choicesOr([], ['lllang', 'lltitle'], 'what to tell in addition'),
    dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
  },
  run(call, { lang: site, title, prop, ...query }) {
    const own = call.module.prefix
    requireWith(`${own}title`, title, `${own}lang`, site)
    const { imported } = call.context.store
    if (!imported.areLanguagesListed()) throw notReady('language links')
    if (!imported.has('langlinks')) warnOfMissingTable(call)
    const uses = (range: LanguageRange): Iterable<LanguageUse> => imported.pagesByLanguage(range)
    return pagesNaming(uses, call, { ...query, site, title }, ([lang, name]) => ({
      ...(prop.includes('lllang') && { lllang: lang }),
      ...(prop.includes('lltitle') && { lltitle: name }),
    }))
  },
})

function warnOfMissingTable({ warnings, module }: QueryCall): void {
  const text = 'This wiki has no table of language links: its operator can import "langlinks".'
  warnings.add(module.path, 'nolanguagelinks', text)
}

interface NamingQuery {
  readonly site: string | undefined
  readonly title: string | undefined
  readonly continue: string | undefined
  readonly limit: number
  readonly dir: 'ascending' | 'descending'
}

/** Pages with links to other wikis, by wiki, title and page. The names of uses have a tab between wiki and title. */
function pagesNaming(
  usesIn: (range: LanguageRange) => Iterable<LanguageUse>,
  call: QueryCall,
  { site, title, continue: given, limit: most, dir }: NamingQuery,
  furtherFields: (target: readonly string[]) => Fields,
): Listing {
  const place = given === undefined ? undefined : placeOf(given, 1)
  const start = site === undefined ? '' : `${site}\t${title ?? ''}`
  const end = title === undefined ? start + LAST : start
  const [low, high] = dir === 'ascending' ? [start, end] : [end, start]
  const range = {
    from: place?.name ?? low,
    to: high,
    descending: dir === 'descending',
    ...(place !== undefined && { fromPage: place.numbers[0]! }),
  }
  const items: Item[] = []
  let read = 0
  for (const { name, pageId } of usesIn(range)) {
    const more = { continue: `${pageId}|${name}` }
    if (read++ === MAX_READ) return { items, more }
    const page = call.context.store.getPageById(pageId)
    if (page === undefined) continue
    if (items.length === most) return { items, more }
    const fields: Fields = {
      pageid: pageId,
      ...titleFields(page, call.wiki.namespaces),
      ...(isRedirect(page) && { redirect: true }),
      ...furtherFields(name.split('\t')),
    }
    items.push({ pageId, fields })
  }
  return { items }
}
