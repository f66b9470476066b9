/** `list=backlinks`, `embeddedin` and `imageusage`: pages that name one page. */
import { FILE } from '../../../../domain/namespaceIds.js'
import { parseTitle, type Title } from '../../../../domain/title.js'
import type { PageSummary } from '../../../../storage/store.js'
import type { LinkKind } from '../../../../storage/links/linkReader.js'
import {
  choiceOr,
  continueFrom,
  flag,
  integer,
  limit,
  namespaces,
  text,
  type Values,
} from '../../frame/declaration.js'
import { ActionError, badContinue, invalidTitle, noSuchPage, requireOneOf } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { isRedirect, linkIndex, MAX_READ } from '../linkIndex.js'
import { defineList, type Item, type Listing, type ListModule, type More, type QueryCall } from '../module.js'

/** With `redirect`, as MediaWiki has it. */
const MAX_WITH_REDIRECTS = 250

const common = {
  title: text('the page'),
  pageid: integer('its id'),
  continue: continueFrom(),
  namespace: namespaces('only pages of these namespaces'),
  dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
  filterredir: choiceOr('all', ['all', 'redirects', 'nonredirects'], 'redirects or not'),
  limit: limit(),
}
const redirect = flag('also list the pages that name its redirects')
type Wanted = Values<typeof common> & { readonly redirect: boolean }

interface Source {
  readonly name: string
  readonly prefix: string
  readonly summary: string
}
const module = (source: Source): Source & { readonly isGenerator: true } => ({ ...source, isGenerator: true })

export const backlinks: ListModule = defineList({
  ...module({ name: 'backlinks', prefix: 'bl', summary: 'Pages that link to a page' }),
  parameters: { ...common, redirect },
  run: (call, values) => new SourceWalk('link', values, call).listing(),
})

export const embeddedIn: ListModule = defineList({
  ...module({ name: 'embeddedin', prefix: 'ei', summary: 'Pages that use a template' }),
  parameters: common,
  run: (call, values) => new SourceWalk('template', { ...values, redirect: false }, call).listing(),
})

export const imageUsage: ListModule = defineList({
  ...module({ name: 'imageusage', prefix: 'iu', summary: 'Pages that use a file' }),
  parameters: { ...common, redirect },
  run: (call, values) => new SourceWalk('file', values, call).listing(),
})

/** Throws a missingparam, a nosuchpageid or an invalidtitle. */
export function targetPage(
  { title, pageid }: Pick<Wanted, 'title' | 'pageid'>,
  { wiki, context, module: { prefix } }: QueryCall,
): Title {
  requireOneOf({ [`${prefix}title`]: title, [`${prefix}pageid`]: pageid })
  if (pageid !== undefined) {
    const page = context.store.getPageById(pageid)
    if (page === undefined) throw noSuchPage(pageid)
    return page
  }
  const interwiki = context.store.interwiki()
  const parsed = parseTitle(title ?? '', wiki.namespaces, (name) => interwiki.has(name))
  if (!parsed.ok) throw invalidTitle(title ?? '')
  return parsed.title
}

class SourceWalk {
  readonly #kind: LinkKind
  readonly #wanted: Wanted
  readonly #call: QueryCall
  readonly #target: Title
  readonly #isDescending: boolean
  #read = 0
  /** Of what may still be listed below redirects. */
  #left: number

  constructor(kind: LinkKind, wanted: Wanted, call: QueryCall) {
    this.#kind = kind
    this.#call = call
    this.#target = targetPage(wanted, call)
    this.#isDescending = wanted.dir === 'descending'
    this.#wanted = wanted.redirect ? { ...wanted, limit: this.#lowered(wanted.limit) } : wanted
    this.#left = this.#wanted.limit
    if (kind === 'file' && this.#target.namespace !== FILE)
      throw new ActionError('bad_image_title', `The title for "${call.module.name}" must be a file.`)
  }

  #lowered(most: number): number {
    const { limits, module: reader, warnings } = this.#call
    if (most <= MAX_WITH_REDIRECTS) return most
    const name = `${reader.prefix}limit`
    if (limits.has(reader.name)) limits.set(reader.name, MAX_WITH_REDIRECTS)
    else {
      const text = `The value "${most}" for parameter "${name}" must be between 1 and ${MAX_WITH_REDIRECTS}.`
      warnings.add(reader.path, 'outofrange', text)
    }
    return MAX_WITH_REDIRECTS
  }

