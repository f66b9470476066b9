/** Revisions of the store as views show them, with the links of their users and summaries. */
import type { Editor } from '../../../domain/revision.js'
import type { ShownRevision, ShownUser } from '../../../reader/views/revision.js'
import type { RevisionRow } from '../../../storage/store.js'
import type { Visit } from '../visit.js'
import { interwikiPrefixOf } from '../../../domain/interwiki.js'
import { USER } from '../../../domain/namespaceIds.js'
import { parseTitle, prefixedKey } from '../../../domain/title.js'
import type { LinkTarget } from '../../../reader/views/comment.js'
import type { HttpContext } from '../../routing/route.js'

/** Parts of a revision's ready JSON. */
interface RevisionParts {
  readonly comment: string | null
  readonly user: Editor | null
  readonly delta: number | null
}

/** `key` is the title of the revision's page in URL form. */
export function shownRevision(
  row: RevisionRow,
  key: string,
  place: Pick<Visit, 'namespaces' | 'links' | 'site'>,
): ShownRevision {
  const { comment, user, delta } = JSON.parse(row.json.toString()) as RevisionParts
  const { id, timestamp, textHidden, minor, bot, reverted, parentId, sizeBytes } = row
  return {
    site: place.site,
    links: place.links,
    formats: place.site.formats,
    id,
    key,
    timestamp,
    user: user === null ? undefined : shownUser(user, row.anonymous, place),
    comment: comment ?? undefined,
    textHidden,
    minor,
    bot,
    reverted,
    isNew: parentId === 0,
    sizeBytes,
    // Without a parent, the whole text is the change.
    delta: delta ?? (parentId === 0 ? sizeBytes : undefined),
  }
}

export function shownUser(
  { name }: Editor,
  anonymous: boolean,
  place: Pick<Visit, 'namespaces' | 'links'>,
): ShownUser {
  const pages = anonymous ? undefined : userPages(name, place)
  const contributions = place.links.special('Contributions', {}, name)
  return pages === undefined ? { name, contributions } : { name, contributions, pages }
}

/** Where links in summaries lead: pages of this wiki, whether they exist or not. */
export function linkTargets(
  { namespaces, links }: Pick<Visit, 'namespaces' | 'links'>,
  { store }: Pick<HttpContext, 'store'>,
): LinkTarget {
  return (text) => {
    const parsed = parseTitle(text, namespaces)
    if (!parsed.ok || interwikiPrefixOf(parsed.title, store.interwiki()) !== undefined) return undefined
    return links.page(prefixedKey(parsed.title, namespaces))
  }
}

/** Paths of a user's page and its discussion; undefined for a name that no page can have. */
function userPages(
  name: string,
  { namespaces, links }: Pick<Visit, 'namespaces' | 'links'>,
): { readonly user: string; readonly talk: string } | undefined {
  const parsed = parseTitle(namespaces.keyPrefix(USER) + name, namespaces)
  if (!parsed.ok || parsed.title.namespace !== USER) return undefined
  const { dbkey } = parsed.title
  const path = (namespace: number): string => links.page(prefixedKey({ namespace, dbkey }, namespaces))
  return { user: path(USER), talk: path(USER + 1) }
}
