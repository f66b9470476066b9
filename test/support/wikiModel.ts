/**
 * A wiki as plain data, a follower that makes a store equal to it, and the comparison of both. The follower asks the
 * store what it has, takes the states of a few pages at a time, and applies them as one batch.
 */
import { expect } from 'vitest'
import type { FileFacts } from '../../src/domain/file.js'
import type { Interwiki } from '../../src/domain/interwiki.js'
import { UNPROTECTED } from '../../src/domain/protection.js'
import type { Editor } from '../../src/domain/revision.js'
import type { Site } from '../../src/domain/site.js'
import { formatTimestamp } from '../../src/domain/timestamp.js'
import { titleId } from '../../src/domain/title.js'
import type {
  PresentPage,
  UpstreamName,
  UpstreamPage,
  UpstreamProtection,
  UpstreamRevision,
  UpstreamStates,
} from '../../src/domain/upstream.js'
import type { Store } from '../../src/storage/store.js'
import { history, sha1 } from './store.js'
import type { Following } from './upstream.js'

export interface ModelRevision {
  readonly id: number
  readonly parentId: number
  readonly timestamp: number
  readonly minor: boolean
  readonly contentModel: string
  readonly sizeBytes: number
  /** Undefined: hidden, as are the next two. */
  readonly editor: Editor | undefined
  readonly comment: string | undefined
  readonly text: string | undefined
}

export interface ModelPage {
  readonly id: number
  readonly namespace: number
  readonly dbkey: string
  readonly latestId: number
  readonly redirectTarget: string | null
  readonly revisions: readonly ModelRevision[]
}

export interface WikiModel {
  readonly pages: readonly ModelPage[]
  readonly protections: readonly UpstreamProtection[]
  readonly files: readonly { readonly dbkey: string; readonly facts: FileFacts }[]
  /** Names of all accounts. */
  readonly users: readonly UpstreamName[]
  readonly bots: readonly string[]
  readonly site: Site
  readonly interwiki: readonly Interwiki[]
}

/** Makes a store equal to a wiki, in batches of at most `pagesInBatch` pages in an order of chance. */
export function catchUp(
  following: Following,
  wiki: WikiModel,
  random: () => number,
  pagesInBatch: number,
): void {
  const { store } = following
  const ids = [...new Set([...wiki.pages.map(({ id }) => id), ...store.mirror.pageIds()])]
  for (const ids_ of batchesOf(shuffled(ids, random), pagesInBatch, random)) {
    following.batch({ pages: statesOf(store, wiki, ids_) })
  }
  const { bots, site, interwiki, users } = wiki
  const settings = { bots, site, interwiki, ...factsOf(store, wiki), renames: users }
  const parts = Object.entries(settings) as [keyof UpstreamStates, unknown][]
  for (const some of batchesOf(shuffled(parts, random), parts.length, random)) {
    following.batch(Object.fromEntries(some))
  }
}

