/** Special pages that choose among changes: those of a user, those that made pages, those of linked pages. */
import { USER } from '../../../domain/namespaceIds.js'
import { parseTitle, prefixedKey } from '../../../domain/title.js'
import { html } from '../../../reader/html.js'
import { sentence, text, wordOf } from '../../../reader/messages.js'
import { changeList } from '../../../reader/views/specialPages.js'
import type { ListedChange } from '../../../reader/views/recentChanges.js'
import { targetForm } from '../../../reader/views/whatLinksHere.js'
import type { Change } from '../../../storage/changes/changeReader.js'
import type { Store } from '../../../storage/store.js'
import type { Reply } from '../../reply/reply.js'
import { parameterError } from '../../reply/errors.js'
import { merged } from '../../views/merged.js'
import { pageReply, problemPage } from '../pageReply.js'
import { shownTitle } from '../variants.js'
import type { Visit, VisitHandler } from '../visit.js'
import { linkTargets, shownRevision } from './shownRevision.js'
import { specialShell } from './viewReply.js'
import { askedTitle } from './whatLinksHere.js'

const CHANGES_PER_PART = 50
/** Changes to read for a part of a list that few pass. */
const MAX_READ = 500
/** Targets of a page whose latest changes are compared. */
const MAX_TARGETS = 500

interface Place {
  readonly timestamp: number
  readonly id: number
}

/** `Special:Contributions/{user}`. Revisions whose user is hidden are not among them. */
export const showContributions: VisitHandler = (visit, context) => {
  const { links, namespaces, query, target } = visit
  const path = links.special('Contributions')
  const typed = (query.get('target') ?? target).toWellFormed().trim()
  const form = targetForm(path, { label: text('tool-user'), value: typed })
  if (typed === '') return pageReply(specialShell(visit, text('contributions-ask'), path), form)
  const parsed = parseTitle(namespaces.keyPrefix(USER) + typed, namespaces)
  const isUser = parsed.ok && parsed.title.namespace === USER
  const name = isUser ? parsed.title.dbkey.replaceAll('_', ' ') : typed
  const { changes } = context.store
  if (!changes.isComplete()) return problemPage(visit.site, 503, text('changes-not-ready'))
  const from = placeOf(query)
  const walks = changes.actorsNamed(name).map((actor) => changes.byActor(actor, { from }))
  const part = partOf(merged(walks, isNewer), context.store, visit, () => true)
  const content = changeList({
    site: visit.site,
    intro: form,
    ...part,
    nothing: text('contributions-none', name),
    newest: from && links.special('Contributions', {}, name),
    older: part.next && links.special('Contributions', { offset: part.next }, name),
    linkTo: linkTargets(visit, context),
  })
  return pageReply(
    specialShell(
      visit,
      wordOf(visit.site, 'contributions-heading', name),
      links.special('Contributions', {}, name),
    ),
    content,
  )
}

/** `Special:NewPages`: first revisions of pages. */
export const showNewPages: VisitHandler = (visit, context): Reply => {
  const { links, query, site } = visit
  const { changes } = context.store
  if (!changes.isComplete()) return problemPage(site, 503, text('changes-not-ready'))
  const from = placeOf(query)
  const part = partOf(changes.byTime({ from }), context.store, visit, ({ isNew }) => isNew)
  const content = changeList({
    site: visit.site,
    ...part,
    nothing: text('new-pages-none'),
    newest: from && links.special('NewPages'),
    older: part.next && links.special('NewPages', { offset: part.next }),
    linkTo: linkTargets(visit, context),
  })
  return pageReply(specialShell(visit, wordOf(site, 'new-pages-heading'), links.special('NewPages')), content)
}

/** `Special:RecentChangesLinked/{title}`: the latest change of each page that a page links to, newest first. */
export const showRelatedChanges: VisitHandler = (visit, context) => {
  const { links, namespaces, site } = visit
  const { store } = context
  const path = links.special('RecentChangesLinked')
  const { typed, title } = askedTitle(visit)
  if (typed === '') {
    const form = targetForm(path, { label: text('tool-page'), value: '' })
    return pageReply(specialShell(visit, wordOf(site, 'tool-related'), path), form)
  }
  if (title === undefined) return problemPage(site, 400, text('bad-title', typed))
  if (!store.pageLinks.isComplete()) return problemPage(site, 503, text('links-not-ready'))
  const page = context.pages.find(title)
  const targets = page === undefined ? [] : store.pageLinks.from(page.pageId, 'link')
  const latest = targets
    .slice(0, MAX_TARGETS)
    .flatMap(({ namespace, name }) => context.pages.find({ namespace, dbkey: name }) ?? [])
    .toSorted((a, b) => b.latestTimestamp - a.latestTimestamp || b.latestId - a.latestId)
  const key = prefixedKey(title, namespaces)
  const name = shownTitle(title, visit)
  const link = html`<a href="${links.page(key)}"><bdi>${name}</bdi></a>`
  const content = changeList({
    site: visit.site,
    intro: html`<p>
      ${sentence('related-legend', link)}
      ${targets.length > MAX_TARGETS && text('related-cut', MAX_TARGETS)}
    </p>`,
    revisions: latest
      .slice(0, CHANGES_PER_PART)
      .flatMap(({ latestId, pageId }) => listed({ revisionId: latestId, pageId }, store, visit) ?? []),
    nothing: text('related-none'),
    newest: undefined,
    older: undefined,
    linkTo: linkTargets(visit, context),
  })
  const own = links.special('RecentChangesLinked', {}, key)
  return pageReply(specialShell(visit, wordOf(site, 'related-heading', name), own), content)
}

/** Where a part begins: seconds since 1970, a dot, and the id of a revision. Throws a paramvalidator error. */
export function placeOf(query: URLSearchParams): Place | undefined {
  const given = query.get('offset')
  if (given === null || given === '') return undefined
  const [, timestamp, id] = /^(\d{1,10})\.(\d{1,10})$/.exec(given) ?? []
  const place = { timestamp: Number(timestamp), id: Number(id) }
  if (!(place.timestamp <= 0xffffffff && place.id <= 0xffffffff))
    throw parameterError('badinteger', 'offset', given)
  return place
}

const isNewer = (one: Change, other: Change): boolean =>
  (one.timestamp - other.timestamp || one.revisionId - other.revisionId) > 0

type RevisionStore = Pick<Store, 'getRevision' | 'getPageById'>

function partOf(
  changes: Iterable<Change>,
  store: RevisionStore,
  visit: Visit,
  isWanted: (change: ListedChange) => boolean,
): { revisions: ListedChange[]; next: string | undefined } {
  const revisions: ListedChange[] = []
  let read = 0
  for (const change of changes) {
    if (revisions.length === CHANGES_PER_PART || read++ === MAX_READ)
      return { revisions, next: `${change.timestamp}.${change.revisionId}` }
    const shown = listed(change, store, visit)
    if (shown !== undefined && isWanted(shown)) revisions.push(shown)
  }
  return { revisions, next: undefined }
}

function listed(
  { revisionId, pageId }: Pick<Change, 'revisionId' | 'pageId'>,
  store: RevisionStore,
  visit: Visit,
): ListedChange | undefined {
  const row = store.getRevision(revisionId)
  const page = store.getPageById(pageId)
  if (row === undefined || page === undefined) return undefined
  const key = prefixedKey(page, visit.namespaces)
  return { ...shownRevision(row, key, visit), title: shownTitle(page, visit) }
}
