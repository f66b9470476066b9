/**
 * Applies a page of a source that has only latest revisions, and names redirects without their pages. Such a redirect
 * becomes a page here, with ids that no other wiki gives.
 */
import { prefixedText, type Title } from '../../domain/title.js'
import type { IncomingPage } from '../../domain/page.js'
import { CATEGORY, FILE } from '../../domain/namespaceIds.js'
import type { PageOutcome } from '../entries/entries.js'
import { decodePageRow, viewTitleRow } from '../rows/rows.js'
import { applyPage, NOTHING_DONE } from './applyPage.js'
import type { WriteContext } from './writeContext.js'

/** Ids up to here may come from other wikis. */
const MAX_FOREIGN_ID = 4_000_000_000

type LatestPage = IncomingPage & { readonly redirects: readonly Title[] }

/** Leaves the page out if the store has a later revision of it: the order of two rows of a page does not matter. */
export function applyLatest(
  context: WriteContext,
  incoming: LatestPage,
  hasCome: (pageId: number) => boolean,
): PageOutcome {
  const known = context.tables.page.getBinaryFast(incoming.id)
  const newest = Math.max(...incoming.revisions.map(({ id }) => id))
  if (known !== undefined && decodePageRow(known).latestId > newest) return NOTHING_DONE
  const outcome = applyPage(context, incoming, hasCome)
  if (outcome.rival !== undefined || !hasTitle(context, incoming)) return outcome
  const added = incoming.redirects.filter((title) => addRedirect(context, title, incoming)).length
  return { ...outcome, addedRedirects: added }
}

function hasTitle({ tables }: WriteContext, { id, namespace, dbkey }: IncomingPage): boolean {
  const row = tables.title.getBinaryFast([namespace, dbkey])
  return row !== undefined && viewTitleRow(row).pageId === id
}

/** False if the title has a page. Nobody is named as the editor, since the source does not tell who it was. */
function addRedirect(context: WriteContext, { namespace, dbkey }: Title, target: LatestPage): boolean {
  const { tables, counters, namespaces } = context
  if (tables.title.doesExist([namespace, dbkey])) return false
  const colon = target.namespace === FILE || target.namespace === CATEGORY ? ':' : ''
  const name = prefixedText(target, namespaces)
  const revision = {
    id: Math.max(counters.nextRevisionId, MAX_FOREIGN_ID + 1),
    parentId: undefined,
    timestamp: target.revisions.at(-1)!.timestamp,
    editor: undefined,
    comment: '',
    minor: false,
    contentModel: 'wikitext',
    text: `#REDIRECT [[${colon}${name}]]`,
    statedSizeBytes: undefined,
    statedSha1: undefined,
  }
  const id = Math.max(counters.nextPageId, MAX_FOREIGN_ID + 1)
  applyPage(context, { id, namespace, dbkey, redirectTarget: name, revisions: [revision] })
  return true
}
