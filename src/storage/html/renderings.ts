/**
 * Renderings: HTML of revisions, kept packed. They are derived rows. Apply drops those that an edit makes
 * outdated, and the oldest are dropped to stay within the size limit. htmlUses.ts has the table of what they used. A
 * rendering of imported HTML is that HTML, cleaned.
 *
 *     html        revision u32 → renderingRow.ts
 *     htmlOrigin  revision u32 → 0 number of uses u32   4 uses (9 bytes each)   deflated JSON of the page bundle
 *     htmlAge     sequence u64 → revision u32, in the order of making
 *     htmlQueue   revision u32 → nothing: dropped, and to be made again when there is time
 *     htmlWork    sequence u64 → the rest of a page's uses to drop, if very many renderings used it
 */
import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { takeRenderedCategories } from '../categories/categoryIndexing.js'
import { takeRenderedLinks } from '../links/linkIndexing.js'
import type { RenderedLinks } from '../links/pageLinks.js'
import type { CategoryEntry } from '../rows/categoryRows.js'
import { readFile } from '../pages/files.js'
import { pageOfLatest } from '../pages/history.js'
import { type HistoryKey, MAX_U32, type Pair } from '../rows/keys.js'
import type { HtmlVersion } from '../../domain/html.js'
import {
  addUse,
  CONTENT,
  EXISTENCE,
  HASH_BYTES,
  hashHalves,
  IMPORTED,
  OF_RENDERING,
  removeUse,
  titleHash,
} from './htmlUses.js'
import { dropImported, importedOrigin, importedTag, renderingTotals } from './importedHtml.js'
import { readTally, writeMeta } from '../tables/meta.js'
import {
  decodeRendering,
  encodeRendering,
  type RenderingContent,
  type ReadyShell,
  type RenderingRow,
  sequenceOfRow,
  TAG_BYTES,
  tagOfRow,
  withShell,
} from './renderingRow.js'
import { decodeNumber, decodePageRow, encodeNumber, revisionPageId, viewTitleRow } from '../rows/rows.js'
import { type Tables, WHOLE_TABLE } from '../tables/tables.js'

/** The part of a page that a rendering used: its text (or file), or only whether it exists. */
export type UseKind = 'content' | 'existence'

export interface Use {
  readonly namespace: number
  readonly dbkey: string
  readonly kind: UseKind
  /** Latest revision of the page at that time; 0 if the page did not exist. */
  readonly revisionId: number
  /** For the page of a file: SHA-1 of the file in the store, empty if there was none. */
  readonly file?: string
}

export interface Rendering extends RenderingContent, Basis {
  readonly revisionId: number
  /** JSON that maps elements to their places in the wikitext. */
  readonly bundle: Uint8Array
  /** Categories that the HTML names, with those of templates. */
  readonly categories: readonly CategoryEntry[]
  /** What the HTML and its templates lead to; without the kinds that the HTML does not tell. */
  readonly links?: RenderedLinks
  /** Present if the rendering is imported HTML, cleaned. `unusable`: that HTML cannot be cleaned, and goes. */
  readonly imported?: MadeOfImported | 'unusable'
}

/** What a result that was made of pages depends on, beside the settings of the site and the time. */
export interface Basis {
  readonly uses: readonly Use[]
  /** The store's tally `visibility` when the work began. */
  readonly visibility: number
}

interface MadeOfImported {
  /** Tag of the imported HTML. */
  readonly tag: string
  readonly version: HtmlVersion
}

const USE_BYTES = 9
/** Renderings that apply drops in its own transaction. The rest is dropped soon afterwards, in parts of this size. */
const MAX_DROPS = 500
const MAX_QUEUED = 10_000
/** The last key of a table of sequence numbers. lmdb finds none from an undefined end on. */
const NEWEST = { start: [MAX_U32, MAX_U32], end: [0, 0], reverse: true, limit: 1 } as const

/** The rendering of a revision; undefined if it is not kept, or was made for another configuration. */
export function readRendering(
  tables: Tables,
  revisionId: number,
  configuration: Uint8Array,
): RenderingRow | undefined {
  const bytes = tables.html.getBinaryFast(revisionId)
  if (bytes === undefined || bytes.compare(configuration, 0, HASH_BYTES, 0, HASH_BYTES) !== 0)
    return undefined
  return decodeRendering(bytes)
}