function* batchesOf<Item>(items: readonly Item[], most: number, random: () => number): Generator<Item[]> {
  for (let at = 0; at < items.length;) {
    const count = 1 + Math.floor(random() * most)
    yield items.slice(at, (at += count))
  }
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** States of some pages that make the store equal to the wiki. */
export function statesOf(store: Store, wiki: WikiModel, pageIds: readonly number[]): UpstreamPage[] {
  const homes = new Map(
    wiki.pages.flatMap(({ id, revisions }) => revisions.map((one) => [one.id, id] as const)),
  )
  return pageIds.map((id) => {
    const page = wiki.pages.find((one) => one.id === id)
    return page === undefined ? { id, gone: true } : stateOf(store, page, homes)
  })
}

function stateOf({ mirror }: Store, page: ModelPage, homes: ReadonlyMap<number, number>): PresentPage {
  const { id, namespace, dbkey, latestId, redirectTarget, revisions } = page
  const here = [...mirror.historyIds(id, { timestamp: 0, id: 0 }, { timestamp: 0xffffffff, id: 0xffffffff })]
  const known = revisions.map((revision) => ({ revision, stored: mirror.revision(revision.id) }))
  const add = known.filter(({ stored }) => stored === undefined).map(({ revision }) => revision)
  return {
    id,
    namespace,
    dbkey,
    latestId,
    redirectTarget,
    add: add.map((revision) => incoming(revision, add)),
    take: known
      .filter(({ stored }) => stored !== undefined && stored.pageId !== id)
      .map(({ revision }) => revision.id),
    remove: here.filter((one) => !homes.has(one)),
    change: known
      .filter(({ revision: { editor, comment, text }, stored }) => {
        if (stored === undefined) return false
        const shown = { editor, comment, sha1: text === undefined ? undefined : sha1(text) }
        const has = { editor: stored.editor, comment: stored.comment, sha1: stored.sha1 }
        return JSON.stringify(shown) !== JSON.stringify(has)
      })
      .map(({ revision: { id: changed, editor, comment, text } }) => ({
        id: changed,
        editor,
        comment,
        isTextShown: text !== undefined,
        ...(text !== undefined && mirror.text(changed) === undefined && { text }),
      })),
  }
}

/** Takes the text of an earlier revision with the same one, as followers do. */
function incoming(revision: ModelRevision, added: readonly ModelRevision[]): UpstreamRevision {
  const { sizeBytes, text, ...facts } = revision
  const earlier = added
    .slice(0, added.indexOf(revision))
    .find((one) => text !== undefined && one.text === text)
  return {
    ...facts,
    text: earlier === undefined ? text : undefined,
    statedSizeBytes: sizeBytes,
    statedSha1: undefined,
    ...(earlier !== undefined && { sameTextAs: earlier.id }),
  }
}

function factsOf(
  { mirror }: Store,
  { protections, files }: WikiModel,
): Pick<UpstreamStates, 'protections' | 'files'> {
  const isProtected = new Set(protections.map(titleId))
  const hasFile = new Set(files.map(({ dbkey }) => dbkey))
  const lifted = [...mirror.protectedTitles()].filter((title) => !isProtected.has(titleId(title)))
  const removed = [...mirror.files()].filter((dbkey) => !hasFile.has(dbkey))
  return {
    protections: [...protections, ...lifted.map((title) => ({ ...title, ...UNPROTECTED, expires: null }))],
    files: [...files, ...removed.map((dbkey) => ({ dbkey, facts: null }))],
  }
}

/** Compares everything that a store shows with the wiki. */
export function expectEqual(store: Store, wiki: WikiModel): void {
  const { mirror } = store
  const ids = [...mirror.pageIds()]
  expect(ids.map((id) => shownPage(store, id))).toEqual(wiki.pages.map(modelPage).sort((a, b) => a.id - b.id))
  const protections = [...mirror.protectedTitles()].map((title) => ({
    ...title,
    ...mirror.protection(title),
  }))
  const byTitle = (one: { namespace: number; dbkey: string }): string => titleId(one)
  expect(new Map(protections.map((one) => [byTitle(one), one]))).toEqual(
    new Map(wiki.protections.map((one) => [byTitle(one), one])),
  )
  expect(new Map([...mirror.files()].map((dbkey) => [dbkey, mirror.file(dbkey)]))).toEqual(
    new Map(wiki.files.map(({ dbkey, facts }) => [dbkey, facts])),
  )
  const { bots, ...site } = store.site()
  expect(bots).toEqual([...wiki.bots].sort())
  expect({ ...site, interwiki: undefined }).toEqual({ ...wiki.site, bots: undefined })
  const map = [...wiki.interwiki].sort((a, b) => (a.prefix < b.prefix ? -1 : 1))
  expect([...store.interwiki().values()]).toEqual(map)
}

function shownPage(store: Store, pageId: number) {
  const page = store.mirror.page(pageId)!
  const row = page.title && store.getPage(page.title.namespace, page.title.dbkey)
  const source = row && (JSON.parse(`${row.source.toString()}}`) as { source?: string }).source
  return {
    id: pageId,
    title: page.title,
    latestId: page.latestId,
    redirectTarget: page.redirectTarget,
    source,
    revisions: history(store, pageId).map(({ delta: _delta, ...revision }) => {
      const { contentModel, parentId } = store.getRevision(revision.id)!
      return { ...revision, contentModel, parentId, text: store.getText(revision.id) }
    }),
  }
}

function modelPage({ id, namespace, dbkey, latestId, redirectTarget, revisions }: ModelPage) {
  return {
    id,
    title: { namespace, dbkey },
    latestId,
    redirectTarget,
    source: revisions.find((one) => one.id === latestId)!.text,
    revisions: [...revisions]
      .sort((a, b) => a.timestamp - b.timestamp || a.id - b.id)
      .map((one) => ({
        id: one.id,
        timestamp: formatTimestamp(one.timestamp),
        minor: one.minor,
        size: one.sizeBytes,
        comment: one.comment ?? null,
        user: one.editor ?? null,
        contentModel: one.contentModel,
        parentId: one.parentId,
        text: one.text,
      })),
  }
}
