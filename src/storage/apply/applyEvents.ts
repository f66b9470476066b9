/** Takes entries of the wiki's public log from a dump. */
import type { EventValue, LogEvent } from '../../domain/logEvent.js'
import type { Editor } from '../../domain/revision.js'
import { USER, USER_TALK } from '../../domain/namespaceIds.js'
import type { EventsEntry, ImportVerdict } from '../entries/entries.js'
import { decodeLogEvent, type LogEventRow } from '../rows/logEventRows.js'
import { MAX_U32 } from '../rows/keys.js'
import { WHOLE_TABLE } from '../tables/tables.js'
import { noteProgress } from './applyImport.js'
import { isMadeHere, writeEvent } from './publicLog.js'
import type { WriteContext } from './writeContext.js'

/** An entry that is there already follows the dump. */
export function applyEvents(context: WriteContext, entry: EventsEntry): ImportVerdict {
  let isEffective = false
  for (const event of entry.events) isEffective = putEvent(context, event) || isEffective
  if (isEffective) noteProgress(context, entry, 0, 0)
  return { result: 'imported', isEffective, newPages: 0, addedRevisions: 0 }
}

function putEvent(context: WriteContext, event: LogEvent): boolean {
  const { id, performer, comment = null, title = null } = event
  // An entry that was made here keeps its id, as revisions do.
  if (isMadeHere(context.tables, id)) return false
  const actorId = performer === undefined ? 0 : context.actorId(performer)
  const user = newUser(event)
  if (user !== undefined) context.actorId(user)
  return writeEvent(context.tables, id, { ...event, actorId, comment, title })
}

/** The account that an entry tells of: its name leads to it, though it has no edits. */
function newUser({ type, title, params }: LogEvent): Editor | undefined {
  if (type !== 'newusers' || title?.namespace !== USER || params === null || typeof params !== 'object')
    return undefined
  const { '4::userid': stored, userid = stored } = params as Readonly<Record<string, EventValue>>
  const isId = typeof userid === 'number' && Number.isInteger(userid) && userid >= 1 && userid < MAX_U32
  return isId ? { id: userid, name: title.dbkey.replaceAll('_', ' ') } : undefined
}

/**
 * Takes a user out of imported entries: these lose the titles of the user's own pages, with the parameters, which may
 * name the user, too. Names of performers go with the actors. Entries that were made here go with their pages. It reads
 * all entries.
 */
export function eraseFromEvents({ tables }: WriteContext, names: readonly string[]): void {
  const titles = new Set(names.map((name) => name.replaceAll(' ', '_')))
  const isOfUser = ({ title }: LogEventRow): boolean =>
    title !== null &&
    (title.namespace === USER || title.namespace === USER_TALK) &&
    titles.has(title.dbkey.split('/', 1)[0]!)
  // An open range does not survive writes.
  for (const id of [...tables.logEvent.getKeys(WHOLE_TABLE)]) {
    const event = decodeLogEvent(tables.logEvent.getBinary(id)!)
    if (event.made === undefined && isOfUser(event))
      writeEvent(tables, id, { ...event, title: null, comment: null, params: [] })
  }
}
