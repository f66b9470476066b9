/** `prop=links` and `templates`: pages that pages name. */
import { titleId } from '../../../../domain/title.js'
import type { LinkTarget } from '../../../../storage/links/linkReader.js'
import { choiceOr, continueFrom, limit, namespaces, type Parameter, texts } from '../../frame/declaration.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { chosenTitles, linkIndex, MAX_TARGETS_READ } from '../linkIndex.js'
import { placeOf } from '../places.js'
import { defineListedProp, type Item, type Listing, type QueryCall } from '../module.js'

const common = {
  namespace: namespaces('only targets in these namespaces'),
  limit: limit(),
  continue: continueFrom(),
  dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
}
const only: Parameter<readonly string[] | undefined> = texts('only these targets')

export const links = defineListedProp({
  name: 'links',
  prefix: 'pl',
  summary: 'Pages that pages link to',
  isGenerator: true,
  parameters: { ...common, titles: only },
  run: (call, { titles, ...values }) => targetsOf('link', { ...values, only: titles }, call),
})

export const templates = defineListedProp({
  name: 'templates',
  prefix: 'tl',
  summary: 'Templates and modules that pages use',
  isGenerator: true,
  parameters: { ...common, templates: only },
  run: (call, { templates: titles, ...values }) => targetsOf('template', { ...values, only: titles }, call),
})

interface Wanted {
  readonly namespace: readonly number[] | undefined
  readonly limit: number
  readonly continue: string | undefined
  readonly dir: 'ascending' | 'descending'
  readonly only: readonly string[] | undefined
}

function targetsOf(kind: 'link' | 'template', wanted: Wanted, call: QueryCall): Listing {
  const { namespace, limit: most, continue: given, dir } = wanted
  const index = linkIndex(call)
  const chosen = chosenTitles(wanted.only, call)
  const names = chosen && new Set(chosen.map(titleId))
  const place = given === undefined ? undefined : placeOf(given, 2)
  const [fromPage = 0, fromNamespace = 0] = place?.numbers ?? []
  const isDescending = dir === 'descending'
  const isSkipped = (target: LinkTarget): boolean => {
    const order = target.namespace - fromNamespace || compare(target.name, place?.name ?? '')
    return isDescending ? order > 0 : order < 0
  }
  const items: Item[] = []
  let read = 0
  for (const entry of call.pages.existing()) {
    const { pageId } = entry.page
    if (pageId < fromPage) continue
    if (read > MAX_TARGETS_READ) return { items, more: { continue: firstOf(pageId, isDescending) } }
    const targets = index.from(pageId, kind)
    read += targets.length + 1
    if (isDescending) targets.reverse()
    for (const target of targets) {
      if (place !== undefined && pageId === fromPage && isSkipped(target)) continue
      if (namespace?.includes(target.namespace) === false) continue
      const title = { namespace: target.namespace, dbkey: target.name }
      if (names?.has(titleId(title)) === false) continue
      if (items.length === most)
        return { items, more: { continue: `${pageId}|${target.namespace}|${target.name}` } }
      items.push({ entry, title, fields: titleFields(title, call.wiki.namespaces) })
    }
  }
  return { items }
}

const firstOf = (pageId: number, isDescending: boolean): string =>
  isDescending ? `${pageId}|${LAST_NAMESPACE}|` : `${pageId}|0|`
const LAST_NAMESPACE = 9_999_999_999

/** In the order of the index. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
