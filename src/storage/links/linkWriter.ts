/** Writes the index of links: the row of each page, and for each target the pages that name it. */
import { externalIndex } from '../../wikitext/externalLinks.js'
import { LINK_KINDS, type LinkKind, nameIn, namespaceIn, targetOf } from '../../wikitext/pageTargets.js'
import { MAX_U32 } from '../rows/keys.js'
import {
  decodeSources,
  encodeLinks,
  cutTarget,
  encodeSources,
  hasMoreRows,
  type LinkEntry,
  type LinkKey,
  type LinksOfPage,
} from '../rows/linkRows.js'
import type { TermChange } from '../../index/write/termChanges.js'
import type { LinkTables } from '../tables/tables.js'

/** Pages that came to a target, and that went. */
interface Change {
  readonly added: number[]
  readonly removed: number[]
}

/** The target in keys. Addresses are in the order of their hosts. */
export const indexedTarget = (kind: LinkKind, target: string): string =>
  kind === 'external' ? targetOf(namespaceIn(target), externalIndex(nameIn(target))) : target

const kindOf = (key: string): number => key.charCodeAt(0)
const targetIn = (key: string): string => key.slice(1)

/**
 * Collects the changes of many pages within a transaction, and writes them in the order of their keys. So each row is
 * written once. Replace a page once at most, in the order of ids, and call `finish` at the end.
 */
export class LinkWriter {
  readonly #tables: LinkTables
  /** By kind, as one letter, and target. */
  readonly #changes = new Map<string, Change>()

  constructor(tables: LinkTables) {
    this.#tables = tables
  }

  /** `before` is the page's row as it is; undefined means none. */
  replace(pageId: number, before: LinksOfPage | undefined, after: LinksOfPage | undefined): void {
    const { pageLinks } = this.#tables
    if (after !== undefined) pageLinks.putSync(pageId, encodeLinks(after))
    else if (before !== undefined) pageLinks.removeSync(pageId)
    for (const [n, kind] of LINK_KINDS.entries()) {
      const [old, present] = [before?.lists[kind].entries ?? [], after?.lists[kind].entries ?? []]
      const [oldKeys, keys] = [keysOf(n, kind, old), keysOf(n, kind, present)]
      for (const key of oldKeys) if (!keys.has(key)) this.#changeOf(key).removed.push(pageId)
      for (const key of keys) if (!oldKeys.has(key)) this.#changeOf(key).added.push(pageId)
    }
  }

