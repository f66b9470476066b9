/**
 * The named tables of the LMDB environment. docs/storage-format.md describes their rows.
 *
 * The tables in DIGESTED_TABLES are *state*, and the digest of a store covers them. The others are *derived* and stay
 * out of it. Three are state that enters the digest in another way: of `text`, the SHA-1 of each revision's text, since
 * packed bytes depend on the version of the compressor; of `sqlRow`, the rows in force; `logEvent` where it has rows,
 * so that other stores keep their digests.
 */
import { type Key, open, type RootDatabase } from 'lmdb'
import {
  completionKey,
  type IndexRange,
  type IndexTable,
  type IndexTables,
  postingKey,
} from '../../index/rows/tables.js'
import {
  historyKey,
  type HistoryKey,
  type KeyCodec,
  languageKey,
  type LanguageKey,
  pairKey,
  sessionKey,
  type SessionKey,
  sqlRowKey,
  type SqlRowKey,
  type Pair,
  tagKey,
  type TagKey,
  textKey,
  titleKey,
  type TitleKey,
  u32Key,
} from '../rows/keys.js'
import { memberKey, type MemberKey, memberTimeKey, type MemberTimeKey } from '../rows/categoryRows.js'
import { linkKey, type LinkKey } from '../rows/linkRows.js'
import { eventIndexKey, type EventIndexKey } from '../rows/logEventRows.js'
import { HashingCodec, SealedTable, type SealState } from './sealedTable.js'

export type Table<K> = IndexTable<K>
export type RangeQuery<K> = IndexRange<K>

/** The range of a whole table. */
export const WHOLE_TABLE = { start: undefined } as const

/**
 * The two sets of index tables: one is in force, the other is spare, or a rebuild fills it. See search/indexState.ts.
 */
export type IndexName = 'a' | 'b'

/** The categories of pages in one index: see rows/categoryRows.ts. */
export interface CategoryTables {
  /** page id → its categories. */
  readonly pageCategories: Table<number>
  /** category, kind, sort key, page id → nothing. */
  readonly categoryMember: Table<MemberKey>
  /** category, time, page id → nothing. */
  readonly categoryTime: Table<MemberTimeKey>
  /** category → numbers of its members. */
  readonly categoryCount: Table<string>
}

/** The links of pages in one index: see rows/linkRows.ts. */
export interface LinkTables {
  /** page id → its links. */
  readonly pageLinks: Table<number>
  /** kind, target, first page id → pages with the target. */
  readonly linkSource: Table<LinkKey>
}

/** One index: its tables, and the pages that it lacks. */
export interface IndexSet extends IndexTables, CategoryTables, LinkTables {
  /** page id → generation in which the page changed, of pages that the index has yet to take in. */
  readonly indexQueue: Table<number>
}

/** A store, or another object with its tables. Code outside of src/storage passes it on and never reads `tables`. */
export interface TableHolder {
  readonly tables: Tables
}

/** The part of a store that writes rows. See `Store.transact`. */
export interface TableWriter extends TableHolder {
  transact<T>(action: () => T): T
}

/** The part of a store that writes derived rows. See `Store.transactDerived`. */
export interface DerivedWriter extends TableHolder {
  transactDerived<T>(action: () => T): T
}

export interface Tables {
  /** Derived: both indexes. */
  readonly indexes: Readonly<Record<IndexName, IndexSet>>