/** Facts of a rendering that do not depend on the configuration. */
export interface RenderingFacts {
  readonly tag: string
  /** Undefined in a row that an earlier version of the program wrote. */
  readonly parts: Pick<RenderingRow, 'outline' | 'languageMenu' | 'shell' | 'packedHtml'> | undefined
  /** Key in `htmlAge`. */
  readonly age: Pair
  /** Hashes of the titles that it used, each once. */
  readonly uses: ReadonlySet<string>
}

/** The facts of a row of `html`, with its row of `htmlOrigin`. */
export function renderingFacts(row: Buffer, origin: Buffer | undefined): RenderingFacts {
  return {
    tag: tagOfRow(row),
    parts: decodeRendering(row),
    age: sequenceKey(sequenceOfRow(row)),
    uses: new Set(origin === undefined ? [] : usedHashes(origin)),
  }
}

/** JSON of the page bundle for a rendering that `readRendering` has just found. */
export function readBundle(tables: Tables, revisionId: number): string | undefined {
  const bytes = tables.htmlOrigin.getBinaryFast(revisionId)
  if (bytes === undefined) return undefined
  return inflateRawSync(bytes.subarray(4 + bytes.readUInt32BE(0) * USE_BYTES, bytes.length)).toString()
}

/** Tag of a rendering: equal for equal HTML, in every process. `html` is not packed. */
export function renderingTag(html: Uint8Array): string {
  return createHash('sha256')
    .update(html)
    .digest('hex')
    .slice(0, 2 * TAG_BYTES)
}

/**
 * Keeps a rendering in place of an older one, and drops the oldest until all take at most `maxBytes`. Returns false and
 * keeps nothing if a page it used has changed since, or parts of revisions were hidden or shown. Nothing would drop
 * such a rendering later. Nor does it keep our own rendering of a revision with imported HTML.
 */
export function putRendering(tables: Tables, rendering: Rendering, maxBytes: number): boolean {
  const { revisionId } = rendering
  if (rendering.visibility !== readTally(tables, 'visibility')) return false
  const { imported } = rendering
  if (imported === 'unusable') dropImported(tables, revisionId)
  const madeOf = imported === 'unusable' ? undefined : imported
  if (madeOf?.tag !== importedTag(tables, revisionId)) return false
  if (!isUnchanged(tables, rendering)) return false
  dropKept(tables, revisionId)
  const totals = renderingTotals(tables)
  const sequence = totals.sequence + 1
  const uses = rendering.uses.map((use) => ({
    hash: titleHash(use),
    kind: kindByte(use),
  }))
  const origin = encodeOrigin(uses, rendering.bundle)
  const row = encodeRendering(rendering, sequence, madeOf?.version)
  tables.html.putSync(revisionId, row)
  tables.htmlOrigin.putSync(revisionId, origin)
  for (const { hash, kind } of uses) addUse(tables, hash, revisionId, kind)
  tables.htmlAge.putSync(sequenceKey(sequence), encodeNumber(revisionId))
  const bytes = totals.bytes + row.length + origin.length
  writeMeta(tables, 'renderings', { ...renderingTotals(tables), bytes, sequence })
  const page = pageOfLatest(tables, revisionId)
  if (page !== undefined) {
    takeRenderedCategories(tables, page, rendering.categories)
    if (rendering.links !== undefined) takeRenderedLinks(tables, page, rendering.links)
  }
  dropOldest(tables, maxBytes)
  return true
}

/** Replaces the shell of kept HTML with this tag. */
export function putShell(
  tables: Tables,
  { revisionId, tag }: Pick<Rendering, 'revisionId' | 'tag'>,
  shell: ReadyShell,
  maxBytes: number,
): void {
  const row = tables.html.getBinary(revisionId)
  const changed = row !== undefined && tagOfRow(row) === tag ? withShell(row, shell) : undefined
  if (row === undefined || changed === undefined) return
  tables.html.putSync(revisionId, changed)
  const totals = renderingTotals(tables)
  writeMeta(tables, 'renderings', { ...totals, bytes: totals.bytes + changed.length - row.length })
  dropOldest(tables, maxBytes)
}

