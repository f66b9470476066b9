/**
 * HTML of latest revisions as another server made it, by revision. It takes the place of our own rendering until the
 * page, or a page that it shows, changes. These are derived rows: neither log nor digest has them. A render thread
 * cleans such HTML before it is sent: see render/imported.
 *
 *     importedHtml   revision u32 → 0 origin u8   1 version of the HTML: 3 × u8   4 made u32   8 tag (16 bytes)
 *                                   24 number of uses u32   28 uses: hashes of titles (8 bytes each)   deflated HTML
 */
import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { HtmlVersion } from '../../domain/html.js'
import type { Title } from '../../domain/title.js'
import { addUse, HASH_BYTES, IMPORTED, removeUse, titleHash } from './htmlUses.js'
import { readMeta, type RenderingTotals, writeMeta } from '../tables/meta.js'
import { decodeHistoryRow, revisionPageId, revisionTime, viewTitleRow } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'

/** `snapshot`: a file of rendered pages. `upstream`: the followed wiki answered a request. */
const HTML_ORIGINS = ['snapshot', 'upstream'] as const
type HtmlOrigin = (typeof HTML_ORIGINS)[number]

/** HTML to import. */
export interface IncomingHtml {
  readonly pageId: number
  readonly title: Title
  readonly revisionId: number
  /** SHA-1 of the revision's text; undefined if the source does not have the text. */
  readonly sha1: Buffer | undefined
  /** Titles of the templates that the HTML shows. A change of one makes it outdated. */
  readonly templates: readonly Title[]
  readonly origin: HtmlOrigin
  readonly version: HtmlVersion
  /** Seconds since 1970 (UTC): when it came. */
  readonly madeAt: number
  /** When the other server rendered it. HTML that is older than one of its templates here is refused. */
  readonly renderedAt?: number
  readonly html: PackedHtml
}

/** HTML ready for its row. */
interface PackedHtml {
  readonly tag: Buffer
  readonly deflated: Buffer
}

export interface ImportedHtml {
  readonly origin: HtmlOrigin
  readonly version: HtmlVersion
  readonly madeAt: number
  /** 32 hex digits, equal for equal HTML. */
  readonly tag: string
  /** Not cleaned: it goes to no client. */
  readonly html: string
}

/**
 * `kept`: also when it replaced other HTML. `known`: the store has the same HTML. The others change nothing:
 * `no-page`, `other-page`: no page, or another one, has the title. `other-revision`: the page has another latest
 * revision. `hidden`: the store hides its text. `outdated`: a template has changed since it was rendered.
 */
export type HtmlVerdict =
  | 'kept'
  | 'known'
  | 'no-page'
  | 'other-page'
  | 'other-revision'
  | 'hidden'
  | 'outdated'

const VERSION_AT = 1
const MADE_AT = 4
const TAG_AT = 8
const TAG_BYTES = 16
const COUNT_AT = 24
const HEAD = 28
/** Pages with more templates keep the first ones. */
const MAX_USES = 2000
const NO_TOTALS: RenderingTotals = { bytes: 0, sequence: 0, queued: 0, imported: 0, importedBytes: 0 }

/** Size of all HTML, and how much waits to be made again. */
export const renderingTotals = (tables: Tables): RenderingTotals => ({
  ...NO_TOTALS,
  ...readMeta(tables, 'renderings'),
})

/** Hashes and deflates HTML, outside of a transaction. */
export function packHtml(html: string | Uint8Array): PackedHtml {
  const bytes = typeof html === 'string' ? Buffer.from(html) : html
  return {
    tag: hash('sha256', bytes, 'buffer').subarray(0, TAG_BYTES),
    deflated: deflateRawSync(bytes, { level: 1 }),
  }
}

/** Keeps HTML of the latest revision of a page, in place of older HTML from outside. */
export function putImported(tables: Tables, incoming: IncomingHtml): HtmlVerdict {
  const verdict = judge(tables, incoming)
  if (verdict !== 'kept') return verdict
  const { revisionId, title, templates } = incoming
  dropImported(tables, revisionId)
  const hashes = [...new Set([title, ...templates].slice(0, MAX_USES).map(titleHash))]
  const row = encodeRow(incoming, hashes)
  tables.importedHtml.putSync(revisionId, row)
  for (const each of hashes) addUse(tables, each, revisionId, IMPORTED)
  count(tables, 1, row.length)
  return 'kept'
}

