/** Moves, deletions and what takes them back, as entries for tests: single ones, and by chance. */
import { hash } from 'node:crypto'
import type { Title } from '../../src/domain/title.js'
import { prefixedText } from '../../src/domain/title.js'
import type { Applier } from '../../src/storage/apply/applier.js'
import type { Change, Entry, Verdict } from '../../src/storage/entries/entries.js'
import type { Store } from '../../src/storage/store.js'
import { START } from './store.js'

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
  })
}

export function remove(wiki: Wiki, title: Title, reason = ''): Verdict {
  const { pageId } = pageAt(wiki, title)
  const { create: level, expires } = wiki.store.getProtection(title, 0)
  const protections = [{ ...title, edit: 'none' as const, create: level, expires }]
  return apply(wiki, { kind: 'delete', pageId, ...title, editor: ANN, reason, protections })
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
  return apply(wiki, { kind: 'undelete', pageId, ...title, editor: ANN, reason })
}

const NAMES = ['Elm', 'Oak', 'Ash', 'Fir', 'Yew']
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
  const name = (): Title => titled(pick(NAMES), pick([0, 0, 0, 10, 14]))
  const text = (): string => Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(WORDS)).join(' ')
  const { store } = wiki
  const present = NAMES.flatMap((dbkey) => [0, 10, 14].map((namespace) => titled(dbkey, namespace))).filter(
    ({ namespace, dbkey }) => store.getPage(namespace, dbkey) !== undefined,
  )
  const roll = random()
  if (present.length === 0 || roll < 0.2) return create(wiki, name(), text())
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
