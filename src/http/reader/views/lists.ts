/** Special pages that list pages, or lead to one. */
import { CATEGORY, MAIN } from '../../../domain/namespaceIds.js'
import type { Namespaces } from '../../../domain/namespaces.js'
import { parseTitle, prefixedKey } from '../../../domain/title.js'
import { text, wordOf } from '../../../reader/messages.js'
import { allPages, type NamespaceChoice } from '../../../reader/views/allPages.js'
import { recentChanges } from '../../../reader/views/recentChanges.js'
import { type SpecialGroup, specialPages } from '../../../reader/views/specialPages.js'
import { statistics } from '../../../reader/views/statistics.js'
import { leadTo, pageReply, problemPage } from '../pageReply.js'
import { shownName, shownTitle } from '../variants.js'
import { numberOf, type VisitHandler } from '../visit.js'
import { linkTargets, shownRevision } from './shownRevision.js'
import { sharedReply, specialShell } from './viewReply.js'
import { categoryIndex } from '../../../reader/views/category.js'

const TITLES_PER_PAGE = 200
const CATEGORIES_PER_PAGE = 100
const CHANGES_PER_PAGE = 50
const MAX_FROM_LENGTH = 255

/** `Special:AllPages?from=&namespace=`. A prefix in `from` chooses the namespace, too. */
export const showAllPages: VisitHandler = (visit, { store }) => {
  const { query, target, namespaces, links } = visit
  const typed = (query.get('from') ?? target).slice(0, MAX_FROM_LENGTH).toWellFormed()
  const start = choiceOf(typed, numberOf(query, 'namespace') ?? MAIN, namespaces)
  const { namespace } = start
  const segment = store.lists.titles(namespace, start.dbkey, TITLES_PER_PAGE)
  const inReadingForm = (dbkey: string | undefined): string | undefined => dbkey?.replaceAll('_', ' ')
  const content = allPages({
    links,
    namespaces: namespaceChoices(namespaces),
    namespace,
    from: inReadingForm(start.dbkey) ?? '',
    pages: segment.dbkeys.map((dbkey) => {
      const title = { namespace, dbkey }
      return { key: prefixedKey(title, namespaces), title: shownTitle(title, visit) }
    }),
    previous: inReadingForm(segment.previous),
    next: inReadingForm(segment.next),
  })
  const path = links.special('AllPages', { from: typed || undefined, namespace: namespace || undefined })
  return sharedReply(visit, specialShell(visit, wordOf(visit.site, 'all-pages-heading'), path), [content])
}

/** Namespaces of pages, for a form. */
export const namespaceChoices = (namespaces: Namespaces): NamespaceChoice[] =>
  namespaces
    .ids()
    .filter((id) => id >= 0)
    .map((id) => ({ id, name: namespaces.nameOf(id) ?? '' }))

/** Where a list begins. A text that is no title begins at its own bytes, since it need not be one. */
export function choiceOf(
  typed: string,
  chosen: number,
  namespaces: Namespaces,
): { readonly namespace: number; readonly dbkey: string } {
  const namespace = chosen !== MAIN && namespaces.byId(chosen) === undefined ? MAIN : chosen
  const plain = { namespace, dbkey: typed.trim().replace(/[ _]+/g, '_') }
  if (plain.dbkey === '') return plain
  const own = parseTitle(typed, namespaces)
  if (own.ok && own.title.namespace > MAIN) return own.title
  const parsed = parseTitle(namespaces.keyPrefix(namespace) + typed, namespaces)
  return parsed.ok && parsed.title.namespace === namespace ? parsed.title : plain
}

/** `Special:Random`, or of the namespace after the slash. */
export const showRandom: VisitHandler = ({ target, namespaces, site, links }, { store }) => {
  const namespace = target === '' || target === text('main-namespace') ? MAIN : namespaces.idByName(target)
  if (namespace === undefined || namespace < 0) return problemPage(site, 404, text('no-namespace', target))
  const title = store.lists.random(namespace, Math.random)
  if (title === undefined) return problemPage(site, 404, text('no-random'))
  return leadTo(links.page(prefixedKey(title, namespaces)))
}