function judge(tables: Tables, incoming: IncomingHtml): HtmlVerdict {
  const { pageId, title, revisionId, sha1, html } = incoming
  const titleRow = tables.title.getBinaryFast([title.namespace, title.dbkey])
  if (titleRow === undefined) return 'no-page'
  const page = viewTitleRow(titleRow)
  if (page.pageId !== pageId) return 'other-page'
  if (page.latestId !== revisionId) return 'other-revision'
  const rev = tables.rev.getBinaryFast(revisionId)!
  const bytes = tables.history.getBinaryFast([revisionPageId(rev), revisionTime(rev), revisionId])!
  const row = decodeHistoryRow(bytes)
  if (row.textHidden) return 'hidden'
  // Edits made here take ids that the other wiki uses later.
  if (row.madeHere || (sha1 !== undefined && !row.sha1.equals(sha1))) return 'other-revision'
  if (isOutdated(tables, incoming)) return 'outdated'
  const known = tables.importedHtml.getBinaryFast(revisionId)
  return known !== undefined && known.compare(html.tag, 0, TAG_BYTES, TAG_AT, TAG_AT + TAG_BYTES) === 0
    ? 'known'
    : 'kept'
}

/** The other server renders pages again some time after their templates have changed. */
function isOutdated(tables: Tables, { templates, renderedAt = Infinity }: IncomingHtml): boolean {
  return templates.slice(0, MAX_USES).some(({ namespace, dbkey }) => {
    const row = tables.title.getBinaryFast([namespace, dbkey])
    return row !== undefined && viewTitleRow(row).latestTimestamp > renderedAt
  })
}

/** The tag of a revision's imported HTML; undefined if there is none. */
export function importedTag(tables: Tables, revisionId: number): string | undefined {
  return tables.importedHtml.getBinaryFast(revisionId)?.toString('hex', TAG_AT, TAG_AT + TAG_BYTES)
}

/** Where a revision's imported HTML came from; undefined if there is none. */
export function importedOrigin(tables: Tables, revisionId: number): HtmlOrigin | undefined {
  const row = tables.importedHtml.getBinaryFast(revisionId)
  return row && HTML_ORIGINS[row[0]!]
}

export function readImported(tables: Tables, revisionId: number): ImportedHtml | undefined {
  const row = tables.importedHtml.getBinary(revisionId)
  return row && decodeRow(row)
}

export function decodeRow(row: Buffer): ImportedHtml {
  return {
    origin: HTML_ORIGINS[row[0]!]!,
    version: [row[VERSION_AT]!, row[VERSION_AT + 1]!, row[VERSION_AT + 2]!],
    madeAt: row.readUInt32BE(MADE_AT),
    tag: row.toString('hex', TAG_AT, TAG_AT + TAG_BYTES),
    html: inflateRawSync(row.subarray(HEAD + row.readUInt32BE(COUNT_AT) * HASH_BYTES)).toString(),
  }
}

/** Drops the imported HTML of a revision; false if there is none. */
export function dropImported(tables: Tables, revisionId: number): boolean {
  const row = tables.importedHtml.getBinary(revisionId)
  if (row === undefined) return false
  for (const each of usesOfImported(row)) removeUse(tables, each, revisionId, IMPORTED)
  tables.importedHtml.removeSync(revisionId)
  count(tables, -1, -row.length)
  return true
}

/** Hashes of the titles that imported HTML shows, that of its own page first. */
export function* usesOfImported(row: Buffer): Generator<string> {
  const end = HEAD + row.readUInt32BE(COUNT_AT) * HASH_BYTES
  for (let at = HEAD; at < end; at += HASH_BYTES) yield row.toString('hex', at, at + HASH_BYTES)
}

function encodeRow({ origin, version, madeAt, html }: IncomingHtml, hashes: readonly string[]): Buffer {
  const head = Buffer.alloc(HEAD + hashes.length * HASH_BYTES)
  head[0] = HTML_ORIGINS.indexOf(origin)
  head.set(version, VERSION_AT)
  head.writeUInt32BE(madeAt, MADE_AT)
  head.set(html.tag, TAG_AT)
  head.writeUInt32BE(hashes.length, COUNT_AT)
  hashes.forEach((each, n) => head.write(each, HEAD + n * HASH_BYTES, 'hex'))
  return Buffer.concat([head, html.deflated])
}

function count(tables: Tables, rows: number, bytes: number): void {
  const totals = renderingTotals(tables)
  const { imported, importedBytes } = totals
  writeMeta(tables, 'renderings', {
    ...totals,
    imported: imported + rows,
    importedBytes: importedBytes + bytes,
  })
}
