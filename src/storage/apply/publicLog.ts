/** Entries of the wiki's public log: those that changes of pages add, and what erasing takes out of them. */
import type { EventValue } from '../../domain/logEvent.js'
import type { Editor } from '../../domain/revision.js'
import type { Title } from '../../domain/title.js'
import type { RevisionPart } from '../entries/administration.js'
import { madeNaming, madeOfPage } from '../changes/madeEvents.js'
import {
  decodeLogEvent,
  encodeLogEvent,
  eventKeys,
  type LogEventRow,
  type MadeEvent,
} from '../rows/logEventRows.js'
import type { Tables } from '../tables/tables.js'
import type { WriteContext } from './writeContext.js'

const NOTHING = Buffer.alloc(0)
/** The key of the parameter that names the revision of an entry, as in MediaWiki. */
const REVISION = 'associated_rev_id'

interface NewEvent {
  readonly timestamp: number
  readonly type: string
  readonly action: string
  readonly editor: Editor
  readonly comment: string
  readonly title: Title
  /** The revision that the change made. */
  readonly revisionId?: number
  readonly params?: Readonly<Record<string, EventValue>>
  readonly made: MadeEvent
}

/** Adds an entry, and returns its id: the one after the last. */
export function addEvent(context: WriteContext, event: NewEvent): number {
  const { tables } = context
  const { timestamp, type, action, editor, comment, title, revisionId, made } = event
  const params = { ...event.params, ...(revisionId !== undefined && { [REVISION]: revisionId }) }
  const id = lastId(tables) + 1
  const { namespace, dbkey } = title
  writeEvent(tables, id, {
    timestamp,
    type,
    action,
    actorId: context.actorId(editor),
    comment,
    title: { namespace, dbkey },
    params: Object.keys(params).length === 0 ? [] : params,
    made,
  })
  return id
}

function lastId({ logEvent }: Tables): number {
  for (const id of logEvent.getKeys({ start: undefined, reverse: true, limit: 1 })) return id
  return 0
}

/** Writes an entry and its places in the index. False if it is there already. */
export function writeEvent({ logEvent, eventIndex }: Tables, id: number, event: LogEventRow): boolean {
  const row = encodeLogEvent(event)
  const before = logEvent.getBinary(id)
  if (before?.equals(row) === true) return false
  if (before !== undefined)
    for (const key of eventKeys(id, decodeLogEvent(before))) eventIndex.removeSync(key)
  logEvent.putSync(id, row)
  for (const key of eventKeys(id, event)) eventIndex.putSync(key, NOTHING)
  return true
}

/** Tells if an entry was made here; otherwise it came with a dump. */
export function isMadeHere({ logEvent }: Tables, id: number): boolean {
  const row = logEvent.getBinary(id)
  return row !== undefined && decodeLogEvent(row).made !== undefined
}

// -- Erasing -----------------------------------------------------------------------------------------------------

/**
 * A page is erased: its entries keep nothing but what was done, by whom, and when. Entries of other pages that name it
 * keep their titles.
 */
export function hideEventsOfPage(tables: Tables, pageId: number): void {
  for (const [id, event] of madeOfPage(tables, pageId)) {
    const { pageIds } = event.made!
    if (pageIds[0] === pageId) hideSubject(tables, id, event)
    else writeEvent(tables, id, { ...event, comment: null, made: { pageIds } })
  }
}

/** A title is erased. */
export function hideEventsNaming(tables: Tables, title: Title): void {
  for (const [id, event] of madeNaming(tables, title)) hideSubject(tables, id, event)
}

function hideSubject(tables: Tables, id: number, event: LogEventRow): void {
  const { pageIds } = event.made!
  writeEvent(tables, id, { ...event, title: null, comment: null, params: [], made: { pageIds } })
}

/** Comments or users of a page's revisions are erased: entries that say the same lose them too. */
export function hideEventParts(
  tables: Tables,
  { pageId, revisionIds }: { readonly pageId: number; readonly revisionIds: readonly number[] },
  parts: readonly RevisionPart[],
): void {
  for (const [id, event] of madeOfPage(tables, pageId)) {
    const revisionId = (event.params as Readonly<Record<string, EventValue>> | null)?.[REVISION]
    if (typeof revisionId !== 'number' || !revisionIds.includes(revisionId)) continue
    writeEvent(tables, id, {
      ...event,
      ...(parts.includes('comment') && { comment: null }),
      ...(parts.includes('user') && { actorId: 0 }),
    })
  }
}
