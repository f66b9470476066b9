/** `Special:WhatLinksHere/{title}`: pages that link to a page, use it as a template or file, or redirect to it. */
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../../domain/title.js'
import { text, wordOf } from '../../../reader/messages.js'
import {
  linkingPages,
  type LinkingPage,
  type LinkUse,
  targetForm,
} from '../../../reader/views/whatLinksHere.js'
import type { Store } from '../../../storage/store.js'
import { merged } from '../../views/merged.js'
import { pageReply, problemPage } from '../pageReply.js'
import { shownTitle } from '../variants.js'
import { numberOf, type Visit, type VisitHandler } from '../visit.js'
import { namespaceChoices } from './lists.js'
import { specialShell } from './viewReply.js'

const PAGES_PER_PART = 50
/** Links to one redirect. */
const PAGES_BELOW = 20
/** Ids to read for a part. A filter that few pages pass takes several parts. */
const MAX_READ = 500
const LAST_ID = 0xffffffff
const USES = ['link', 'template', 'file', 'redirect'] as const satisfies readonly LinkUse[]

type LinkStore = Pick<Store, 'pageLinks' | 'getPageById'>

/** The page that a special page is about: `target` of the query, or the part after the slash. */
export function askedTitle({ query, target, namespaces }: Visit): {
  typed: string
  title: Title | undefined
} {
  const typed = (query.get('target') ?? target).toWellFormed().trim()
  const parsed = parseTitle(typed, namespaces)
  return { typed, title: parsed.ok && parsed.title.namespace >= 0 ? parsed.title : undefined }
}

export const showWhatLinksHere: VisitHandler = (visit, { store }) => {
  const { links, namespaces, query, site } = visit
  const { typed, title } = askedTitle(visit)
  const path = links.special('WhatLinksHere')
  if (typed === '') {
    const form = targetForm(path, { label: text('tool-page'), value: '' })
    return pageReply(specialShell(visit, wordOf(site, 'tool-links'), path), form)
  }
  if (title === undefined) return problemPage(site, 400, text('bad-title', typed))
  if (!store.pageLinks.isComplete()) return problemPage(site, 503, text('links-not-ready'))
  const namespace = numberOf(query, 'namespace')
  const place = { from: numberOf(query, 'from'), before: numberOf(query, 'before') }
  const part = new LinkingPart(visit, store, namespace).read(title, place)
  const key = prefixedKey(title, namespaces)
  const name = shownTitle(title, visit)
  const content = linkingPages({
    site,
    links,
    key,
    title: name,
    asked: prefixedText(title, namespaces),
    namespaces: namespaceChoices(namespaces),
    namespace,
    ...part,
  })
  const own = links.special('WhatLinksHere', { target: key, namespace, ...place })
  return pageReply(specialShell(visit, wordOf(site, 'links-heading', name), own), content)
}

interface Found {
  readonly pageId: number
  readonly uses: readonly LinkUse[]
}

class LinkingPart {
  readonly #visit: Visit
  readonly #store: LinkStore
  readonly #namespace: number | undefined
  #read = 0

  constructor(visit: Visit, store: LinkStore, namespace: number | undefined) {
    this.#visit = visit
    this.#store = store
    this.#namespace = namespace
  }

  /** The part from an id on, or the one that ends below an id. */
  read(
    title: Title,
    { from, before }: { readonly from: number | undefined; readonly before: number | undefined },
  ): { pages: LinkingPage[]; before: number | undefined; from: number | undefined } {
    const isDown = before !== undefined
    const start = isDown ? before - 1 : Math.min(from ?? 0, LAST_ID)
    const { found, next } = this.#collect(title, Math.min(start, LAST_ID), isDown, PAGES_PER_PART)
    const pages = found.map((each) => this.#shown(each))
    if (isDown)
      return { pages: pages.reverse(), from: before, before: next === undefined ? undefined : next + 1 }
    const hasBefore = start > 0 && !this.#idsOf(title, start - 1, true).next().done
    return { pages, from: next, before: hasBefore ? start : undefined }
  }

  /** Sources that pass the filter. `next`: the id to go on with. */
  #collect(
    title: Title,
    start: number,
    isDown: boolean,
    most: number,
  ): { found: Found[]; next: number | undefined } {
    const found: Found[] = []
    for (const each of this.#idsOf(title, start, isDown)) {
      if (found.length === most || this.#read++ >= MAX_READ) return { found, next: each.pageId }
      const page = this.#store.getPageById(each.pageId)
      if (page === undefined || (this.#namespace !== undefined && page.namespace !== this.#namespace))
        continue
      found.push(each)
    }
    return { found, next: undefined }
  }

  #shown({ pageId, uses }: Found, isBelow = false): LinkingPage {
    const { namespaces } = this.#visit
    const page = this.#store.getPageById(pageId)!
    const below =
      uses.includes('redirect') && !isBelow
        ? this.#collect(page, 0, false, PAGES_BELOW)
        : { found: [], next: undefined }
    return {
      key: prefixedKey(page, namespaces),
      title: shownTitle(page, this.#visit),
      uses,
      below: below.found.map((each) => this.#shown(each, true)),
      hasMoreBelow: below.next !== undefined,
    }
  }

  /** Ids of all kinds in their order, each once. */
  *#idsOf({ namespace, dbkey }: Title, start: number, isDown: boolean): Generator<Found, void> {
    if (start < 0) return
    const lists = USES.map((use) => this.#ids(use, { namespace, name: dbkey }, start, isDown))
    let open: { readonly pageId: number; readonly uses: LinkUse[] } | undefined
    for (const { use, pageId } of merged(lists, (one, other) =>
      isDown ? one.pageId > other.pageId : one.pageId < other.pageId,
    )) {
      if (open?.pageId === pageId) open.uses.push(use)
      else {
        if (open !== undefined) yield open
        open = { pageId, uses: [use] }
      }
    }
    if (open !== undefined) yield open
  }

  *#ids(
    use: LinkUse,
    target: { readonly namespace: number; readonly name: string },
    start: number,
    isDown: boolean,
  ): Generator<{ readonly use: LinkUse; readonly pageId: number }, void> {
    const index = this.#store.pageLinks
    if (!isDown) {
      for (const pageId of index.to(use, target, start)) yield { use, pageId }
      return
    }
    const { namespace, name } = target
    const range = { from: name, to: name, descending: true, fromPage: start }
    for (const { pageId } of index.uses(use, namespace, range)) yield { use, pageId }
  }
}
