/** Finds the most linked pages for the shortest beginnings of titles: see index/titles/prominent.ts. */
import { setImmediate } from 'node:timers/promises'
import { type Namespaces } from '../../domain/namespaces.js'
import {
  encodeEntries,
  isShort,
  beginningsOf,
  MAX_BEGINNING,
  MAX_PROMINENT,
  type ProminentEntry,
} from '../../index/titles/prominent.js'
import type { BeginningKey, CompletionKey } from '../../index/rows/tables.js'
import { type IndexSet, type TableWriter, WHOLE_TABLE } from '../tables/tables.js'
import { clearUnranked, type IndexTarget, requireTarget } from '../search/indexState.js'
import { countLinks, type LinkCounts } from '../search/linkCounts.js'

const ROWS_AT_ONCE = 1000
/** With fewer titles, all of them are shown anyway. */
const MIN_TITLES = 4

interface Ranked extends ProminentEntry {
  readonly key: CompletionKey
  readonly links: number
}

/** The most linked titles of one beginning, among those seen so far. */
class Beginning {
  readonly entries: Ranked[] = []
  titles = 0

  constructor(readonly text: string) {}

  /** Titles come in order, and keep it if equally many links lead to them. */
  add(ranked: Ranked): void {
    this.titles++
    if (ranked.links === 0) return
    const { entries } = this
    if (entries.length === MAX_PROMINENT && entries.at(-1)!.links >= ranked.links) return
    const at = entries.findIndex(({ links }) => links < ranked.links)
    entries.splice(at < 0 ? entries.length : at, 0, ranked)
    if (entries.length > MAX_PROMINENT) entries.pop()
  }
}

interface Row {
  readonly key: BeginningKey
  readonly entries: readonly Ranked[]
}

/** Rewrites all rows of an index. An abort signal leaves them unchanged. Throws an IndexReplacedError. */
export async function rankTitles(
  store: TableWriter,
  target: IndexTarget,
  namespaces: Namespaces,
  signal?: AbortSignal,
): Promise<void> {
  const { tables } = store
  const index = tables.indexes[target.set]
  const counts = await countLinks(index, namespaces, signal)
  if (signal?.aborted) return
  let rows: Row[] = []
  store.transact(() => {
    requireTarget(tables, target)
    index.prominent.clearSync()
  })
  for (const row of rankedRows(index, counts)) {
    rows.push(row)
    if (rows.length < ROWS_AT_ONCE) continue
    writeRows(store, target, rows)
    rows = []
    await setImmediate()
  }
  writeRows(store, target, rows)
  store.transact(() => {
    requireTarget(tables, target)
    clearUnranked(tables, target)
  })
}

/** The rows, ordered by the last title of each. */
function* rankedRows({ completion }: IndexSet, counts: LinkCounts): Iterable<Row> {
  let namespace = -1
  let open: Beginning[] = []
  for (const { key, value } of completion.getRange(WHOLE_TABLE)) {
    const [ofNamespace, folded, redirect, pageId] = key
    if (redirect === 1) continue
    const texts = beginningsOf(folded)
    if (ofNamespace !== namespace) {
      yield* finished(namespace, open)
      open = []
      namespace = ofNamespace
    }
    const links = counts.of(keyOf(value))
    for (let n = 0; n <= MAX_BEGINNING; n++) {
      const text = texts[n]
      if (open[n] !== undefined && open[n]!.text !== text) yield* finished(namespace, open.splice(n))
      if (text === undefined) break
      open[n] ??= new Beginning(text)
      open[n]!.add({ key, pageId, json: value, links })
    }
  }
  yield* finished(namespace, open)
}

function* finished(namespace: number, beginnings: readonly Beginning[]): Iterable<Row> {
  for (const { text, entries, titles } of beginnings) {
    if (titles >= MIN_TITLES && entries.length > 0 && isShort(text)) yield { key: [namespace, text], entries }
  }
}

const KEY = /"key":("(?:[^"\\]|\\.)*")/

/** The key in a page's result. */
function keyOf(json: Buffer): string {
  const text = KEY.exec(json.toString())?.[1]
  return text === undefined ? '' : (JSON.parse(text) as string)
}

/** Writes rows without the entries that an edit has changed meanwhile. */
function writeRows(store: TableWriter, target: IndexTarget, rows: readonly Row[]): void {
  const { completion, prominent } = store.tables.indexes[target.set]
  store.transact(() => {
    requireTarget(store.tables, target)
    for (const { key, entries } of rows) {
      const current = entries.filter((entry) => completion.getBinary(entry.key)?.equals(entry.json) === true)
      if (current.length > 0) prominent.putSync(key, encodeEntries(current))
    }
  })
}
