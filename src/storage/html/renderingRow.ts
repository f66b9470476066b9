/**
 * Rows of the table `html`, by revision:
 *
 *     0 configuration (8 bytes)   8 made u32   12 expires u32 (0: never)   16 tag (16 bytes)
 *     32 place in htmlAge (8 bytes)   40 version of imported HTML: 3 × u8   43 layout u8: 3
 *     44 length of the outline u32   48 basis of the language menu (8 bytes)   56 length of that menu u32
 *     60 basis of the shell (8 bytes)   68 length of its facts u32   72 length of its parts u32
 *     76 outline (JSON)   menu   facts of the shell, its parts   HTML (menu, parts and HTML: packedHtml.ts)
 *
 * Rows of layout 2 have no shell, and their outline is at 60. Rows of layout 1 have no menu either: their outline is at
 * 48, and has the URLs of other languages.
 */
import type { HtmlVersion } from '../../domain/html.js'
import { HASH_BYTES } from './htmlUses.js'

/** A page's menu of other languages, as pages for readers show it. */
export interface ReadyMenu {
  /** 16 hex digits: the menu is right as long as its basis is the same. */
  readonly basis: string
  /** As `packInParts` makes it, in two parts: the HTML, and JSON of the URLs that it was made of. */
  readonly packed: Uint8Array
}

/** What a page for readers shows around its HTML and its menu of languages, as long as it is shown in the usual way. */
export interface ReadyShell {
  /** 16 hex digits: the shell is right as long as its basis is the same. */
  readonly basis: string
  /** ASCII, for the headers of the page: see `http/reader/readyShell.ts`. */
  readonly facts: Uint8Array
  /** As `packInParts` makes it. */
  readonly packed: Uint8Array
}

/** The parts of a rendering that its row has. */
export interface RenderingContent {
  /** 8 bytes: everything else that the HTML depends on, apart from the revision and the pages it used. */
  readonly configuration: Uint8Array
  /** Seconds since 1970 (UTC). */
  readonly madeAt: number
  /** Seconds since 1970, or 0: valid until something it used changes. */
  readonly expiresAt: number
  /** As `packInParts` makes it, in three parts: what is before the body, the inside of the body, the rest. */
  readonly packedHtml: Uint8Array
  /** As `encodeOutline` makes it. */
  readonly outline: Uint8Array
  /** Absent in renderings of tests, whose outline then has the URLs of languages. */
  readonly languageMenu?: ReadyMenu | undefined
  /** Only a server that makes the HTML knows the shell. */
  readonly shell?: ReadyShell | undefined
  /** `renderingTag` of the HTML. */
  readonly tag: string
}

/** A kept rendering. Use its bytes in the same tick, before any other read. */
export interface RenderingRow {
  readonly madeAt: number
  readonly expiresAt: number
  /** 32 hex digits, equal for equal HTML. */
  readonly tag: string
  /** Version of imported HTML: major · 2¹⁶ + minor · 2⁸ + patch. 0 for our own. */
  readonly version: number
  readonly outline: Buffer
  /** Undefined in a row of layout 1. */
  readonly languageMenu: ReadyMenu | undefined
  readonly shell: ReadyShell | undefined
  readonly packedHtml: Buffer
}

const LAYOUT_AT = 43
const OUTLINE_LENGTH_AT = 44
const MENU_BASIS_AT = 48
const MENU_LENGTH_AT = 56
const SHELL_BASIS_AT = 60
const FACTS_LENGTH_AT = 68
const SHELL_LENGTH_AT = 72
const VERSION_AT = 40
const LAYOUT = 3
/** Where the outline begins, by layout. Rows of layout 0, with plain HTML and no outline, are made again. */
const HEADS = [undefined, 48, 60, 76] as const
const HEAD = HEADS[LAYOUT]
const TAG_AT = 16
const AGE_AT = 32
export const TAG_BYTES = 16

export const tagOfRow = (row: Buffer): string => row.toString('hex', TAG_AT, TAG_AT + TAG_BYTES)
/** Number of the rendering, in the order of making. */
export const sequenceOfRow = (row: Buffer): number => Number(row.readBigUInt64BE(AGE_AT))