/** Tells if work on this basis would have the same result now. Reads a row for each use. */
export function isUnchanged(tables: Tables, { uses, visibility }: Basis): boolean {
  return visibility === readTally(tables, 'visibility') && uses.every((use) => isStillTrue(tables, use))
}

function isStillTrue(tables: Tables, { namespace, dbkey, kind, revisionId, file }: Use): boolean {
  if (file !== undefined && file !== (readFile(tables, dbkey)?.sha1 ?? '')) return false
  const row = tables.title.getBinaryFast([namespace, dbkey])
  const latestId = row === undefined ? 0 : viewTitleRow(row).latestId
  return kind === 'content' ? latestId === revisionId : (latestId === 0) === (revisionId === 0)
}

/** Configuration of the rendering that was made last. */
export function newestConfiguration(tables: Tables): Buffer | undefined {
  for (const { value } of tables.htmlAge.getRange(NEWEST))
    return tables.html.getBinary(decodeNumber(value))?.subarray(0, HASH_BYTES)
  return undefined
}

/** Drops all HTML of a revision, the imported one too; false if there is none. */
export function dropRendering(tables: Tables, revisionId: number): boolean {
  const wasImported = dropImported(tables, revisionId)
  return dropKept(tables, revisionId) || wasImported
}

/** Drops a rendering; false if it is not kept. */
export function dropKept(tables: Tables, revisionId: number): boolean {
  const row = tables.html.getBinary(revisionId)
  if (row === undefined) return false
  const origin = tables.htmlOrigin.getBinary(revisionId) ?? encodeOrigin([], new Uint8Array())
  for (const hash of usedHashes(origin)) removeUse(tables, hash, revisionId, OF_RENDERING)
  tables.html.removeSync(revisionId)
  tables.htmlOrigin.removeSync(revisionId)
  tables.htmlAge.removeSync(sequenceKey(sequenceOfRow(row)))
  const totals = renderingTotals(tables)
  writeMeta(tables, 'renderings', { ...totals, bytes: totals.bytes - row.length - origin.length })
  return true
}

function dropOldest(tables: Tables, maxBytes: number): void {
  while (renderingTotals(tables).bytes > maxBytes) {
    const [oldest] = [...tables.htmlAge.getRange({ ...WHOLE_TABLE, limit: 1 })]
    if (oldest === undefined || !dropKept(tables, decodeNumber(oldest.value))) return
  }
}

/** Tells if anything was ever kept. In a store without renderings, a change costs only this lookup. */
export function hasRenderings(tables: Tables): boolean {
  const { sequence, imported } = renderingTotals(tables)
  return sequence > 0 || imported > 0
}

/**
 * Drops the renderings that used a page, and queues them to be made again. If only the page's text changed, drops only
 * those that read it. If the page appeared or disappeared, drops all of them. Imported HTML that shows the page goes
 * too, unless the page appeared: an import may bring templates after the pages that show them. A changed protection
 * shows in our own HTML alone.
 */
export function dropUsesOf(
  tables: Tables,
  page: { readonly namespace: number; readonly dbkey: string },
  change: UseKind | 'protection',
): void {
  const { namespace, dbkey } = page
  const keepsImported =
    change === 'protection' || (change === 'existence' && tables.title.doesExist([namespace, dbkey]))
  const kind = change === 'protection' ? 'content' : change
  const work: Work = { hash: titleHash(page), kind, from: 0, ...(keepsImported && { keepsImported }) }
  finishOrPostpone(tables, work, undefined)
}

/** Tells if `dropUsesOf` left renderings to drop. */
export function hasDropsLeft(tables: Tables): boolean {
  return [...tables.htmlWork.getKeys({ ...WHOLE_TABLE, limit: 1 })].length > 0
}

/** Continues with renderings that `dropUsesOf` left. */
export function continueDrops(tables: Tables): void {
  for (const { key, value } of tables.htmlWork.getRange({ ...WHOLE_TABLE, limit: 1 }))
    finishOrPostpone(tables, JSON.parse(value.toString()) as Work, key)
}

/** Renderings of a page still to be dropped: those of revisions from `from` on. */
interface Work {
  /** 16 hex digits. */
  readonly hash: string
  readonly kind: UseKind
  readonly from: number
  readonly keepsImported?: boolean
}

