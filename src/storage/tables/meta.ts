/** Rows of the table `meta`: small JSON values under names. */
import { hash } from 'node:crypto'
import {
  type Interwiki,
  type InterwikiChanges,
  mergeInterwikiChanges,
  NO_INTERWIKI_CHANGES,
  wholeInterwikiMap,
} from '../../domain/interwiki.js'
import { withProjectNamedAfterSite } from '../../domain/projectNamespace.js'
import { DEFAULT_SITE, type Site } from '../../domain/site.js'
import type { UpstreamPlace } from '../../domain/upstream.js'
import { wikimediaSettings } from '../../domain/wikimediaSettings.js'
import { SEAL_BYTES } from '../rows/seal.js'
import type { SqlTable, SqlTableState } from '../rows/sqlTableNames.js'
import type { IndexName, Tables } from './tables.js'

/** Rises whenever the shape of rows changes. A store with another number is not opened. */
export const FORMAT_VERSION = 4

/** Counters for allotting ids, and totals for statistics. */
export interface Counters {
  readonly pages: number
  readonly revisions: number
  readonly redirects: number
  readonly actors: number
  readonly files: number
  /** Counts changes to files. Answers that name files depend on it, and on `filesTime`, the newest time of a change. */
  readonly fileChanges: number
  readonly filesTime: number
  readonly nextPageId: number
  readonly nextRevisionId: number
  readonly nextUserId: number
  readonly nextTokenId: number
  /**
   * Newest time of an entry that saved an edit, in seconds since 1970. Later edits never get an older time. An edit to
   * a page with revisions in the future gets a newer time, and leaves this one as it is.
   */
  readonly time: number
}

/** The end of the log: the number of entries so far, and the digest that chains them. */
export interface Position {
  readonly sequence: number
  /** SHA-256 in hex over the previous digest and the entry. */
  readonly digest: string
}

/** Where a shared log begins: what the store that founded it had at that time. */
export interface LogOrigin extends Position {
  /** Random name of the log, 32 hex digits. A log that is made anew has another one. */
  readonly epoch: string
}

/** The shared log from which a store takes its entries. */
export interface Membership extends LogOrigin {
  /** The version of entries that all machines of the wiki understand. See apply/sharedEntries.ts. */
  readonly version: number
}

/** The process that applies the shared log on this machine. */
export interface ApplyingRow {
  readonly holder: string
  /** As in LeaseRow. */
  readonly file: string
  readonly process: ProcessMark
  /** Milliseconds since 1970. */
  readonly renewed: number
}

/** An import that has begun to write and has not ended. */
export interface RunningImport {
  readonly name: string
  readonly pages: number
  readonly revisions: number
  /** Newest revision time seen so far, in seconds. */
  readonly newest: number
}

/**
 * The part of the file that is being overwritten: unused room within pages, then free pages. Pages that a transaction
 * after `last` let go have no unused room with old bytes.
 */
type WipeRow = { readonly part: 'slack' } | { readonly part: 'free'; readonly last: number }

/** State of the search index: the set of tables in force, and the encoder that made it. */
export interface IndexState {
  /** Version of the encoder. An index of another version cannot be searched. */
  readonly encoder: number
  /** The set in force: searches read it. */
  readonly set: IndexName
  /** The set has the categories of all pages. An older version of the program made no such index. */
  readonly categories?: true
  /** The set has the times of all members of categories. */
  readonly categoryTimes?: true
  /** The set has the links of all pages. */
  readonly links?: true
  /** Id of the rebuild that fills the other set. A killed rebuild leaves it here, until the next one begins. */
  readonly rebuild?: string
  /** Erasures in the other set since that rebuild began. Absent: none. */
  readonly erasures?: number
  /** Pages that imports have added to the set in force since its titles were ranked; absent: none. */
  readonly unranked?: number
}

/** Where a process runs, as far as others can tell: see processMark.ts. */
export interface ProcessMark {
  readonly pid: number
  /** Start of the process, which differs when its id is reused; empty if unknown. */
  readonly started: string
  /** The machine or container to which the process id belongs; empty if unknown. */
  readonly where: string
}

/** The holder of the store's lease (`lease.ts`). */
export interface LeaseRow {
  /** Random: two leases of one process differ. */
  readonly holder: string
  readonly process: ProcessMark
  /** Milliseconds since 1970. */
  readonly renewed: number
  /** Inode number of the store's file. A copy of the store has another one, so nobody holds its lease. */
  readonly file: string
}

/** Size, newest sequence number and queue length of the renderings. */
export interface RenderingTotals {
  readonly bytes: number
  readonly sequence: number
  readonly queued: number
  /** HTML from outside: number and size of its rows. `bytes` does not count it. */
  readonly imported: number
  readonly importedBytes: number
}

