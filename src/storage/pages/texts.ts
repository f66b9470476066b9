/**
 * Texts of revisions. The latest text of a page is in its title row, ready to send. Each older text has a row in
 * `text`. It is packed in full, or as a delta against a newer revision of the page.
 *
 *     older                                            newer
 *       r1 ──delta──► r2 ──delta──► r3 (full)  r4 ──delta──► r5 (latest, in the title row)
 *       run 0         run 1         run 2      run 0         run 1
 *
 * The run of a revision counts the consecutive deltas that lead to it. At MAX_RUN the text is packed in full, so
 * reading a text takes at most that many patches. A new revision rewrites one row: that of its predecessor.
 *
 *     text row      0 kind u8   1 run u8   payload            (kinds: 0 plain, 1 deflated)
 *                   0 kind u8   1 run u8   2 base u32   6 delta   (kind 2)
 */
import { deflateRawSync } from 'node:zlib'
import { applyDelta, encodeDelta } from '../../diff/lineDelta.js'
import { StoreError } from '../tables/errors.js'
import { inflateView } from '../../runtime/keptZlib.js'
import {
  decodePageRow,
  revisionPageId,
  titleRowBinaryText,
  titleRowHasText,
  titleRowRun,
} from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'

export const MAX_RUN = 15

const PLAIN = 0
const DEFLATED = 1
const DELTA = 2
const FULL_HEAD = 2
const DELTA_HEAD = 6
/** Compressing shorter texts does not pay. */
const MIN_DEFLATED_BYTES = 256

/** A text in both forms: deltas and hashes need bytes, ready JSON needs the string. */
export interface SourceText {
  readonly string: string
  readonly utf8: Buffer
}

export const sourceText = (string: string): SourceText => ({ string, utf8: Buffer.from(string) })

/** Packs a text in full. */
export function encodeFullText(text: Buffer, run: number): Buffer {
  const deflated = text.length < MIN_DEFLATED_BYTES ? undefined : deflateRawSync(text)
  if (deflated === undefined || deflated.length >= text.length) {
    return Buffer.concat([Buffer.from([PLAIN, run]), text])
  }
  return Buffer.concat([Buffer.from([DEFLATED, run]), deflated])
}

/** Packs a text as a delta against the text of the newer revision `baseId`. */
export function encodeDeltaText(text: Buffer, run: number, baseId: number, base: Buffer): Buffer {
  const head = Buffer.from([DELTA, run, 0, 0, 0, 0])
  head.writeUInt32BE(baseId, 2)
  return Buffer.concat([head, encodeDelta(base, text)])
}

/** The run stored with a revision's text. The latest revision of a page has it in the title row, others in `text`. */
export function textRun(tables: Tables, revisionId: number): number {
  const row = tables.text.getBinaryFast(revisionId)
  if (row !== undefined) return row[1]!
  const titleRow = latestTitleRow(tables, revisionId)
  return titleRow === undefined ? 0 : titleRowRun(titleRow)
}

/** How the row of a text is packed: its run, and the revision that a delta builds on. */
export interface TextPacking {
  readonly run: number
  readonly baseId: number | undefined
}

/** The packing of a revision's row in `text`; undefined if it has none. */
export function textPacking(tables: Tables, revisionId: number): TextPacking | undefined {
  const row = tables.text.getBinaryFast(revisionId)
  return row && { run: row[1]!, baseId: row[0] === DELTA ? row.readUInt32BE(2) : undefined }
}

/** UTF-8 bytes of a revision's text; undefined as by `readBinaryText`. */
export function readTextBytes(tables: Tables, revisionId: number): Buffer | undefined {
  const text = readBinaryText(tables, revisionId)
  return text === undefined ? undefined : Buffer.from(text, 'latin1')
}

/** The text whose bytes are in a binary string. Most texts are ASCII, and then both strings are equal. */
export function decodeBinaryText(binary: string | undefined): string | undefined {
  if (binary === undefined || Buffer.byteLength(binary) === binary.length) return binary
  return Buffer.from(binary, 'latin1').toString()
}

/**
 * A revision's text as a binary string, whose units are the bytes of UTF-8. Undefined if the store has none, as for an
 * unknown revision or a text that was hidden at import. A hidden text may be returned: the history row tells whether it
 * may be shown.
 * `newer` is a text that was read before: deltas of older revisions of its page mostly lead to it.
 */
export function readBinaryText(
  tables: Tables,
  revisionId: number,
  newer?: { readonly id: number; readonly text: string },
): string | undefined {
  const deltas: string[] = []
  let id = revisionId
  let text: string
  for (;;) {
    if (id === newer?.id) {
      text = newer.text
      break
    }
    const row = tables.text.getBinaryFast(id)
    if (row === undefined) {
      const latest = latestTitleRow(tables, id)
      const latestText = latest && titleRowBinaryText(latest)
      if (latestText === undefined) {
        if (deltas.length > 0)
          throw new StoreError(`the text of revision ${revisionId} builds on ${id}, which has none`)
        return undefined
      }
      text = latestText
      break
    }
    if (row[0] !== DELTA) {
      text = (row[0] === DEFLATED ? inflateView(row.subarray(FULL_HEAD)) : row.subarray(FULL_HEAD)).toString(
        'latin1',
      )
      break
    }
    deltas.push(row.toString('latin1', DELTA_HEAD))
    if (deltas.length > 2 * MAX_RUN + 1)
      throw new StoreError(`the text of revision ${revisionId} has too many deltas`)
    id = row.readUInt32BE(2)
  }
  return deltas.reduceRight(applyDelta, text)
}

/** Tells if the store has the text of a revision, shown or hidden. */
export function hasText(tables: Tables, revisionId: number): boolean {
  if (tables.text.doesExist(revisionId)) return true
  const row = latestTitleRow(tables, revisionId)
  return row !== undefined && titleRowHasText(row)
}

/** The title row, as a view, of the page whose latest revision this is; undefined for other revisions. */
function latestTitleRow(tables: Tables, revisionId: number): Buffer | undefined {
  const rev = tables.rev.getBinaryFast(revisionId)
  if (rev === undefined) return undefined
  const pageRow = tables.page.getBinaryFast(revisionPageId(rev))
  if (pageRow === undefined) return undefined
  const page = decodePageRow(pageRow)
  if (page.deleted || page.latestId !== revisionId) return undefined
  return tables.title.getBinaryFast([page.namespace, page.dbkey])
}
