/** Where lists begin and go on: titles that clients write, and values of `continue`. */
import { parseTitle } from '../../../domain/title.js'
import { badContinue, invalidTitle } from '../frame/problems.js'
import type { Item, Listing, QueryCall } from './module.js'

/** Key of a title within a namespace, whose prefix it does not have. Throws an invalidtitle. */
export function keyOf(given: string, namespace: number, { wiki }: QueryCall): string {
  const { namespaces } = wiki
  const parsed = parseTitle(namespaces.keyPrefix(namespace) + given, namespaces)
  if (!parsed.ok || parsed.title.namespace !== namespace) throw invalidTitle(given)
  return parsed.title.dbkey
}

/** The same for the beginning of titles, which may end with a blank. */
export function prefixKeyOf(given: string, namespace: number, call: QueryCall): string {
  const { namespaces } = call.wiki
  const parsed = parseTitle(`${namespaces.keyPrefix(namespace)}${given}x`, namespaces)
  if (!parsed.ok || parsed.title.namespace !== namespace) throw invalidTitle(given)
  return parsed.title.dbkey.slice(0, -1)
}

/** The numbers and the name in a value of `continue`: `41|0|Name`. Throws a badcontinue. */
export function placeOf(given: string, numbers: number): { numbers: number[]; name: string } {
  const parts = given.split('|')
  const [digits, rest] = [parts.slice(0, numbers), parts.slice(numbers)]
  if (rest.length === 0 || digits.length < numbers || !digits.every((part) => /^\d{1,10}$/.test(part)))
    throw badContinue()
  return { numbers: digits.map(Number), name: rest.join('|') }
}

/** A value of `continue` that is a number. Throws a badcontinue. */
export function numberOf(given: string): number {
  if (!/^\d{1,10}$/.test(given)) throw badContinue()
  return Number(given)
}

export type Direction = 'ascending' | 'descending'

interface Wanted {
  readonly limit: number
  readonly continue: string | undefined
  readonly dir: Direction
}

type ExistingPage = ReturnType<QueryCall['pages']['existing']>[number]

/** Named rows of a page: one name stands once. */
interface NamedRows<Row> {
  /** In their order. */
  readonly of: (entry: ExistingPage) => readonly Row[] | Promise<readonly Row[]>
  readonly nameOf: (row: Row) => string
  /** The order of names. */
  readonly compare: (one: string, other: string) => number
  /** Undefined: the row is not wanted. */
  readonly itemOf: (row: Row, entry: ExistingPage) => Item | undefined
}

/** The rows of all pages, page after page, from the place in `continue` on, which is `page id|name`. */
export async function listRows<Row>(
  call: QueryCall,
  { limit, continue: given, dir }: Wanted,
  { of, nameOf, compare, itemOf }: NamedRows<Row>,
): Promise<Listing> {
  const place = given === undefined ? undefined : placeOf(given, 1)
  const [fromPage = 0] = place?.numbers ?? []
  const sign = dir === 'ascending' ? 1 : -1
  const items: Item[] = []
  for (const entry of call.pages.existing()) {
    const { pageId } = entry.page
    if (pageId < fromPage) continue
    const rows = await of(entry)
    for (const row of dir === 'ascending' ? rows : rows.toReversed()) {
      const name = nameOf(row)
      if (place !== undefined && pageId === fromPage && sign * compare(name, place.name) < 0) continue
      const item = itemOf(row, entry)
      if (item === undefined) continue
      if (items.length === limit) return { items, more: { continue: `${pageId}|${name}` } }
      items.push(item)
    }
  }
  return { items }
}