interface MetaValues {
  format: number
  storeId: string
  /** The site that the first dump declared, with namespaces that later dumps added, or that of the followed wiki. */
  dumpSite: Site
  /** Settings from `site set` and `site import`. They override `dumpSite`. */
  siteSettings: Partial<Site>
  /** Changes by `interwiki` commands. */
  interwiki: InterwikiChanges
  /** Names of the accounts in the group `bot`, sorted. */
  botAccounts: readonly string[]
  /** The SQL tables that were imported. */
  sqlTables: Readonly<Partial<Record<SqlTable, SqlTableState>>>
  /** Where the store stands in the wiki that it follows; absent if it follows none. */
  upstream: UpstreamPlace
  /** When the store was last equal to the followed wiki, in seconds since 1970: derived. */
  upstreamEqualAt: number
  /** Interwiki map of the followed wiki. */
  upstreamInterwiki: readonly Interwiki[]
  counters: Counters
  position: Position
  /** Where the log begins: the last entry that was cut off, and the digest after it. Absent if none was. */
  logStart: Position & {
    /** Cut entries of a shared log that had come before. */
    readonly repeats?: number
  }
  /** Absent for the store of one machine, whose log is its own. */
  membership: Membership
  /** The log that this store is about to make, until it is a node. `file` as in LeaseRow: a copy makes another log. */
  founding: { readonly epoch: string; readonly file: string }
  applying: ApplyingRow
  /** Bytes of erased rows are still to be overwritten in the file; absent if none are. See erase/wiper.ts. */
  wipe: WipeRow
  import: RunningImport | null
  /** The process that may import; absent if there is none. It belongs to this copy of the store. */
  lease: LeaseRow
  index: IndexState
  /**
   * Lists of all revisions: the next revision to list, in a store that an older version made. Absent: none is listed,
   * but new ones are.
   */
  changeLists: number | 'complete'
  /** Pages by language links: the next page to list, in a store that an older version made. Absent: none is listed. */
  languageLists: number | 'complete'
  /** Totals of the kept renderings: derived. */
  renderings: Partial<RenderingTotals>
}

const EMPTY_COUNTERS: Counters = {
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

/** The format of a store, with or without seals on its rows; undefined in an empty store. */
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

/** The site in force. Settings override what the dump declared, which overrides the defaults. */
export const readSite = (tables: Tables): Site => siteInForce(tables, readMeta(tables, 'dumpSite'))

/**
 * The site that would be in force with `dumpSite`. A dump names all namespaces itself. Without a dump, the project
 * namespace is named after the site, once `site set` has named it.
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

function withSettings(dumpSite: Site | undefined, settings: Partial<Site> | undefined): Site {
  const known = wikimediaSettings(settings?.wikiId ?? dumpSite?.wikiId ?? '')
  const site = { ...DEFAULT_SITE, ...known, ...dumpSite, ...settings }
  const { namespaces: stated } = settings ?? {}
  if (stated === undefined || dumpSite === undefined) return site
  // A later dump may declare namespaces that the wiki's answer lacks.
  const further = dumpSite.namespaces.filter(({ id }) => stated.every((each) => each.id !== id))
  return { ...site, namespaces: [...stated, ...further] }
}

/** Changes by operators, on top of the map of the followed wiki. */
export function readInterwikiChanges(tables: Tables): InterwikiChanges {
  const own = readOwnInterwikiChanges(tables)
  const followed = readMeta(tables, 'upstreamInterwiki')
  return followed === undefined ? own : mergeInterwikiChanges(wholeInterwikiMap(followed), own)
}

const INTERWIKI_VERSION_DIGITS = 16

/** The version of the map in effect, which is part of everything that depends on the map. */
export const interwikiVersion = (tables: Tables): string =>
  hash('sha256', JSON.stringify(readInterwikiChanges(tables))).slice(0, INTERWIKI_VERSION_DIGITS)

/** Changes by operators alone. */
export const readOwnInterwikiChanges = (tables: Tables): InterwikiChanges =>
  readMeta(tables, 'interwiki') ?? NO_INTERWIKI_CHANGES

/** Names whose edits are a bot's: those the site lists, and accounts of the group. */
export function readBots(tables: Tables): ReadonlySet<string> {
  // `readSite` would add the names of namespaces, which takes longer than everything else here.
  const { bots } = withSettings(readMeta(tables, 'dumpSite'), readMeta(tables, 'siteSettings'))
  return new Set([...bots, ...(readMeta(tables, 'botAccounts') ?? [])])
}

export const readCounters = (tables: Tables): Counters => ({
  ...EMPTY_COUNTERS,
  ...readMeta(tables, 'counters'),
})
export const readPosition = (tables: Tables): Position => readMeta(tables, 'position') ?? LOG_START

/**
 * Counters that servers compare to find out whether their answers are still valid. They are doubles of 8 bytes, since
 * servers read them all the time. They belong to this copy of the store, so the digest does not cover them.
 *
 *     generation     write transactions so far, without those that write derived rows alone
 *     textEdits      of these, those that only changed texts: no title, description or picture in search results
 *     pastChanges    entries that may have changed the look of earlier revisions; edits do not
 *     visibility     page writes that hid or showed parts of revisions, since HTML may name the user of a revision
 */
type Tally = 'generation' | 'textEdits' | 'pastChanges' | 'visibility'

export function readTally(tables: Tables, name: Tally): number {
  return tables.meta.getBinaryFast(name)?.readDoubleBE(0) ?? 0
}

export function raiseTally(tables: Tables, name: Tally): void {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeDoubleBE(readTally(tables, name) + 1, 0)
  tables.meta.putSync(name, bytes)
}
