/** Moves, deletions and what takes them back, as entries for tests: single ones, and by chance. */
import { hash } from 'node:crypto'
import type { FileFacts } from '../../src/domain/file.js'
import { FILE } from '../../src/domain/namespaceIds.js'
import type { Title } from '../../src/domain/title.js'
import { prefixedText } from '../../src/domain/title.js'
import type { Applier } from '../../src/storage/apply/applier.js'
import type { Change, Entry, Verdict } from '../../src/storage/entries/entries.js'
import { eraseAll } from '../../src/storage/erase/eraser.js'
import type { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { expect } from 'vitest'
import { applyChange } from './administration.js'
import { facts } from './files.js'
import { problems, START, temporaryStore } from './store.js'

export const ANN = { id: 7, name: 'Ann' }

export interface Wiki {
  readonly store: Store
  readonly applier: Applier
}

let entries = 0

export function apply({ applier }: Wiki, change: Change): Verdict {
  const id = hash('sha256', `page action ${++entries}`).slice(0, 32)
  return applier.submit({ id, time: START + entries, ...change } as Entry)
}

export const titled = (dbkey: string, namespace = 0): Title => ({ namespace, dbkey })

/** The page under a title, which must be there. */
function pageAt({ store }: Wiki, { namespace, dbkey }: Title) {
  const pageId = store.getPage(namespace, dbkey)?.pageId
  if (pageId === undefined) throw new Error(`no page ${dbkey}`)
  return store.getPageById(pageId)!
}

const TEXT = { editor: ANN, comment: '', minor: false, contentModel: 'wikitext' }

export const create = (wiki: Wiki, title: Title, text: string, comment = ''): Verdict =>
  apply(wiki, { kind: 'create', ...title, ...TEXT, text, comment })

export function edit(wiki: Wiki, title: Title, text: string): Verdict {
  const { pageId, latestId } = pageAt(wiki, title)
  return apply(wiki, { kind: 'edit', pageId, baseRevisionId: latestId, ...TEXT, text })
}

export interface MoveOptions {
  readonly leaves?: boolean
  readonly reason?: string
}

/** Contents by chance, or as they are named, of a file that this store has. */
export const contents = (name: string): Partial<FileFacts> => ({
  sha256: hash('sha256', name),
  sha1: BigInt(`0x${hash('sha1', name)}`)
    .toString(36)
    .padStart(31, '0'),
})

export function upload(wiki: Wiki, dbkey: string, name: string, comment = ''): Verdict {
  const { store } = wiki
  const page = store.getPage(FILE, dbkey) && pageAt(wiki, titled(dbkey, FILE))
  return apply(wiki, {
    kind: 'upload',
    namespace: FILE,
    dbkey,
    ...TEXT,
    comment,
    text: page === undefined ? comment : (store.getText(page.latestId) ?? ''),
    pageId: page?.pageId ?? null,
    baseRevisionId: page?.latestId ?? null,
    file: { dbkey, facts: facts({ ...contents(name), uploader: ANN }) },
  })
}

/** The name of the file that goes with a page. */
const fileAt = ({ store }: Wiki, { namespace, dbkey }: Title): string | undefined =>
  namespace === FILE && store.getOwnFile(dbkey) !== undefined ? dbkey : undefined

/** Over a redirect, if one of a single revision is there. */
export function move(
  wiki: Wiki,
  from: Title,
  to: Title,
  { leaves = true, reason = '' }: MoveOptions = {},
): Verdict {
  const { store } = wiki
  const { pageId, latestId } = pageAt(wiki, from)
  const names = [from, to].map((title) => `[[${prefixedText(title, store.namespaces())}]]`)
  const comment = `Ann moved page ${names[0]} to ${names[1]}: ${reason}`
  const there = store.getPage(to.namespace, to.dbkey)
  const target = there && { pageId: there.pageId, latestId: there.latestId, redirect: there.redirect }
  const file = fileAt(wiki, from)
  const isOverRedirect = target?.redirect === true && store.pageCounts(target.pageId).revisions === 1
  return apply(wiki, {
    kind: 'move',
    ...TEXT,
    pageId,
    baseRevisionId: latestId,
    from,
    ...to,
    minor: true,
    comment,
    text: store.getText(latestId) ?? '',
    reason,
    redirect: leaves ? { ...from, comment, text: `#REDIRECT ${names[1]}` } : null,
    protections: carried(wiki, from, to, leaves),
    replaced: isOverRedirect
      ? { ...to, pageId: target.pageId, latestId: target.latestId, reason: `to make way for ${names[0]}` }
      : null,
    ...(file !== undefined && { file: { from: file, to: to.dbkey } }),
  })
}

export function remove(wiki: Wiki, title: Title, reason = ''): Verdict {
  const { pageId } = pageAt(wiki, title)
  const { create: level, expires } = wiki.store.getProtection(title, 0)
  const protections = [{ ...title, edit: 'none' as const, create: level, expires }]
  const file = fileAt(wiki, title)
  return apply(wiki, {
    kind: 'delete',
    pageId,
    ...title,
    editor: ANN,
    reason,
    protections,
    ...(file !== undefined && { file }),
  })
}

/** The new title is protected as the old one was. */
function carried({ store }: Wiki, from: Title, to: Title, leaves: boolean) {
  const [before, there] = [store.getProtection(from, 0), store.getProtection(to, 0)]
  return [
    ...(leaves ? [] : [{ ...from, edit: 'none' as const, create: before.create, expires: null }]),
    { ...to, ...before, create: there.create },
  ]
}

export function restore(wiki: Wiki, title: Title, reason = ''): Verdict {
  const pageId = wiki.store.deletedUnder(title)[0]?.pageId ?? 4_000_000
  const file = wiki.store.isFileDeletedWith(pageId) ? { file: title.dbkey } : {}
  return apply(wiki, { kind: 'undelete', pageId, ...title, editor: ANN, reason, ...file })
}

const NAMES = ['Elm', 'Oak', 'Ash', 'Fir', 'Yew']
const PICTURES = ['Elm', 'Oak', 'Bay.png', 'Cork.png']
const WORDS = [
  'leaf',
  'bark',
  'root',
  '[[Oak]]',
  '[[Category:Elm]]',
  '#REDIRECT [[Ash]]',
  '{{Fir}}',
  '[[File:A.png]]',
]

/** A change by chance that mostly has an effect. */
export function changeByChance(wiki: Wiki, random: () => number): Verdict {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const name = (): Title => titled(pick(NAMES), pick([0, 0, 0, 6, 6, 10, 14]))
  const text = (): string => Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(WORDS)).join(' ')
  const { store } = wiki
  const places = NAMES.flatMap((dbkey) => [0, 10, 14].map((namespace) => titled(dbkey, namespace)))
  const files = PICTURES.map((dbkey) => titled(dbkey, FILE))
  const present = [...places, ...files].filter(
    ({ namespace, dbkey }) => store.getPage(namespace, dbkey) !== undefined,
  )
  const roll = random()
  if (present.length === 0 || roll < 0.14) return create(wiki, name(), text())
  if (roll < 0.2) return upload(wiki, pick(PICTURES), pick(WORDS), pick(WORDS))
  if (roll < 0.22)
    return apply(wiki, { kind: 'file', dbkey: pick(PICTURES), facts: facts(contents(pick(WORDS))) })
  if (roll < 0.35) return edit(wiki, pick(present), text())
  // Some lead to themselves, or over other pages.
  if (roll < 0.6) return move(wiki, pick(present), name(), { leaves: random() < 0.6, reason: pick(WORDS) })
  if (roll < 0.72) return remove(wiki, pick(present), pick(WORDS))
  if (roll < 0.84) return restore(wiki, name(), pick(WORDS))
  if (roll < 0.87) {
    const title = name()
    const pageId = store.getPage(title.namespace, title.dbkey)?.pageId ?? null
    const levels = {
      edit: pick(['none', 'sysop'] as const),
      create: 'none',
      move: pick(['none', 'user'] as const),
    } as const
    const further = { action: 'protect', description: 'as it is', reason: pick(WORDS) } as const
    return apply(wiki, {
      kind: 'restrict',
      pageId,
      ...title,
      ...levels,
      ...further,
      editor: ANN,
      expires: null,
    })
  }
  if (roll < 0.9) {
    const levels = {
      edit: pick(['none', 'user', 'sysop'] as const),
      create: pick(['none', 'sysop'] as const),
    }
    return apply(wiki, { kind: 'protect', ...name(), ...levels, expires: null })
  }
  const revisionId = 1 + Math.floor(random() * (store.counters().nextRevisionId - 1))
  if (roll < 0.93) return apply(wiki, { kind: 'hide', revisionId, comment: true, user: random() < 0.5 })
  if (roll < 0.97)
    return apply(wiki, {
      kind: 'erase',
      action: 'revisions',
      revisionIds: [revisionId],
      parts: [pick(['text', 'comment', 'user'] as const)],
    })
  return apply(wiki, {
    kind: 'erase',
    action: 'page',
    pageId: 1 + Math.floor(random() * (store.counters().nextPageId - 1)),
  })
}

function replay(wiki: Wiki): Wiki {
  const copy = temporaryStore()
  const { log } = wiki.store
  for (const item of log.take(0, log.bounds().last))
    copy.applier.submitReplayed(item, log.getVerdict(item.entry.id))
  return copy
}

/** The store is sound, and its log alone gives the same. */
export function expectSound(wiki: Wiki): void {
  expect(problems(wiki.store)).toEqual([])
  const copy = replay(wiki)
  expect(problems(copy.store)).toEqual([])
  expect(digestStore(copy.store)).toBe(digestStore(wiki.store))
}

/** Returns the contents of files that are to go. */
export function takeOutOfLog({ store, applier }: Wiki): string[] {
  const gone: string[] = []
  const steps = eraseAll({
    store,
    apply: (change) => applyChange(applier, change),
    removeContents: (sha256s) => gone.push(...sha256s),
  })
  while (steps.next().done !== true);
  return gone
}