function finishOrPostpone(tables: Tables, work: Work, key: Pair | undefined): void {
  const next = dropSome(tables, work)
  if (next === undefined) {
    if (key !== undefined) tables.htmlWork.removeSync(key)
    return
  }
  const place = key ?? sequenceKey(nextWork(tables))
  tables.htmlWork.putSync(place, Buffer.from(JSON.stringify({ ...work, from: next })))
}

function nextWork(tables: Tables): number {
  for (const [high, low] of tables.htmlWork.getKeys(NEWEST)) return high * 2 ** 32 + low + 1
  return 1
}

/** Drops up to MAX_DROPS renderings. Returns the revision to continue from; undefined if all are done. */
function dropSome(tables: Tables, { hash, kind, from, keepsImported = false }: Work): number | undefined {
  const [high, low] = hashHalves(hash)
  const start: HistoryKey = [high, low, from]
  const end: HistoryKey = [high, low, 0xffffffff]
  const rows = [...tables.htmlUse.getRange({ start, end, limit: MAX_DROPS })]
  for (const { key, value } of rows) {
    const revisionId = key[2]
    const uses = value[0]!
    const isOfUpstream = (uses & IMPORTED) !== 0 && importedOrigin(tables, revisionId) === 'upstream'
    const isImportGone = (uses & IMPORTED) !== 0 && !keepsImported && dropImported(tables, revisionId)
    const isOutdated = (uses & (kind === 'content' ? CONTENT : OF_RENDERING)) !== 0
    if ((isOutdated || isImportGone) && dropKept(tables, revisionId)) enqueue(tables, revisionId)
    if (isImportGone && isOfUpstream) enqueueLatest(tables, revisionId)
  }
  const last = rows.at(-1)
  return last === undefined || rows.length < MAX_DROPS ? undefined : last.key[2] + 1
}

/** Queues only latest revisions: others are made again when somebody asks for them. */
function enqueue(tables: Tables, revisionId: number): void {
  const totals = renderingTotals(tables)
  if (totals.queued >= MAX_QUEUED || tables.htmlQueue.doesExist(revisionId)) return
  const rev = tables.rev.getBinaryFast(revisionId)
  const page = rev && tables.page.getBinaryFast(revisionPageId(rev))
  if (page === undefined || decodePageRow(page).latestId !== revisionId) return
  tables.htmlQueue.putSync(revisionId, Buffer.alloc(0))
  writeMeta(tables, 'renderings', { ...totals, queued: totals.queued + 1 })
}

/** A page whose HTML came from the followed wiki gets it again for its new revision. */
function enqueueLatest(tables: Tables, revisionId: number): void {
  const rev = tables.rev.getBinaryFast(revisionId)
  const page = rev && tables.page.getBinaryFast(revisionPageId(rev))
  if (page !== undefined) enqueue(tables, decodePageRow(page).latestId)
}

/** Takes up to `limit` revisions out of the queue. */
export function takeQueued(tables: Tables, limit: number): number[] {
  const ids = [...tables.htmlQueue.getKeys({ ...WHOLE_TABLE, limit })]
  for (const id of ids) tables.htmlQueue.removeSync(id)
  const totals = renderingTotals(tables)
  if (ids.length > 0) writeMeta(tables, 'renderings', { ...totals, queued: totals.queued - ids.length })
  return ids
}

function encodeOrigin(uses: readonly { hash: string; kind: number }[], bundle: Uint8Array): Buffer {
  const head = Buffer.alloc(4 + uses.length * USE_BYTES)
  head.writeUInt32BE(uses.length, 0)
  uses.forEach(({ hash, kind }, n) => {
    head.write(hash, 4 + n * USE_BYTES, 'hex')
    head[4 + n * USE_BYTES + HASH_BYTES] = kind
  })
  return Buffer.concat([head, deflateRawSync(bundle, { level: 1 })])
}

function* usedHashes(origin: Buffer): Generator<string> {
  for (let n = 0; n < origin.readUInt32BE(0); n++) {
    const at = 4 + n * USE_BYTES
    yield origin.toString('hex', at, at + HASH_BYTES)
  }
}

const kindByte = ({ kind }: Use): number => (kind === 'content' ? CONTENT : EXISTENCE)
const sequenceKey = (sequence: number): Pair => [Math.floor(sequence / 2 ** 32), sequence % 2 ** 32]
