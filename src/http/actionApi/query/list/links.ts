/** `list=alllinks`, `alltransclusions`, `allfileusages` and `allredirects`: targets of links in all pages. */
import { FILE, TEMPLATE } from '../../../../domain/namespaceIds.js'
import type { LinkKind } from '../../../../storage/links/linkReader.js'
import {
  choiceOr,
  choicesOr,
  continueFrom,
  flag,
  limit,
  namespaceOr,
  type Parameter,
  text,
  type Values,
} from '../../frame/declaration.js'
import { ActionError } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { linkIndex, MAX_READ } from '../linkIndex.js'
import { defineList, type Item, type Listing, type ListModule, type QueryCall } from '../module.js'
import { fragmentOf } from '../prop/linksTo.js'
import { keyOf, placeOf, prefixKeyOf } from '../places.js'

/** Above all names that begin with a text. */
const LAST = '\u{10ffff}'
const PROPERTIES = ['ids', 'title', 'fragment', 'interwiki'] as const
type Property = (typeof PROPERTIES)[number]

const common = {
  continue: continueFrom(),
  from: text('begin with this title'),
  to: text('end with this title'),
  prefix: text('only titles that begin so'),
  unique: flag('each target once'),
  limit: limit(),
  dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
}
const few: Parameter<readonly ('ids' | 'title')[]> = choicesOr(['title'], ['ids', 'title'], 'what to tell')
type Wanted = Values<typeof common> & { readonly prop: readonly Property[] }

export const allLinks: ListModule = defineList({
  name: 'alllinks',
  prefix: 'al',
  summary: 'Titles that pages link to',
  isGenerator: true,
  parameters: { ...common, prop: few, namespace: namespaceOr(0, 'namespace of the titles') },
  run: (call, { namespace, ...wanted }) => targetsIn('link', namespace, wanted, call),
})

export const allTransclusions: ListModule = defineList({
  name: 'alltransclusions',
  prefix: 'at',
  summary: 'Titles of templates that pages use',
  isGenerator: true,
  parameters: { ...common, prop: few, namespace: namespaceOr(TEMPLATE, 'namespace of the titles') },
  run: (call, { namespace, ...wanted }) => targetsIn('template', namespace, wanted, call),
})

export const allFileUsages: ListModule = defineList({
  name: 'allfileusages',
  prefix: 'af',
  summary: 'Files that pages use',
  isGenerator: true,
  parameters: { ...common, prop: few },
  run: (call, wanted) => targetsIn('file', FILE, wanted, call),
})

export const allRedirects: ListModule = defineList({
  name: 'allredirects',
  prefix: 'ar',
  summary: 'Titles that redirects lead to',
  isGenerator: true,
  parameters: {
    ...common,
    prop: choicesOr(['title'], PROPERTIES, 'what to tell'),
    namespace: namespaceOr(0, 'namespace of the titles'),
  },
  run: (call, { namespace, ...wanted }) => targetsIn('redirect', namespace, wanted, call),
})

function targetsIn(kind: LinkKind, namespace: number, wanted: Wanted, call: QueryCall): Listing {
  requireFitting(wanted, call)
  const { unique, limit: most, continue: given, prop } = wanted
  const index = linkIndex(call)
  const place = given === undefined ? undefined : placeOf(given, 1)
  const range = {
    ...rangeOf(wanted, place?.name, namespace, call),
    ...(place !== undefined && !unique && { fromPage: place.numbers[0]! }),
  }
  const prefix = wanted.prefix ? prefixKeyOf(wanted.prefix, namespace, call) : ''
  const uses = unique ? index.targets(kind, namespace, range) : index.uses(kind, namespace, range)
  const items: Item[] = []
  let read = 0
  for (const use of uses) {
    const pageId = 'pageId' in use ? (use.pageId as number) : undefined
    const more = { continue: `${pageId ?? 0}|${use.name}` }
    if (read++ === MAX_READ) return { items, more }
    // Beginnings are given in UTF-8, and the walk goes on behind them.
    if (!use.name.startsWith(prefix)) continue
    if (pageId !== undefined && call.context.store.getPageById(pageId) === undefined) continue
    if (items.length === most) return { items, more }
    items.push(itemOf(use, pageId, prop, call))
  }
  return { items }
}

/** Throws an invalidparammix for facts of the source of a target that is listed once. */
function requireFitting({ unique, prop }: Wanted, { module }: QueryCall): void {
  const ofSource = prop.find((name) => name !== 'title')
  if (!unique || ofSource === undefined) return
  const { prefix } = module
  const text = `The "${prefix}prop=${ofSource}" parameter cannot be used with "${prefix}unique".`
  throw new ActionError('invalidparammix', text)
}

function rangeOf(
  { from, to, prefix, dir }: Wanted,
  resumed: string | undefined,
  namespace: number,
  call: QueryCall,
): { from: string | undefined; to: string | undefined; descending: boolean } {
  const descending = dir === 'descending'
  const begins = prefix ? prefixKeyOf(prefix, namespace, call) : undefined
  const ends = begins && begins + LAST
  const stated = {
    from: from ? keyOf(from, namespace, call) : undefined,
    to: to ? keyOf(to, namespace, call) : undefined,
  }
  return {
    from: resumed ?? stated.from ?? (descending ? ends : begins),
    to: stated.to ?? (descending ? begins : ends),
    descending,
  }
}

/** A redirect to another wiki has the title, a tab and the prefix. */
function itemOf(
  target: { readonly namespace: number; readonly name: string },
  pageId: number | undefined,
  prop: readonly Property[],
  { wiki, context }: QueryCall,
): Item {
  const [dbkey = '', interwiki] = target.name.split('\t')
  const title = { namespace: target.namespace, dbkey }
  const isPageRead = pageId !== undefined && prop.includes('fragment')
  const page = isPageRead ? context.store.getPageById(pageId) : undefined
  const fragment = page === undefined ? '' : fragmentOf(page)
  const fields: Fields = {
    ...(prop.includes('ids') && { fromid: pageId }),
    ...(prop.includes('title') && titleFields(title, wiki.namespaces)),
    ...(fragment !== '' && { fragment }),
    ...(prop.includes('interwiki') && interwiki !== undefined && { interwiki }),
  }
  return pageId === undefined ? { title, fields } : { pageId, fields }
}
