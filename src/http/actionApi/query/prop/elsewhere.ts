/** `prop=extlinks`, `iwlinks` and `langlinks`: what pages name outside of the wiki. */
import { lasts, SILENT_CHANGE_MS } from '../../frame/call.js'
import { languageName } from '../../../../domain/languageNames.js'
import type { PageSummary } from '../../../../storage/store.js'
import { externalIndex } from '../../../../storage/links/linkReader.js'
import { foreignUrl } from '../../addresses.js'
import { choiceOr, choicesOr, continueFrom, deprecated, flag, limit, text } from '../../frame/declaration.js'
import { ActionError } from '../../frame/problems.js'
import { named } from '../../frame/values.js'
import { addressPattern, PROTOCOLS } from '../addressPatterns.js'
import { linkIndex, MAX_TARGETS_READ } from '../linkIndex.js'
import { listRows, numberOf, placeOf } from '../places.js'
import { defineListedProp, type Item, type QueryCall } from '../module.js'

/** Throws an error if a parameter is there without another one. */
export function requireWith(name: string, value: unknown, other: string, otherValue: unknown): void {
  if (value === undefined || otherValue !== undefined) return
  throw new ActionError('invalidparammix', `The "${name}" parameter may only be used with "${other}".`)
}

export const extLinks = defineListedProp({
  name: 'extlinks',
  prefix: 'el',
  summary: 'Addresses outside of the wiki that pages name',
  isGenerator: false,
  parameters: {
    limit: limit(),
    continue: continueFrom(),
    protocol: choiceOr('', ['', ...PROTOCOLS], 'only addresses with this protocol'),
    query: text('only addresses that begin so; `*.` stands for any host below'),
    expandurl: flag('addresses without protocol get one'),
  },
  run(call, { limit: most, continue: given, protocol, query, expandurl }) {
    const index = linkIndex(call)
    const { matches } = addressPattern(query, protocol)
    const place = given === undefined ? undefined : placeOf(given, 1)
    const [fromPage = 0] = place?.numbers ?? []
    const start = place === undefined ? 0 : numberOf(place.name)
    const items: Item[] = []
    let read = 0
    for (const entry of call.pages.existing()) {
      const { pageId } = entry.page
      if (pageId < fromPage) continue
      if (read > MAX_TARGETS_READ) return { items, more: { continue: `${pageId}|0` } }
      const addresses = index.from(pageId, 'external').filter(({ name }) => matches(externalIndex(name)))
      read += addresses.length + 1
      for (const [at, { name }] of addresses.entries()) {
        if (pageId === fromPage && at < start) continue
        if (items.length === most) return { items, more: { continue: `${pageId}|${at}` } }
        const url = expandurl && name.startsWith('//') ? `https:${name}` : name
        items.push({ entry, fields: named('url', { url }) })
      }
    }
    return { items }
  },
})

export const iwLinks = defineListedProp({
  name: 'iwlinks',
  prefix: 'iw',
  summary: 'Titles of other wikis that pages name',
  isGenerator: false,
  parameters: {
    prop: choicesOr([], ['url'], 'what to tell in addition'),
    prefix: text('only links with this prefix'),
    title: text('only links to this title; needs `iwprefix`'),
    dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
    limit: limit(),
    continue: continueFrom(),
    url: deprecated(flag('as `iwprop=url`')),
  },
  run(call, { prop, prefix, title, dir, limit: most, continue: given, url: isUrlWanted }) {
    const own = call.module.prefix
    requireWith(`${own}title`, title, `${own}prefix`, prefix)
    const index = linkIndex(call)
    const urls = foreignUrls(call, prop.includes('url') || isUrlWanted)
    const wanted = { limit: most, continue: given, dir }
    return listRows(call, wanted, {
      of: ({ page }) => index.from(page.pageId, 'interwiki'),
      nameOf: ({ name }) => name,
      compare,
      itemOf({ name }, entry) {
        const [site = '', key = ''] = name.split('\t')
        if (prefix !== undefined && (site !== prefix || (title !== undefined && key !== keyOf(title))))
          return undefined
        return { entry, fields: named('title', { prefix: site, ...urls(site, key), title: key }) }
      },
    })
  },
})

/** The field `url` of a title in another wiki; none if it is not wanted, or the wiki is not known. */
function foreignUrls(
  { context }: QueryCall,
  isWanted: boolean,
): (site: string, key: string) => { readonly url?: string } {
  const interwiki = context.store.interwiki()
  return (site, key) => {
    const pattern = isWanted ? interwiki.get(site)?.url : undefined
    return pattern === undefined ? {} : { url: foreignUrl(pattern, key) }
  }
}

/** In the order of the index. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
const keyOf = (title: string): string => title.trim().replaceAll(' ', '_')

export const langLinks = defineListedProp({
  name: 'langlinks',
  prefix: 'll',
  summary: 'The same pages in other languages',
  isGenerator: false,
  parameters: {
    prop: choicesOr([], ['url', 'langname', 'autonym'], 'what to tell in addition'),
    lang: text('only the link to this language'),
    title: text('only links to this title; needs `lllang`'),
    dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
    inlanguagecode: text('without effect: names of languages are their own'),
    limit: limit(),
    continue: continueFrom(),
    url: deprecated(flag('as `llprop=url`')),
  },
  run(call, { prop, lang, title, dir, limit: most, continue: given, url: isUrlWanted }) {
    const { prefix } = call.module
    requireWith(`${prefix}title`, title, `${prefix}lang`, lang)
    // Templates may change, and with them the links.
    lasts(call, SILENT_CHANGE_MS)
    const urls = foreignUrls(call, prop.includes('url') || isUrlWanted)
    const wanted = { limit: most, continue: given, dir }
    return listRows(call, wanted, {
      of: ({ page }) => languagesOf(page, call),
      nameOf: ({ code }) => code,
      compare,
      itemOf(link, entry) {
        if (lang !== undefined && (link.code !== lang || (title !== undefined && link.title !== title)))
          return undefined
        const fields = {
          lang: link.code,
          ...urls(link.code, link.key),
          ...(prop.includes('langname') && { langname: languageName(link.code) ?? link.name }),
          ...(prop.includes('autonym') && { autonym: languageName(link.code) ?? link.name }),
          title: link.title,
        }
        return { entry, fields: named('title', fields) }
      },
    })
  },
})

interface WireLanguage {
  readonly code: string
  readonly name: string
  readonly key: string
  readonly title: string
}

/** From the imported table, else from the text of the page and its templates. */
async function languagesOf(
  { namespace, dbkey, pageId }: PageSummary,
  call: QueryCall,
): Promise<WireLanguage[]> {
  const { store, expandedLinks } = call.context
  const imported = store.imported.has('langlinks') ? store.imported.languageLinksJson(pageId) : undefined
  if (imported !== undefined) return JSON.parse(imported.toString()) as WireLanguage[]
  const page = store.getPage(namespace, dbkey)
  if (page === undefined) return []
  const { languages } = await expandedLinks.of({ namespace, dbkey }, page)
  return JSON.parse(Buffer.from(languages).toString()) as WireLanguage[]
}
