/** Revisions of the store as views show them. */
import type { Editor } from '../../../domain/revision.js'
import type { ShownRevision, ShownUser } from '../../../reader/views/revision.js'
import type { RevisionRow } from '../../../storage/store.js'
import type { Visit } from '../visit.js'
import { userPages } from './parameters.js'

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
  place: Pick<Visit, 'namespaces' | 'links'>,
): ShownRevision {
  const { comment, user, delta } = JSON.parse(row.json.toString()) as RevisionParts
  const { id, timestamp, textHidden, minor, bot, reverted, parentId, sizeBytes } = row
  return {
    links: place.links,
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

function shownUser(
  { name }: Editor,
  anonymous: boolean,
  place: Pick<Visit, 'namespaces' | 'links'>,
): ShownUser {
  const pages = anonymous ? undefined : userPages(name, place)
  return pages === undefined ? { name } : { name, pages }
}