  /** name → JSON: format, store id, site, counters, position in the log, running import. */
  readonly meta: Table<string> & {
    /** A copy of the stored row with its seal, which is not checked. */
    getUnchecked(key: string): Buffer | undefined
  }
  /** title → ready page object with source. */
  readonly title: Table<TitleKey>
  /** page id → title, counters, redirect target. */
  readonly page: Table<number>
  /** revision id → page id and time: the way to its history row. */
  readonly rev: Table<number>
  /** page, time, revision → ready revision object and its facts. */
  readonly history: Table<HistoryKey>
  /** time, revision → nothing: derived. This and the next one are lists of all revisions: see changeLists.ts. */
  readonly revisionTime: Table<Pair>
  /** actor, time, revision → nothing. */
  readonly actorRevision: Table<HistoryKey>
  /** id → entry of the wiki's public log. See rows/logEventRows.ts. */
  readonly logEvent: Table<number>
  /** kind, name, time, id → nothing: derived. Lists of these entries. */
  readonly eventIndex: Table<EventIndexKey>
  /** time, position of an entry → nothing: derived. See upstream/mirrorChanges.ts. */
  readonly mirrorChange: Table<Pair>
  /** tag, page, time, revision → nothing: the ranges behind filters. */
  readonly tag: Table<TagKey>
  /** name or `#id` of an editor → actor id. */
  readonly actor: Table<string>
  /** actor id → user id and name. */
  readonly actorName: Table<number>
  /** page, actor → number of edits. */
  readonly editor: Table<Pair>
  /** user id → account: name, password hash, groups. */
  readonly user: Table<number>
  /** name of an account, or of an imported editor with an id → user id. */
  readonly userName: Table<string>
  /** token id → owner, hash of the secret, scopes, expiry. */
  readonly token: Table<number>
  /** title, with or without a page → protection. */
  readonly protection: Table<TitleKey>
  /** revision id → comment and user that were hidden. */
  readonly hidden: Table<number>
  /** kind, id → what was erased of a revision or a page, so that no dump brings it again. See pages/erased.ts. */
  readonly erased: Table<Pair>
  /** number → words that are still to be taken out of the log: derived. */
  readonly erasing: Table<number>
  /** dbkey of a file's page → facts of the file. */
  readonly file: Table<string>
  /** page id → facts of the file that was deleted with the page, and can come back with it. */
  readonly deletedFile: Table<number>
  /** set, table, id → rows of an SQL table: see sqlTables/sqlTables.ts. */
  readonly sqlRow: Table<SqlRowKey>
  /** language and title, page id → nothing: derived. See sqlTables/languagePages.ts. */
  readonly languagePage: Table<LanguageKey>
  /** end and hash of a session's secret → user: derived. */
  readonly session: Table<SessionKey>
  /** position → entry. */
  readonly log: Table<Pair>
  /** entry id → position and verdict. */
  readonly entry: Table<string>
  /** position → digest of a shared log, for the newest positions: derived. See apply/sharedEntries.ts. */
  readonly chain: Table<Pair>
  /** slot → what a write transaction changed for searches: derived. See search/searchChanges.ts. */
  readonly searchChange: Table<number>
  /** revision id → text of every revision but the latest: full or as a delta. */
  readonly text: Table<number>
  /** revision id → its HTML, ready to send. This and the next six are derived: see renderings.ts. */
  readonly html: Table<number>
  /** revision id → where its HTML came from: pages that were used, places in the wikitext. */
  readonly htmlOrigin: Table<number>
  /** revision id → HTML that another server made, to be cleaned: derived. See importedHtml.ts. */
  readonly importedHtml: Table<number>
  /** hash of a title (two halves), revision id → how the revision's HTML used the page. */
  readonly htmlUse: Table<HistoryKey>
  /** sequence → revision id: renderings by age. */
  readonly htmlAge: Table<Pair>
  /** revision id → nothing: HTML that is to be rendered again. */
  readonly htmlQueue: Table<number>
  /** sequence → renderings still to be dropped. */
  readonly htmlWork: Table<Pair>
}

/** Tables whose rows the digest of a store covers byte by byte, in this order. */
export const DIGESTED_TABLES = [
  'title',
  'page',
  'rev',
  'history',
  'tag',
  'actor',
  'actorName',
  'editor',
  'user',
  'userName',
  'token',
  'protection',
  'hidden',
  'erased',
  'file',
  'log',
  'entry',
] as const satisfies readonly Exclude<keyof Tables, 'indexes'>[]

