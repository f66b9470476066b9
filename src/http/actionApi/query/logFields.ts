/** Entries of the log as answers show them. */
import type { EventValue } from '../../../domain/logEvent.js'
import { formatTimestamp, parseTimestamp } from '../../../domain/timestamp.js'
import { parseTitle } from '../../../domain/title.js'
import type { ListedEvent } from '../../../storage/changes/logEventReader.js'
import { type Fields, Table } from '../frame/values.js'
import { titleFields } from '../pageSet/pageSet.js'
import type { QueryCall } from './module.js'

interface Names {
  readonly wiki: Pick<QueryCall['wiki'], 'namespaces'>
}

type Params = Readonly<Record<string, EventValue>>

/** Old entries have a list of texts, which says nothing without its type. */
const paramsIn = ({ params }: ListedEvent): Params =>
  params !== null && typeof params === 'object' && !Array.isArray(params) ? (params as Params) : {}

/** The revision that an entry made. */
export function revisionOf(event: ListedEvent): number | undefined {
  const id = paramsIn(event)['associated_rev_id']
  return typeof id === 'number' ? id : undefined
}

/** Types whose entries are about users or tags, whose titles are no pages. */
const WITHOUT_PAGE = new Set(['newusers', 'block', 'rights', 'managetags'])

/** The page that the title names now, and the page of then: 0 for none. */
export function pagesOf(event: ListedEvent, { context }: QueryCall): { now: number; then: number } {
  const { title, type } = event
  const isPage = title !== undefined && title.namespace >= 0
  const now = !isPage ? 0 : (context.store.getPage(title.namespace, title.dbkey)?.pageId ?? 0)
  const revisionId = revisionOf(event)
  const revision = revisionId === undefined ? undefined : context.store.getRevision(revisionId)
  const then = event.made?.pageIds[0] ?? revision?.pageId ?? now
  return { now, then: WITHOUT_PAGE.has(type) ? 0 : then }
}

/** `4::target`, `5:bool:cascade` and `:assoc:count` are `target`, `cascade` and `count`. */
const PREFIX = /^\d*:[a-z-]*:/

export function paramFields(event: ListedEvent, call: Names): Table {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(paramsIn(event))) {
    const name = key.replace(PREFIX, '')
    if (name !== 'associated_rev_id') Object.assign(fields, paramField(name, value, event, call))
  }
  return new Table(fields)
}

const textOf = (value: EventValue): string => (typeof value === 'string' ? value : '')

function paramField(name: string, value: EventValue, { type, params }: ListedEvent, call: Names): Fields {
  switch (`${type} ${name}`) {
    case 'move target':
      return targetFields(textOf(value), call)
    case 'protect oldtitle':
      return targetFields(textOf(value), call, 'oldtitle')
    case 'move noredir':
      return { suppressredirect: value === '1' || value === 1 || value === true }
    case 'block flags':
      return { flags: typeof value === 'string' ? value.split(',').filter((flag) => flag !== '') : value }
    case 'protect details':
      return {
        details: objectsIn(value).map((detail) => ({ ...detail, expiry: expiryOf(detail['expiry']) })),
      }
    case 'rights oldmetadata':
    case 'rights newmetadata':
      return { [name]: metadata(name, value, params as Params) }
    case 'upload img_timestamp':
      return { [name]: timeOf(textOf(value)) ?? value }
    case 'delete ofield':
      return { old: hiddenParts(Number(value)) }
    case 'delete nfield':
      return { new: hiddenParts(Number(value)) }
    default:
      return { [name]: value }
  }
}

function targetFields(text: string, { wiki }: Names, name = 'target'): Fields {
  const parsed = parseTitle(text, wiki.namespaces)
  if (!parsed.ok) return { [`${name}_title`]: text }
  const { ns, title } = titleFields(parsed.title, wiki.namespaces)
  return { [`${name}_ns`]: ns, [`${name}_title`]: title }
}

const objectsIn = (value: EventValue): Params[] => (Array.isArray(value) ? (value as Params[]) : [])

/** Groups, each with the end of its membership. */
function metadata(name: string, value: EventValue, params: Params): Fields[] {
  const list = name === 'oldmetadata' ? params['4::oldgroups'] : params['5::newgroups']
  const groups = Array.isArray(list) ? (list as readonly EventValue[]) : []
  return objectsIn(value).map(({ expiry = null }, at) => ({
    group: groups[at],
    expiry: expiry === null ? 'infinity' : expiryOf(expiry),
  }))
}

function expiryOf(value: EventValue | undefined): EventValue {
  if (value === undefined || value === null || value === 'infinity') return 'infinite'
  return timeOf(textOf(value)) ?? value
}

function timeOf(digits: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? []
  if (second === undefined) return undefined
  const seconds = parseTimestamp(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return seconds === undefined ? undefined : formatTimestamp(seconds)
}

/** Parts of revisions that a bit field hides. */
const hiddenParts = (bitmask: number): Fields => ({
  bitmask,
  content: (bitmask & 1) > 0,
  comment: (bitmask & 2) > 0,
  user: (bitmask & 4) > 0,
  restricted: (bitmask & 8) > 0,
})
