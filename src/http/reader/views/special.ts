/** Further special pages: titles by prefix, files, the log, a permanent link, and the software. */
import { EXTENSION_TAG_FACTS } from '../../../domain/extensionTags.js'
import type { EventValue } from '../../../domain/logEvent.js'
import { FILE, MAIN, USER } from '../../../domain/namespaceIds.js'
import { parseTitle, prefixedKey } from '../../../domain/title.js'
import { html } from '../../../reader/html.js'
import { text, wordOf } from '../../../reader/messages.js'
import { prefixIndex } from '../../../reader/views/allPages.js'
import { fileList, type ListedEntry, logList } from '../../../reader/views/specialPages.js'
import { targetForm } from '../../../reader/views/whatLinksHere.js'
import { versionFacts } from '../../../reader/views/statistics.js'
import { productVersion } from '../../../runtime/version.js'
import type { EventFilter, ListedEvent } from '../../../storage/changes/logEventReader.js'
import { requirePageOf, requireRevision } from '../../views/lookup.js'
import type { HttpContext } from '../../routing/route.js'
import { leadTo, pageReply, problemPage } from '../pageReply.js'
import { shownName, shownTitle } from '../variants.js'
import { numberOf, type Visit, type VisitHandler } from '../visit.js'
import { placeOf } from './changes.js'
import { choiceOf, namespaceChoices } from './lists.js'
import { linkTargets, shownUser } from './shownRevision.js'
import { sharedReply, specialShell } from './viewReply.js'

const TITLES_PER_PART = 100
const FILES_PER_PART = 50
const ENTRIES_PER_PART = 50
/** Titles and entries to read for a part of a list that few pass. */
const MAX_READ = 500
const MAX_TYPED_LENGTH = 255

export const typedIn = ({ query }: Visit, name: string, otherwise = ''): string =>
  (query.get(name) ?? otherwise).slice(0, MAX_TYPED_LENGTH).toWellFormed().trim()

/** `Special:PrefixIndex?prefix=&namespace=&hideredirects=`, or the prefix after the slash. */
export const showPrefixIndex: VisitHandler = (visit, { store }) => {
  const { query, target, namespaces, links } = visit
  const typed = typedIn(visit, 'prefix', target)
  const { namespace, dbkey: prefix } = choiceOf(typed, numberOf(query, 'namespace') ?? MAIN, namespaces)
  const hidesRedirects = query.has('hideredirects')
  const from = query.get('from')?.slice(0, MAX_TYPED_LENGTH).toWellFormed()
  const pages: { key: string; title: string; isRedirect: boolean }[] = []
  let next: string | undefined
  let read = 0
  for (const dbkey of store.lists.walkTitles(namespace, { from, prefix, isReverse: false })) {
    if (pages.length === TITLES_PER_PART || read++ === MAX_READ) {
      next = dbkey
      break
    }
    const title = { namespace, dbkey }
    const isRedirect = store.getPage(namespace, dbkey)?.redirect === true
    if (isRedirect && hidesRedirects) continue
    pages.push({ key: prefixedKey(title, namespaces), title: shownTitle(title, visit), isRedirect })
  }
  const path = (place?: string): string =>
    links.special('PrefixIndex', {
      ...{ prefix: typed || undefined, namespace: namespace || undefined },
      ...{ hideredirects: hidesRedirects ? 1 : undefined, from: place },
    })
  const content = prefixIndex({
    ...{ links, namespace, hidesRedirects, pages, prefix: prefix.replaceAll('_', ' ') },
    namespaces: namespaceChoices(namespaces),
    first: from === undefined ? undefined : path(),
    next: next === undefined ? undefined : path(next),
  })
  return sharedReply(visit, specialShell(visit, wordOf(visit.site, 'prefix-heading'), path(from)), [content])
}

/** `Special:ListFiles?from=`: files whose facts the store has, by name. */
export const showListFiles: VisitHandler = (visit, { store }) => {
  const { namespaces, links, site } = visit
  const typed = typedIn(visit, 'from')
  const parsed = parseTitle(namespaces.keyPrefix(FILE) + typed, namespaces)
  const from = typed === '' || !parsed.ok ? typed.replaceAll(' ', '_') : parsed.title.dbkey
  const found = []
  for (const file of store.walkFiles({ ...(from !== '' && { from }), isReverse: false })) {
    found.push(file)
    if (found.length > FILES_PER_PART) break
  }
  const next = found.length > FILES_PER_PART ? found.pop()?.dbkey : undefined
  const content = fileList({
    formats: site.formats,
    path: links.special('ListFiles'),
    from: typed,
    files: found.map(({ dbkey, facts }) => ({
      href: links.page(prefixedKey({ namespace: FILE, dbkey }, namespaces)),
      name: shownName(dbkey.replaceAll('_', ' '), visit),
      mimeType: facts.mimeType,
      sizeBytes: facts.sizeBytes,
      time: facts.timestamp,
      uploader: facts.uploader?.name,
    })),
    first: from === '' ? undefined : links.special('ListFiles'),
    next: next === undefined ? undefined : links.special('ListFiles', { from: next }),
  })
  const path = links.special('ListFiles', { from: typed || undefined })
  return sharedReply(visit, specialShell(visit, wordOf(visit.site, 'files-heading'), path), [content])
}