/** Keys of the tables of one index. */
const INDEX_KEYS = {
  bodyPostings: postingKey,
  strongPostings: postingKey,
  titlePostings: postingKey,
  indexed: u32Key,
  completion: completionKey,
  prominent: titleKey,
  pageCategories: u32Key,
  categoryMember: memberKey,
  categoryTime: memberTimeKey,
  categoryCount: textKey,
  pageLinks: u32Key,
  linkSource: linkKey,
  indexQueue: u32Key,
} as const satisfies Record<keyof IndexSet, Pick<KeyCodec<unknown>, 'readKey'>>

/** Encodings of keys, by the names that tables have in the environment. */
export const TABLE_KEYS = {
  ...INDEX_KEYS,
  bodyPostingsB: INDEX_KEYS.bodyPostings,
  strongPostingsB: INDEX_KEYS.strongPostings,
  titlePostingsB: INDEX_KEYS.titlePostings,
  indexedB: INDEX_KEYS.indexed,
  completionB: INDEX_KEYS.completion,
  prominentB: INDEX_KEYS.prominent,
  pageCategoriesB: INDEX_KEYS.pageCategories,
  categoryMemberB: INDEX_KEYS.categoryMember,
  categoryTimeB: INDEX_KEYS.categoryTime,
  categoryCountB: INDEX_KEYS.categoryCount,
  pageLinksB: INDEX_KEYS.pageLinks,
  linkSourceB: INDEX_KEYS.linkSource,
  indexQueueB: INDEX_KEYS.indexQueue,

  meta: textKey,
  title: titleKey,
  page: u32Key,
  rev: u32Key,
  history: historyKey,
  revisionTime: pairKey,
  actorRevision: historyKey,
  logEvent: u32Key,
  eventIndex: eventIndexKey,
  mirrorChange: pairKey,
  tag: tagKey,
  actor: textKey,
  actorName: u32Key,
  editor: pairKey,
  user: u32Key,
  userName: textKey,
  token: u32Key,
  protection: titleKey,
  hidden: u32Key,
  erased: pairKey,
  erasing: u32Key,
  file: textKey,
  deletedFile: u32Key,
  sqlRow: sqlRowKey,
  languagePage: languageKey,
  session: sessionKey,
  log: pairKey,
  entry: textKey,
  chain: pairKey,
  searchChange: u32Key,
  text: u32Key,
  html: u32Key,
  htmlOrigin: u32Key,
  importedHtml: u32Key,
  htmlUse: historyKey,
  htmlAge: pairKey,
  htmlQueue: u32Key,
  htmlWork: pairKey,
} as const satisfies Record<
  Exclude<keyof Tables, 'indexes'> | keyof IndexSet | `${keyof IndexSet}B`,
  Pick<KeyCodec<unknown>, 'readKey'>
>

/** LMDB sizes its reader table when it creates the environment, so every process must use the same number. */
const MAX_READERS = 1024

/**
 * Opens the environment in the folder `path`, which must exist. With `noReadAhead` the system reads only pages that are
 * asked for. The first thread of a process to open the environment decides that for all.
 */
export function openEnvironment(path: string, noReadAhead = false): RootDatabase {
  // lmdb's type leaves `noReadAhead` out.
  const options = { maxDbs: 96, maxReaders: MAX_READERS, cache: false, noReadAhead }
  return open({ path, encoding: 'binary', ...options })
}