/** Views of a row; undefined for one of layout 0. */
export function decodeRendering(row: Buffer): RenderingRow | undefined {
  const head = HEADS[row[LAYOUT_AT]!]
  if (head === undefined) return undefined
  // A length that lies in the outline belongs to a later layout.
  const lengthAt = (place: number): number => (place < head ? row.readUInt32BE(place) : 0)
  const menuAt = head + row.readUInt32BE(OUTLINE_LENGTH_AT)
  const factsAt = menuAt + lengthAt(MENU_LENGTH_AT)
  const shellAt = factsAt + lengthAt(FACTS_LENGTH_AT)
  const htmlAt = shellAt + lengthAt(SHELL_LENGTH_AT)
  const basis = (at: number): string => row.toString('hex', at, at + HASH_BYTES)
  const shell = (): ReadyShell => ({
    basis: basis(SHELL_BASIS_AT),
    facts: row.subarray(factsAt, shellAt),
    packed: row.subarray(shellAt, htmlAt),
  })
  return {
    madeAt: row.readUInt32BE(8),
    expiresAt: row.readUInt32BE(12),
    tag: tagOfRow(row),
    version: row.readUIntBE(VERSION_AT, 3),
    outline: row.subarray(head, menuAt),
    languageMenu:
      factsAt === menuAt ? undefined : { basis: basis(MENU_BASIS_AT), packed: row.subarray(menuAt, factsAt) },
    shell: htmlAt === factsAt ? undefined : shell(),
    packedHtml: row.subarray(htmlAt, row.length),
  }
}

/** The row with another shell; undefined for one of layout 0. */
export function withShell(row: Buffer, { basis, facts, packed }: ReadyShell): Buffer | undefined {
  const parts = decodeRendering(row)
  if (parts === undefined) return undefined
  const head = Buffer.alloc(HEAD)
  row.copy(head, 0, 0, Math.min(HEADS[row[LAYOUT_AT]!]!, SHELL_BASIS_AT))
  head[LAYOUT_AT] = LAYOUT
  writeShellHead(head, { basis, facts, packed })
  return Buffer.concat([
    head,
    parts.outline,
    parts.languageMenu?.packed ?? NOTHING,
    facts,
    packed,
    parts.packedHtml,
  ])
}

const NOTHING = new Uint8Array()

function writeShellHead(head: Buffer, { basis, facts, packed }: ReadyShell): void {
  head.write(basis, SHELL_BASIS_AT, 'hex')
  head.writeUInt32BE(facts.length, FACTS_LENGTH_AT)
  head.writeUInt32BE(packed.length, SHELL_LENGTH_AT)
}

/** `version` is that of imported HTML. */
export function encodeRendering(
  rendering: RenderingContent,
  sequence: number,
  version: HtmlVersion | undefined,
): Buffer {
  const { outline, languageMenu, shell, packedHtml } = rendering
  const menu = languageMenu?.packed ?? NOTHING
  const head = Buffer.alloc(HEAD)
  head.set(rendering.configuration.subarray(0, HASH_BYTES))
  head.writeUInt32BE(rendering.madeAt, 8)
  head.writeUInt32BE(rendering.expiresAt, 12)
  head.write(rendering.tag, TAG_AT, 'hex')
  head.writeBigUInt64BE(BigInt(sequence), AGE_AT)
  head.set(version ?? [], VERSION_AT)
  head[LAYOUT_AT] = LAYOUT
  head.writeUInt32BE(outline.length, OUTLINE_LENGTH_AT)
  head.write(languageMenu?.basis ?? '', MENU_BASIS_AT, 'hex')
  head.writeUInt32BE(menu.length, MENU_LENGTH_AT)
  if (shell === undefined) return Buffer.concat([head, outline, menu, packedHtml])
  writeShellHead(head, shell)
  return Buffer.concat([head, outline, menu, shell.facts, shell.packed, packedHtml])
}