const LOG_TYPES = [
  ...['block', 'contentmodel', 'create', 'delete', 'import', 'managetags', 'merge', 'move'],
  ...['newusers', 'patrol', 'protect', 'rights', 'tag', 'upload'],
]

/** `Special:Log?type=&user=&page=`, or the type after the slash. */
export const showLog: VisitHandler = (visit, context) => {
  const { namespaces, links, query, target, site } = visit
  const [type, user, page] = [typedIn(visit, 'type', target), typedIn(visit, 'user'), typedIn(visit, 'page')]
  const events = context.store.logEvents
  if (!events.hasAny()) return problemPage(site, 404, text('log-absent'))
  const about = page === '' ? undefined : parseTitle(page, namespaces)
  if (about?.ok === false) return problemPage(site, 400, text('bad-title', page))
  const filter = filterOf({ type, user, title: about?.title }, visit, context)
  const from = placeOf(query)
  const entries: ListedEntry[] = []
  let next: ListedEvent | undefined
  let read = 0
  for (const event of filter === undefined ? [] : events.list(filter, { from })) {
    if (entries.length === ENTRIES_PER_PART || read++ === MAX_READ) {
      next = event
      break
    }
    entries.push(entryOf(event, visit))
  }
  const chosen = { type: type || undefined, user: user || undefined, page: page || undefined }
  const path = (offset?: string): string => links.special('Log', { ...chosen, offset })
  const content = logList({
    site,
    ...{ formats: site.formats, path: links.special('Log'), types: LOG_TYPES, type, user, page, entries },
    nothing: text('log-none'),
    newest: from && path(),
    older: next && path(`${next.timestamp}.${next.id}`),
    linkTo: linkTargets(visit, context),
  })
  return pageReply(specialShell(visit, wordOf(visit.site, 'log-heading'), path()), content)
}

/** Undefined for a user who is in no entry. */
function filterOf(
  { type, user, title }: { readonly type: string; readonly user: string } & Pick<EventFilter, 'title'>,
  { namespaces }: Visit,
  { store }: HttpContext,
): EventFilter | undefined {
  const parsed = parseTitle(namespaces.keyPrefix(USER) + user, namespaces)
  const name = parsed.ok && parsed.title.namespace === USER ? parsed.title.dbkey.replaceAll('_', ' ') : user
  const [actorId] = user === '' ? [] : store.changes.actorsNamed(name)
  if (user !== '' && actorId === undefined) return undefined
  return { title, actorId, type: type === '' ? undefined : type }
}

function entryOf(event: ListedEvent, visit: Visit): ListedEntry {
  const { timestamp, type, action, performer, comment, title, params } = event
  const { namespaces, links } = visit
  const pageOf = (asked: typeof title) =>
    asked && {
      href: links.page(prefixedKey(asked, namespaces)),
      title: shownTitle(asked, visit),
    }
  const stated = type === 'move' && title !== undefined ? moveTarget(params) : ''
  const moved = stated === '' ? undefined : parseTitle(stated, namespaces)
  return {
    ...{ timestamp, type, action, comment },
    user: performer && shownUser(performer, performer.id === null, visit),
    page: pageOf(title),
    target: pageOf(moved?.ok === true ? moved.title : undefined),
  }
}

/** Old entries have a list of texts. */
function moveTarget(params: ListedEvent['params']): string {
  if (params === null || typeof params !== 'object') return ''
  const stated = (params as Readonly<Record<string, EventValue>>)[Array.isArray(params) ? '0' : '4::target']
  return typeof stated === 'string' ? stated : ''
}

/** `Special:PermanentLink/N` leads to a revision. */
export const showPermanentLink: VisitHandler = (visit, { store }) => {
  const { target, query, links, namespaces, site } = visit
  const asked = query.get('target') ?? target
  const heading = wordOf(site, 'permanent-link-heading')
  const path = links.special('PermanentLink')
  if (asked === '') {
    const form = targetForm(path, { label: text('permanent-link-revision'), value: '' })
    return pageReply(specialShell(visit, heading, path), form)
  }
  if (!/^\d{1,10}$/.test(asked)) return problemPage(site, 400, text('bad-revision', asked))
  const revision = requireRevision(store, Number(asked))
  return leadTo(links.revision(prefixedKey(requirePageOf(store, revision), namespaces), revision.id))
}

/** `Special:Version`: the software, and what the wiki's texts may use. */
export const showVersion: VisitHandler = (visit) => {
  const { wiki, links, site } = visit
  const tags = [...EXTENSION_TAG_FACTS.keys()].filter(
    (tag) => wiki.site.extensionTags?.includes(tag) !== false,
  )
  const content = versionFacts([
    ['version-product', `Palimpsest ${productVersion()}`],
    ['version-language', html`<bdi>${site.language}</bdi>`],
    ['version-extension-tags', tags.map((tag) => `<${tag}>`).join(' ')],
  ])
  return sharedReply(
    visit,
    specialShell(visit, wordOf(visit.site, 'version-heading'), links.special('Version')),
    [content],
  )
}