export function openTables(root: RootDatabase, seals: SealState): Tables {
  const table = opener(root, seals)
  return {
    indexes: { a: openIndex(table, ''), b: openIndex(table, 'B') },
    meta: table('meta', TABLE_KEYS.meta),
    title: table('title', TABLE_KEYS.title),
    page: table('page', TABLE_KEYS.page),
    rev: table('rev', TABLE_KEYS.rev),
    history: table('history', TABLE_KEYS.history),
    revisionTime: table('revisionTime', TABLE_KEYS.revisionTime),
    actorRevision: table('actorRevision', TABLE_KEYS.actorRevision),
    logEvent: table('logEvent', TABLE_KEYS.logEvent),
    eventIndex: table('eventIndex', TABLE_KEYS.eventIndex),
    mirrorChange: table('mirrorChange', TABLE_KEYS.mirrorChange),
    tag: table('tag', TABLE_KEYS.tag),
    actor: table('actor', TABLE_KEYS.actor),
    actorName: table('actorName', TABLE_KEYS.actorName),
    editor: table('editor', TABLE_KEYS.editor),
    user: table('user', TABLE_KEYS.user),
    userName: table('userName', TABLE_KEYS.userName),
    token: table('token', TABLE_KEYS.token),
    protection: table('protection', TABLE_KEYS.protection),
    hidden: table('hidden', TABLE_KEYS.hidden),
    erased: table('erased', TABLE_KEYS.erased),
    erasing: table('erasing', TABLE_KEYS.erasing),
    file: table('file', TABLE_KEYS.file),
    deletedFile: table('deletedFile', TABLE_KEYS.deletedFile),
    sqlRow: table('sqlRow', TABLE_KEYS.sqlRow),
    languagePage: table('languagePage', TABLE_KEYS.languagePage),
    session: table('session', TABLE_KEYS.session),
    log: table('log', TABLE_KEYS.log),
    entry: table('entry', TABLE_KEYS.entry),
    chain: table('chain', TABLE_KEYS.chain),
    searchChange: table('searchChange', TABLE_KEYS.searchChange),
    text: table('text', TABLE_KEYS.text),
    html: table('html', TABLE_KEYS.html),
    htmlOrigin: table('htmlOrigin', TABLE_KEYS.htmlOrigin),
    importedHtml: table('importedHtml', TABLE_KEYS.importedHtml),
    htmlUse: table('htmlUse', TABLE_KEYS.htmlUse),
    htmlAge: table('htmlAge', TABLE_KEYS.htmlAge),
    htmlQueue: table('htmlQueue', TABLE_KEYS.htmlQueue),
    htmlWork: table('htmlWork', TABLE_KEYS.htmlWork),
  }
}

function opener(root: RootDatabase, seals: SealState): OpenTable {
  return <K>(name: string, codec: KeyCodec<K>): SealedTable<K> => {
    const keyEncoder = new HashingCodec(name, codec, seals.damage)
    // lmdb's type leaves `keyEncoder` out and limits keys to what its own encoders take.
    const options = { encoding: 'binary', keyEncoder, cache: false } as const
    return new SealedTable(name, keyEncoder, root.openDB<Buffer, Key>(name, options), seals)
  }
}

type OpenTable = <K>(name: string, codec: KeyCodec<K>) => SealedTable<K>

function openIndex(table: OpenTable, suffix: '' | 'B'): IndexSet {
  return {
    bodyPostings: table(`bodyPostings${suffix}`, INDEX_KEYS.bodyPostings),
    strongPostings: table(`strongPostings${suffix}`, INDEX_KEYS.strongPostings),
    titlePostings: table(`titlePostings${suffix}`, INDEX_KEYS.titlePostings),
    indexed: table(`indexed${suffix}`, INDEX_KEYS.indexed),
    completion: table(`completion${suffix}`, INDEX_KEYS.completion),
    prominent: table(`prominent${suffix}`, INDEX_KEYS.prominent),
    pageCategories: table(`pageCategories${suffix}`, INDEX_KEYS.pageCategories),
    categoryMember: table(`categoryMember${suffix}`, INDEX_KEYS.categoryMember),
    categoryTime: table(`categoryTime${suffix}`, INDEX_KEYS.categoryTime),
    categoryCount: table(`categoryCount${suffix}`, INDEX_KEYS.categoryCount),
    pageLinks: table(`pageLinks${suffix}`, INDEX_KEYS.pageLinks),
    linkSource: table(`linkSource${suffix}`, INDEX_KEYS.linkSource),
    indexQueue: table(`indexQueue${suffix}`, INDEX_KEYS.indexQueue),
  }
}
