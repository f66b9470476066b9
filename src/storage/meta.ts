/** Rows of the table `meta`: small JSON values under names. */
import { type InterwikiChanges, NO_INTERWIKI_CHANGES } from '../domain/interwiki.js'
import { withProjectNamedAfterSite } from '../domain/projectNamespace.js'
import { DEFAULT_SITE, type Site } from '../domain/site.js'
import { SEAL_BYTES } from './rows/seal.js'
import type { IndexName, Tables } from './tables.js'

/** Rises whenever rows change their shape; a store of another number is not opened. */
export const FORMAT_VERSION = 3

/** Counters that apply allots ids from, and totals for statistics. */
export interface Counters {
  readonly pages: number
  readonly revisions: number
  readonly redirects: number
  readonly actors: number
  readonly files: number
  /** Rises with every change to a file, and the newest time of one: answers that name files depend on them. */
  readonly fileChanges: number
  readonly filesTime: number
  readonly nextPageId: number
  readonly nextRevisionId: number
  readonly nextUserId: number
  readonly nextTokenId: number
  /**
   * Newest time of an entry that saved an edit, in seconds since 1970: no later edit is older. Edits of pages that have
   * revisions of the future are newer, and leave it as it is.
   */
  readonly time: number
}

/** Where the log ends: entries so far, and the digest that chains them. */
export interface Position {
  readonly sequence: number
  /** SHA-256 in hex over the digest before it and the entry. */
  readonly digest: string
}

/** An import that has begun to write and has not yet been logged. */
export interface RunningImport {
  readonly name: string
  readonly pages: number
  readonly revisions: number
  /** Newest revision time seen so far, in seconds. */
  readonly newest: number
}

/** The search index: which of the two sets of tables it is, and what it was made with. */
export interface IndexState {
  /** Version of the encoder: an index of another one cannot be searched. */
  readonly encoder: number
  /** The set in force: searches read it. */
  readonly set: IndexName
  /** Id of the rebuild that fills the other set. A killed rebuild leaves it here, until the next one begins. */
  readonly rebuild?: string
}

/** Where a process runs, as far as others can tell: see import/processMark.ts. */
export interface ProcessMark {
  readonly pid: number
  /** What tells the process from an earlier one of the same number; empty: not known. */
  readonly started: string
  /** The machine, or the container, in which the number means this process; empty: not known. */
  readonly where: string
}

/** Who has the lease of the store (`lease.ts`). */
export interface LeaseRow {
  /** Random: two leases of one process differ. */
  readonly holder: string
  readonly process: ProcessMark
  /** Milliseconds since 1970. */
  readonly renewed: number
  /** Number of the store's file: copies of the store have another, and nobody holds them. */
  readonly file: string
}

/** Bytes and sequence of the renderings; counted in `meta`. */
export interface RenderingTotals {
  readonly bytes: number
  readonly sequence: number
  readonly queued: number
}

interface MetaValues {
  format: number
  storeId: string
  /** What the first dump said, with namespaces of later ones. */
  dumpSite: Site
  /** What `site set` said since: it wins. */
  siteSettings: Partial<Site>
  /** What `interwiki` commands said. */
  interwiki: InterwikiChanges
  /** Names of the accounts in the group `bot`, sorted. */
  botAccounts: readonly string[]
  counters: Counters
  position: Position
  import: RunningImport | null
  /** Who may import; none while nobody does. It belongs to this copy of the store. */
  lease: LeaseRow
  index: IndexState
  /** Totals of the renderings that are kept: derived. */
  renderings: RenderingTotals
}

export const EMPTY_COUNTERS: Counters = {
  pages: 0,
  revisions: 0,
  redirects: 0,
  actors: 0,
  files: 0,
  fileChanges: 0,
  filesTime: 0,
  nextPageId: 1,
  nextRevisionId: 1,
  nextUserId: 1,
  nextTokenId: 1,
  time: 0,
}

export const LOG_START: Position = { sequence: 0, digest: '0'.repeat(64) }

/** The format of a store, also of one whose rows carry no seals; undefined in an empty one. */
export function readFormat(tables: Tables): number | undefined {
  const bytes = tables.meta.getUnchecked('format')
  if (bytes === undefined) return undefined
  const isSealed = bytes.length > SEAL_BYTES
  return isSealed ? readMeta(tables, 'format') : (JSON.parse(bytes.toString()) as number)
}

export function readMeta<N extends keyof MetaValues>(tables: Tables, name: N): MetaValues[N] | undefined {
  const bytes = tables.meta.getBinaryFast(name)
  return bytes === undefined
    ? undefined
    : (JSON.parse(bytes.toString('utf8', 0, bytes.length)) as MetaValues[N])
}

export function writeMeta<N extends keyof MetaValues>(tables: Tables, name: N, value: MetaValues[N]): void {
  tables.meta.putSync(name, Buffer.from(JSON.stringify(value)))
}

/** The site in force: settings over what the dump said over defaults. */
export const readSite = (tables: Tables): Site => siteInForce(tables, readMeta(tables, 'dumpSite'))

/**
 * The site that would be in force with that of a dump. A dump says the names of all namespaces itself. Without a dump,
 * the project namespace follows the name that `site set` gave to the site.
 */
export function siteInForce(
  tables: Tables,
  dumpSite: Site | undefined,
  settings: Partial<Site> | undefined = readMeta(tables, 'siteSettings'),
): Site {
  const site = withSettings(dumpSite, settings)
  const isNamed = dumpSite === undefined && settings?.name !== undefined
  return isNamed ? withProjectNamedAfterSite(site) : site
}

const withSettings = (dumpSite: Site | undefined, settings: Partial<Site> | undefined): Site => ({
  ...DEFAULT_SITE,
  ...dumpSite,
  ...settings,
})

export const readInterwikiChanges = (tables: Tables): InterwikiChanges =>
  readMeta(tables, 'interwiki') ?? NO_INTERWIKI_CHANGES

/** Names whose edits are a bot's: those the site lists, and accounts of the group. */
export function readBots(tables: Tables): ReadonlySet<string> {
  // Without the names of namespaces, which take longer than all else.
  const { bots } = withSettings(readMeta(tables, 'dumpSite'), readMeta(tables, 'siteSettings'))
  return new Set([...bots, ...(readMeta(tables, 'botAccounts') ?? [])])
}

export const readCounters = (tables: Tables): Counters => ({
  ...EMPTY_COUNTERS,
  ...readMeta(tables, 'counters'),
})
export const readPosition = (tables: Tables): Position => readMeta(tables, 'position') ?? LOG_START

/**
 * Numbers that servers compare to tell what is still true, as doubles of 8 bytes since they are read at every turn.
 * They belong to this copy of the store, not to the state that the digest covers.
 *
 *     generation     write transactions so far
 *     pastChanges    those that may have changed how revisions look that were there before; edits only add to them
 *     visibility     pages of which parts of revisions were hidden or shown again: HTML may name the user of a revision
 */
export type Tally = 'generation' | 'pastChanges' | 'visibility'

export function readTally(tables: Tables, name: Tally): number {
  return tables.meta.getBinaryFast(name)?.readDoubleBE(0) ?? 0
}

export function raiseTally(tables: Tables, name: Tally): void {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeDoubleBE(readTally(tables, name) + 1, 0)
  tables.meta.putSync(name, bytes)
}