/** `Special:RecentChanges`: the newest revisions of the store, by id. */
export const showRecentChanges: VisitHandler = (visit, context) => {
  const { query, namespaces, links } = visit
  const olderThan = numberOf(query, 'older_than')
  const segment = context.store.lists.recent(olderThan, CHANGES_PER_PAGE)
  const revisions = segment.revisions.map(({ title, ...row }) => ({
    ...shownRevision(row, prefixedKey(title, namespaces), visit),
    title: shownTitle(title, visit),
  }))
  const content = recentChanges({
    site: visit.site,
    links,
    revisions: revisions.toSorted((a, b) => b.timestamp - a.timestamp || b.id - a.id),
    limit: CHANGES_PER_PAGE,
    olderThan: segment.olderThan,
    isLater: olderThan !== undefined,
    linkTo: linkTargets(visit, context),
  })
  const path = links.special('RecentChanges', { older_than: olderThan })
  return sharedReply(visit, specialShell(visit, wordOf(visit.site, 'recent-heading'), path), [content])
}

export const showStatistics: VisitHandler = (visit, { store }) => {
  const { pages, redirects, revisions, actors, files } = store.counters()
  const content = statistics({ pages, redirects, revisions, editors: actors, files }, visit.site.formats)
  return sharedReply(
    visit,
    specialShell(visit, wordOf(visit.site, 'statistics-heading'), visit.links.special('Statistics')),
    [content],
  )
}

const GROUPS: readonly SpecialGroup[] = [
  {
    heading: 'special-lists',
    pages: [
      ['AllPages', 'all-pages'],
      ['PrefixIndex', 'prefix-heading'],
      ['Categories', 'categories'],
      ['Search', 'search'],
      ['WhatLinksHere', 'tool-links'],
      ['CiteThisPage', 'tool-cite'],
      ['PermanentLink', 'permanent-link-heading'],
      ['ListFiles', 'files-heading'],
      ['Random', 'random-page'],
    ],
  },
  {
    heading: 'special-changes',
    pages: [
      ['RecentChanges', 'recent-changes'],
      ['RecentChangesLinked', 'tool-related'],
      ['NewPages', 'new-pages-heading'],
      ['Contributions', 'contributions-ask'],
      ['Log', 'log-heading'],
      ['Statistics', 'statistics'],
      ['Version', 'version-heading'],
    ],
  },
  {
    heading: 'special-account',
    pages: [
      ['MyContributions', 'my-changes'],
      ['UserLogin', 'log-in'],
      ['UserLogout', 'log-out'],
    ],
  },
]

export const showSpecialPages: VisitHandler = (visit) =>
  sharedReply(
    visit,
    specialShell(visit, wordOf(visit.site, 'special-heading'), visit.links.special('SpecialPages')),
    [specialPages(GROUPS, visit.site)],
  )

/** `Special:Categories`: all categories with members, whether they have pages or not. */
export const listCategories: VisitHandler = (visit, { store }) => {
  const { query, site, namespaces, target, links } = visit
  const from = (query.get('from') ?? target).slice(0, MAX_FROM_LENGTH)
  const until = query.get('until')?.slice(0, MAX_FROM_LENGTH)
  const place = (typed: string): string => {
    const parsed = parseTitle(namespaces.keyPrefix(CATEGORY) + typed, namespaces)
    return parsed.ok ? parsed.title.dbkey : typed.replaceAll(' ', '_')
  }
  const list = store.categories.list({
    from: from === '' ? undefined : place(from),
    until: until ? place(until) : undefined,
    limit: CATEGORIES_PER_PAGE,
  })
  const categories = list.categories.map(({ dbkey, counts }) => ({
    key: prefixedKey({ namespace: CATEGORY, dbkey }, namespaces),
    name: shownName(dbkey.replaceAll('_', ' '), visit),
    members: counts.subcategory + counts.page + counts.file,
    isMissing: store.getPage(CATEGORY, dbkey) === undefined,
  }))
  const { previousUntil, nextFrom } = list
  const view = {
    site,
    title: wordOf(site, 'categories'),
    path: links.special('Categories'),
    isInterfaceContent: true,
  }
  const content = categoryIndex({
    links,
    categories,
    from,
    previous: previousUntil === undefined ? undefined : { until: previousUntil },
    next: nextFrom === undefined ? undefined : { from: nextFrom },
  })
  return pageReply(view, content)
}
