/** Checks the wiki's public log, whose index must have each entry and no others, and the list of a mirror's changes. */
import { decodeLogEvent, eventKeys, type LogEventRow } from '../rows/logEventRows.js'
import { readPosition } from '../tables/meta.js'
import { WHOLE_TABLE } from '../tables/tables.js'
import { soundRows, type VerifyContext } from './context.js'

export function checkLogEvents({ tables, report }: VerifyContext): void {
  let wanted = 0
  for (const { key: id, value } of soundRows({ report }, 'logEvent', tables.logEvent)) {
    const event = decoded(value)
    if (event === undefined) {
      report(`log events: entry ${id} cannot be read`)
      continue
    }
    if (event.actorId !== 0 && !tables.actorName.doesExist(event.actorId))
      report(`log events: the performer of entry ${id} is unknown`)
    for (const key of eventKeys(id, event)) {
      wanted++
      if (!tables.eventIndex.doesExist(key)) report(`log events: entry ${id} is not listed under "${key[1]}"`)
    }
  }
  let found = 0
  for (const _row of soundRows({ report }, 'eventIndex', tables.eventIndex)) found++
  if (found !== wanted) report(`log events: ${found} in lists, but the entries account for ${wanted}`)
  if (found !== tables.eventIndex.getKeysCount(WHOLE_TABLE)) report('log events: the index cannot be read')
  checkMirrorChanges({ tables, report })
}

/** The entries that the rows name may be cut off the log. */
function checkMirrorChanges({ tables, report }: Pick<VerifyContext, 'tables' | 'report'>): void {
  const { sequence: last } = readPosition(tables)
  let before = 0
  for (const {
    key: [time, sequence],
  } of soundRows({ report }, 'mirrorChange', tables.mirrorChange)) {
    if (sequence > last) report(`changes of the mirror: entry ${sequence} is not in the log`)
    if (sequence <= before) report(`changes of the mirror: entry ${sequence} of ${time} is out of order`)
    before = sequence
  }
}

function decoded(row: Buffer): LogEventRow | undefined {
  try {
    return decodeLogEvent(row)
  } catch {
    return undefined
  }
}
