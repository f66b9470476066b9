/** `prop=info`: content model, language, size, addresses, protection and neighbours of pages. */
import { lasts } from '../../frame/call.js'
import { defaultContentModel } from '../../../../domain/contentModel.js'
import { directionOf } from '../../../../domain/direction.js'
import { escapeHtml } from '../../../../domain/html.js'
import { FILE } from '../../../../domain/namespaceIds.js'
import { formatTimestamp, toSeconds } from '../../../../domain/timestamp.js'
import { prefixedKey, prefixedText, type Title } from '../../../../domain/title.js'
import { choicesOr, type Values } from '../../frame/declaration.js'
import type { Fields } from '../../frame/values.js'
import type { PageEntry } from '../../pageSet/pageSet.js'
import { addressesOf } from '../../addresses.js'
import { displayTitleOf } from '../../pageProperties.js'
import { type RestrictedAction, restrictionOf } from '../../restrictions.js'
import { defineFacts, type QueryCall } from '../module.js'

const PROPERTIES = [
  'protection',
  'talkid',
  'watched',
  'watchers',
  'visitingwatchers',
  'notificationtimestamp',
  'subjectid',
  'associatedpage',
  'url',
  'readable',
  'preload',
  'displaytitle',
  'varianttitles',
  'linkclasses',
] as const

const parameters = {
  prop: choicesOr([], PROPERTIES, 'what to tell in addition', { deprecated: ['readable', 'preload'] }),
}
type Property = Values<typeof parameters>['prop'][number]

export const info = defineFacts({
  name: 'info',
  prefix: 'in',
  summary: 'Basic facts of pages',
  parameters,
  run(call, { prop }) {
    const facts = new Map<PageEntry, Fields>()
    const wanted = new Set(prop)
    if (wanted.has('protection')) lasts(call, 60_000)
    for (const entry of call.pages.titled()) facts.set(entry, factsOf(entry, entry.title, wanted, call))
    return { facts }
  },
})

function factsOf(entry: PageEntry, title: Title, wanted: ReadonlySet<Property>, call: QueryCall): Fields {
  const { language } = call.wiki.site
  const { page } = entry
  const revision = page && call.context.store.getRevision(page.latestId)
  return {
    contentmodel: revision?.contentModel ?? defaultContentModel(title.namespace, title.dbkey),
    pagelanguage: language,
    pagelanguagehtmlcode: language,
    pagelanguagedir: directionOf(language),
    ...(page && {
      touched: formatTimestamp(page.latestTimestamp),
      lastrevid: page.latestId,
      length: revision?.sizeBytes ?? 0,
      ...(page.redirectTarget !== undefined && { redirect: true }),
      ...(page.counts.revisions === 1 && { new: true }),
    }),
    ...furtherFacts(entry, title, wanted, call),
  }
}

function furtherFacts(
  entry: PageEntry,
  title: Title,
  wanted: ReadonlySet<Property>,
  call: QueryCall,
): Fields {
  const { namespaces } = call.wiki
  const isTalk = title.namespace % 2 === 1
  const other: Title = { namespace: title.namespace + (isTalk ? -1 : 1), dbkey: title.dbkey }
  const isOtherWanted = wanted.has(isTalk ? 'subjectid' : 'talkid')
  const otherId = isOtherWanted ? call.context.store.getPage(other.namespace, other.dbkey)?.pageId : undefined
  return {
    ...(wanted.has('protection') && protectionOf(entry, title, call)),
    ...(otherId !== undefined && { [isTalk ? 'subjectid' : 'talkid']: otherId }),
    ...(wanted.has('watched') && { watched: false }),
    ...(wanted.has('associatedpage') && { associatedpage: prefixedText(other, namespaces) }),
    ...(wanted.has('url') && addressesOf(call).page(prefixedKey(title, namespaces))),
    ...(wanted.has('readable') && { readable: true }),
    ...(wanted.has('preload') && { preload: null }),
    ...(wanted.has('displaytitle') && { displaytitle: displayTitle(entry, title, call) }),
    ...(wanted.has('varianttitles') &&
      entry.page && { varianttitles: { [call.wiki.site.language]: prefixedText(title, namespaces) } }),
    ...(wanted.has('linkclasses') && { linkclasses: [] }),
  }
}

function protectionOf({ page }: PageEntry, title: Title, { context, nowMs }: QueryCall): Fields {
  const protection = context.store.getProtection(title, toSeconds(nowMs))
  const types: RestrictedAction[] = page === undefined ? ['create'] : ['edit', 'move']
  return {
    protection: types.flatMap((type) => {
      const { level, expires } = restrictionOf(protection, type)
      if (level === undefined) return []
      const expiry = expires === null ? 'infinity' : formatTimestamp(expires)
      return [{ type, level, expiry, ...(type === 'edit' && protection.cascades && { cascade: true }) }]
    }),
    restrictiontypes: title.namespace === FILE ? [...types, 'upload'] : types,
  }
}

const displayTitle = ({ page }: PageEntry, title: Title, { context, wiki }: QueryCall): string =>
  displayTitleOf(page, context.store) ?? escapeHtml(prefixedText(title, wiki.namespaces))