  listing(): Listing {
    const { continue: given, limit: most, redirect: isDeep } = this.#wanted
    const { fromPage, fromBelow } = given === undefined ? {} : startOf(given)
    const items: Item[] = []
    let count = 0
    for (const [pageId, page] of this.#sources(this.#target, fromPage)) {
      const isThere = page !== undefined && this.#isShown(page, isDeep ? 'upper' : 'only')
      if (this.#read > MAX_READ || (isThere && count === most)) return { items, more: moreOf(pageId) }
      if (!isThere) continue
      count++
      const below: Item[] = []
      const start = pageId === fromPage ? fromBelow : undefined
      const more = isDeep && isRedirect(page) ? this.#addBelow(page, start, below) : undefined
      items.push(this.#item(page, below))
      if (this.#call.isGenerator) items.push(...below)
      if (more !== undefined) return { items, more }
    }
    return { items }
  }

  /** Pages that name a redirect. Returns where to go on if there is no room for them all. */
  #addBelow(redirectPage: PageSummary, start: number | undefined, below: Item[]): More | undefined {
    for (const [pageId, page] of this.#sources(redirectPage, start)) {
      const isThere = page !== undefined && this.#isShown(page, 'lower')
      if (this.#read > MAX_READ || (isThere && this.#left === 0))
        return { continue: `${redirectPage.pageId}|${pageId}` }
      if (!isThere) continue
      this.#left--
      below.push(this.#item(page, []))
    }
    return undefined
  }

  *#sources(
    { namespace, dbkey: name }: Title,
    from: number | undefined,
  ): Generator<[pageId: number, page: PageSummary | undefined], void> {
    const index = linkIndex(this.#call)
    const { store } = this.#call.context
    if (namespace < 0) return
    if (!this.#isDescending) {
      for (const pageId of index.to(this.#kind, { namespace, name }, from)) yield this.#counted(pageId, store)
      return
    }
    const range = { from: name, to: name, descending: true, ...(from !== undefined && { fromPage: from }) }
    for (const { pageId } of index.uses(this.#kind, namespace, range)) yield this.#counted(pageId, store)
  }

  #counted(
    pageId: number,
    store: QueryCall['context']['store'],
  ): [pageId: number, page: PageSummary | undefined] {
    this.#read++
    return [pageId, store.getPageById(pageId)]
  }

  /** With `redirect`, `nonredirects` concerns the pages below redirects alone. */
  #isShown(page: PageSummary, level: 'only' | 'upper' | 'lower'): boolean {
    const { namespace, filterredir } = this.#wanted
    if (namespace?.includes(page.namespace) === false) return false
    if (filterredir === 'all' || (filterredir === 'nonredirects' && level === 'upper')) return true
    return isRedirect(page) === (filterredir === 'redirects')
  }

  #item(page: PageSummary, below: readonly Item[]): Item {
    const fields: Fields = {
      pageid: page.pageId,
      ...titleFields(page, this.#call.wiki.namespaces),
      ...(isRedirect(page) && { redirect: true }),
      ...(below.length > 0 && { redirlinks: below.map((item) => item.fields) }),
    }
    return { pageId: page.pageId, fields }
  }
}

const moreOf = (pageId: number): More => ({ continue: pageId })

/** Of a page, and of a page below a redirect. */
function startOf(given: string): { fromPage: number; fromBelow: number | undefined } {
  const [, page, below] = /^(\d{1,10})(?:\|(\d{1,10}))?$/.exec(given) ?? []
  if (page === undefined) throw badContinue()
  return { fromPage: Number(page), fromBelow: below === undefined ? undefined : Number(below) }
}
