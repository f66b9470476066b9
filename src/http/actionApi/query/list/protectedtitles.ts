/** `list=protectedtitles`: titles without a page that not everybody may create. */
import { lasts } from '../../frame/call.js'
import type { Title } from '../../../../domain/title.js'
import { formatTimestamp, toSeconds } from '../../../../domain/timestamp.js'
import {
  choiceOr,
  choices,
  choicesOr,
  continueFrom,
  limit,
  namespaces,
  timestamp,
  type Values,
} from '../../frame/declaration.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { LEVELS } from '../../restrictions.js'
import { parsedComment, userFields } from '../../revisionFields.js'
import { MAX_READ } from '../linkIndex.js'
import { defineList, type Item, type QueryCall } from '../module.js'
import { placeOf } from '../places.js'

const parameters = {
  namespace: namespaces('only titles of these namespaces'),
  level: choices(['autoconfirmed', 'sysop'], 'only titles with these levels'),
  limit: limit(),
  dir: choiceOr('older', ['newer', 'older'], 'direction; this server lists by title'),
  start: timestamp('only protections up to this time, or from it on with `dir=newer`'),
  end: timestamp('the other end'),
  prop: choicesOr(
    ['timestamp', 'level'],
    ['timestamp', 'user', 'userid', 'comment', 'parsedcomment', 'expiry', 'level'],
    'what to tell',
  ),
  continue: continueFrom(),
}
type TitleValues = Values<typeof parameters>

export const protectedTitles = defineList({
  name: 'protectedtitles',
  prefix: 'pt',
  summary: 'Titles that cannot be created by everybody',
  isGenerator: true,
  parameters,
  run(call, values) {
    const { store } = call.context
    // A protection ends by itself.
    lasts(call, 60_000)
    const place = values.continue === undefined ? undefined : placeOf(values.continue, 1)
    const from = place && { namespace: place.numbers[0]!, dbkey: place.name }
    const items: Item[] = []
    let read = 0
    for (const title of store.protectedTitles(from, values.dir === 'newer')) {
      const more = { continue: `${title.namespace}|${title.dbkey}` }
      if (read++ === MAX_READ) return { items, more }
      const fields = fieldsOf(title, values, call)
      if (fields === undefined) continue
      if (items.length === values.limit) return { items, more }
      items.push({ title, fields })
    }
    return { items }
  },
})

/** Undefined: not wanted. */
function fieldsOf(title: Title, values: TitleValues, call: QueryCall): Fields | undefined {
  const { store } = call.context
  const { create, expires } = store.getProtection(title, toSeconds(call.nowMs))
  if (create === 'none' || store.getPage(title.namespace, title.dbkey) !== undefined) return undefined
  const level = LEVELS[create]
  const { namespace, level: levels, prop } = values
  if (namespace?.includes(title.namespace) === false || levels?.includes(level) === false) return undefined
  // The log tells when and by whom, if it was imported.
  const [event] = store.logEvents.list({ title, type: 'protect' })
  if (!isWithin(event?.timestamp, values)) return undefined
  const { performer, comment } = event ?? {}
  const wants = (name: string): boolean => prop.includes(name as 'level')
  return {
    ...titleFields(title, call.wiki.namespaces),
    ...(wants('timestamp') && event && { timestamp: formatTimestamp(event.timestamp) }),
    ...(event && userFields(performer, { user: wants('user'), userid: wants('userid') })),
    ...(wants('comment') && comment !== undefined && { comment }),
    ...(wants('parsedcomment') &&
      comment !== undefined && { parsedcomment: parsedComment(comment, title, call) }),
    ...(wants('expiry') && { expiry: expires === null ? 'infinity' : formatTimestamp(expires) }),
    ...(wants('level') && { level }),
  }
}

function isWithin(time: number | undefined, { start, end, dir }: TitleValues): boolean {
  if (start === undefined && end === undefined) return true
  const [low, high] = dir === 'newer' ? [start, end] : [end, start]
  return time !== undefined && time >= (low ?? 0) && time <= (high ?? Infinity)
}
