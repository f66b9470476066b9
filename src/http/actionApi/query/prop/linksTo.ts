/** `prop=linkshere`, `transcludedin`, `fileusage` and `redirects`: pages that name pages. */
import { FILE } from '../../../../domain/namespaceIds.js'
import { compareTitles, type Title } from '../../../../domain/title.js'
import type { PageSummary } from '../../../../storage/store.js'
import type { LinkKind } from '../../../../storage/links/linkReader.js'
import { choices, choicesOr, continueFrom, limit, namespaces } from '../../frame/declaration.js'
import { badContinue, requireNoContradiction } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { type PageEntry, titleFields } from '../../pageSet/pageSet.js'
import { isRedirect, linkIndex, MAX_READ } from '../linkIndex.js'
import {
  defineListedProp,
  type Item,
  type Listing,
  type ListedPropModule,
  type QueryCall,
} from '../module.js'

interface Wanted {
  readonly namespace: readonly number[] | undefined
  readonly limit: number
  readonly continue: string | undefined
}

const common = {
  namespace: namespaces('only pages of these namespaces'),
  limit: limit(),
  continue: continueFrom(),
}

interface Source {
  readonly name: string
  readonly prefix: string
  readonly summary: string
  readonly kind: LinkKind
}

const linksOf = ({ kind, ...module }: Source): ListedPropModule =>
  defineListedProp({
    ...module,
    isGenerator: true,
    parameters: {
      ...common,
      prop: choicesOr(['pageid', 'title', 'redirect'], ['pageid', 'title', 'redirect'], 'what to tell'),
      show: choices(['redirect', '!redirect'], 'only redirects, or none'),
    },
    run(call, { prop, show, ...wanted }) {
      requireNoContradiction(show)
      const isShown = (page: PageSummary): boolean =>
        show === undefined || show.length === 0 || isRedirect(page) === show.includes('redirect')
      const fieldsOf = (page: PageSummary): Fields => ({
        ...basicFields(page, prop, call),
        ...(prop.includes('redirect') && { redirect: isRedirect(page) }),
      })
      return sourcesOf(kind, wanted, { isShown, fieldsOf }, call)
    },
  })

export const linksHere = linksOf({
  name: 'linkshere',
  prefix: 'lh',
  summary: 'Pages that link to pages',
  kind: 'link',
})
export const transcludedIn = linksOf({
  name: 'transcludedin',
  prefix: 'ti',
  summary: 'Pages that use templates',
  kind: 'template',
})
export const fileUsage = linksOf({
  name: 'fileusage',
  prefix: 'fu',
  summary: 'Pages that use files',
  kind: 'file',
})

export const redirects = defineListedProp({
  name: 'redirects',
  prefix: 'rd',
  summary: 'Redirects to pages',
  isGenerator: true,
  parameters: {
    ...common,
    prop: choicesOr(['pageid', 'title'], ['pageid', 'title', 'fragment'], 'what to tell'),
    show: choices(['fragment', '!fragment'], 'only redirects to sections, or none'),
  },
  run(call, { prop, show, ...wanted }) {
    requireNoContradiction(show)
    const isShown = (page: PageSummary): boolean =>
      show === undefined || show.length === 0 || (fragmentOf(page) !== '') === show.includes('fragment')
    const fieldsOf = (page: PageSummary): Fields => ({
      ...basicFields(page, prop, call),
      ...(prop.includes('fragment') && fragmentOf(page) !== '' && { fragment: fragmentOf(page) }),
    })
    return sourcesOf('redirect', wanted, { isShown, fieldsOf }, call)
  },
})

/** The section that a redirect leads to. */
export const fragmentOf = ({ redirectTarget = '' }: PageSummary): string =>
  redirectTarget.includes('#') ? redirectTarget.slice(redirectTarget.indexOf('#') + 1) : ''

function basicFields(page: PageSummary, prop: readonly string[], { wiki }: QueryCall): Fields {
  return {
    ...(prop.includes('pageid') && { pageid: page.pageId }),
    ...(prop.includes('title') && titleFields(page, wiki.namespaces)),
  }
}

interface Rules {
  isShown(page: PageSummary): boolean
  fieldsOf(page: PageSummary): Fields
}

type TitledEntry = PageEntry & { readonly title: Title }

/** Target by target in the order of titles, each with its sources by id. */
function sourcesOf(kind: LinkKind, wanted: Wanted, rules: Rules, call: QueryCall): Listing {
  const { namespace, limit: most, continue: given } = wanted
  const index = linkIndex(call)
  const targets = call.pages
    .titled()
    .filter(({ title }) => kind !== 'file' || title.namespace === FILE)
    .sort((one, other) => compareTitles(one.title, other.title))
  const start = given === undefined ? undefined : startOf(given)
  const items: Item[] = []
  let read = 0
  for (const entry of targets) {
    const order = start === undefined ? 1 : compareTitles(entry.title, start.title)
    if (order < 0) continue
    const fromPage = order === 0 ? start!.pageId : 0
    const target = { namespace: entry.title.namespace, name: entry.title.dbkey }
    for (const pageId of index.to(kind, target, fromPage)) {
      const more = { continue: placeText(entry, pageId) }
      if (read++ === MAX_READ) return { items, more }
      const page = call.context.store.getPageById(pageId)
      if (page === undefined || namespace?.includes(page.namespace) === false || !rules.isShown(page))
        continue
      if (items.length === most) return { items, more }
      items.push({ entry, pageId, fields: rules.fieldsOf(page) })
    }
  }
  return { items }
}

const placeText = ({ title: { namespace, dbkey } }: TitledEntry, pageId: number): string =>
  `${namespace}|${dbkey}|${pageId}`

function startOf(given: string): { title: Title; pageId: number } {
  const [, namespace, dbkey, id] = /^(\d{1,10})\|([^|]+)\|(\d{1,10})$/.exec(given) ?? []
  if (dbkey === undefined) throw badContinue()
  return { title: { namespace: Number(namespace), dbkey }, pageId: Number(id) }
}