  /** The pages that came to each target, in the order of targets, in place of `finish`. Nothing must have gone. */
  *takeAdded(): Generator<TermChange, void> {
    for (const key of [...this.#changes.keys()].sort()) {
      const pages = Uint32Array.from(ordered(this.#changes.get(key)!.added))
      yield { term: key, pages, slots: new Uint8Array(pages.length), from: 0, to: pages.length }
    }
    this.#changes.clear()
  }

  finish(): void {
    for (const key of [...this.#changes.keys()].sort()) {
      const { added, removed } = this.#changes.get(key)!
      writeSources(this.#tables, kindOf(key), targetIn(key), ordered(added), ordered(removed))
    }
    this.#changes.clear()
  }

  #changeOf(key: string): Change {
    let change = this.#changes.get(key)
    if (change === undefined) this.#changes.set(key, (change = { added: [], removed: [] }))
    return change
  }
}

const NO_KEYS: ReadonlySet<string> = new Set()

/** Two addresses that are cut in keys may have the same one. */
function keysOf(number: number, kind: LinkKind, entries: readonly LinkEntry[]): ReadonlySet<string> {
  if (entries.length === 0) return NO_KEYS
  const prefix = String.fromCharCode(number)
  return new Set(entries.map(({ target }) => prefix + cutTarget(indexedTarget(kind, target))))
}

function ordered(pages: number[]): readonly number[] {
  for (let n = 1; n < pages.length; n++)
    if (pages[n - 1]! > pages[n]!) return [...pages].sort((one, other) => one - other)
  return pages
}

/** Adds pages to a target, as `takeAdded` gives them. */
export function addSources(tables: LinkTables, { term, pages, from, to }: TermChange): void {
  writeSources(tables, kindOf(term), targetIn(term), Array.from(pages.subarray(from, to)), [])
}

/** Adds pages to a target, and removes others. Both are in order. */
function writeSources(
  tables: LinkTables,
  kind: number,
  target: string,
  added: readonly number[],
  removed: readonly number[],
): void {
  const head = tables.linkSource.getBinaryFast([kind, target, 0])
  const hasMore = head !== undefined && hasMoreRows(head)
  if (!hasMore) {
    // Most targets have one row.
    const place = { kind, target, first: 0, isHead: true, hasMore }
    return writeRow(tables, place, head && decodeSources(head, 0), added, removed)
  }
  const [all, gone] = [[...added], [...removed]]
  while (all.length + gone.length > 0) {
    const least = Math.min(all[0] ?? Infinity, gone[0] ?? Infinity)
    const first = rowFor(tables, kind, target, least)
    const next = nextRow(tables, kind, target, first)
    const take = (pages: number[]): number[] => {
      const end = pages.findIndex((page) => page >= next)
      return pages.splice(0, end < 0 ? pages.length : end)
    }
    const row = tables.linkSource.getBinaryFast([kind, target, first])
    const place = { kind, target, first, isHead: first === 0, hasMore, next }
    writeRow(tables, place, row && decodeSources(row, first), take(all), take(gone))
  }
  if (removed.length > 0) closeHead(tables, kind, target)
}

/** The head of a target has no other rows to announce once they are gone, and goes too if it is empty. */
function closeHead(tables: LinkTables, kind: number, target: string): void {
  const key: LinkKey = [kind, target, 0]
  const head = tables.linkSource.getBinary(key)
  if (head === undefined || nextRow(tables, kind, target, 0) !== Infinity) return
  if (head.length === 1) tables.linkSource.removeSync(key)
  else tables.linkSource.putSync(key, Buffer.concat([Buffer.of(0), head.subarray(1, head.length)]))
}

interface RowPlace {
  readonly kind: number
  readonly target: string
  /** The page in the key. */
  readonly first: number
  readonly isHead: boolean
  /** The target has more than one row. */
  readonly hasMore: boolean
  /** The page in the next key; Infinity if there is none. */
  readonly next?: number
}

/** `before`: the pages that the row has. */
function writeRow(
  { linkSource }: LinkTables,
  { kind, target, first, isHead, hasMore, next = Infinity }: RowPlace,
  before: readonly number[] = [],
  added: readonly number[],
  removed: readonly number[],
): void {
  const growsAtEnd = next === Infinity && removed.length === 0 && added[0]! > (before.at(-1) ?? 0)
  const pages = growsAtEnd ? [...before, ...added] : merged(before, added, removed)
  // The head stays as long as other rows follow it.
  if (pages.length === 0 && !(isHead && hasMore)) return void linkSource.removeSync([kind, target, first])
  const rows = encodeSources(first, pages, growsAtEnd)
  for (const { first: page, row: made } of rows) {
    if (page === 0 && (hasMore || rows.length > 1)) made[0] = 1
    linkSource.putSync([kind, target, page], made)
  }
}

function merged(before: readonly number[], added: readonly number[], removed: readonly number[]): number[] {
  const pages = new Set([...before, ...added])
  for (const page of removed) pages.delete(page)
  return [...pages].sort((one, other) => one - other)
}

/** The page in the key of the row that has room for a page. */
export function rowFor({ linkSource }: LinkTables, kind: number, target: string, page: number): number {
  const range = { start: [kind, target, page] as LinkKey, end: [kind, target, 0] as LinkKey, reverse: true }
  for (const [, , first] of linkSource.getKeys({ ...range, limit: 1 })) return first
  return 0
}

/** The page in the key of the row after one; Infinity if there is none. */
export function nextRow({ linkSource }: LinkTables, kind: number, target: string, first: number): number {
  const start: LinkKey = [kind, target, first + 1]
  for (const [, , next] of linkSource.getKeys({ start, end: [kind, target, MAX_U32], limit: 1 })) return next
  return Infinity
}
