/** The kinds of entries. This table is the only place that defines them. */
import { isSha256 } from '../../domain/file.js'
import { GROUPS, SCOPES } from '../../domain/account.js'
import { PROTECTION_LEVELS } from '../../domain/protection.js'
import type { Entry, GateEntry, Verdict } from '../entries/entries.js'
import { applySession } from '../accounts/accounts.js'
import { SQL_TABLES } from '../rows/sqlTableNames.js'
import { applySite } from './applySite.js'
import { applyToken, applyUser } from './applyAccount.js'
import { createPage, editPage } from './applyEdit.js'
import { deletePage, undeletePage } from './applyDelete.js'
import { applyErase } from './applyErase.js'
import { applyEvents } from './applyEvents.js'
import { applyFile } from './applyFile.js'
import { applyImportEnd, applyPages } from './applyImport.js'
import { movePage } from './applyMove.js'
import { uploadFile } from './applyUpload.js'
import { applyHiding, applyProtection, restrictTitle } from './applyProtection.js'
import { applyTable } from './sqlTables/applyTable.js'
import { applySettings } from './applySettings.js'
import type { WriteContext } from './writeContext.js'
import { applyUpstream } from './upstream/applyUpstream.js'
import { clashIn, STATES_FIELDS } from '../entries/statesFault.js'
import {
  type Check,
  faultyField,
  type Fields,
  isCount,
  isDbkey,
  isEntryId,
  isFlag,
  isId,
  isName,
  isNamespace,
  isObject,
  isSize,
  isText,
  isWellFormedText,
  listOf,
  nullable,
  oneOf,
  optional,
  withFields,
} from '../entries/entryFields.js'
import { readMeta, writeMeta } from '../tables/meta.js'

export interface EntryKind<OfKind> {
  /** Checks of the fields besides `kind`, `id` and `time`; one set for each action if they depend on it. */
  readonly fields: Fields | { readonly byAction: Readonly<Record<string, Fields>> }
  /** Reason why well-formed fields contradict each other. */
  clash?(entry: OfKind): string | undefined
  /** Does not change the look of present revisions, so ready answers stay valid. */
  readonly addsOnly?: true
  /** Its pages wait for the bulk build of the search index. */
  readonly indexLater?: true
  /** A change of pages or files that was made here: a store that follows another wiki refuses it. */
  readonly isLocal?: true
  /** Its row in the log has only the place of its contents, so no other machine could apply it. */
  readonly isPlaceOnly?: true
  apply(context: WriteContext, entry: OfKind): Verdict
}

type Kinds = { readonly [K in Entry['kind']]: EntryKind<Extract<Entry, { kind: K }>> }

const PAGE = { namespace: isNamespace, dbkey: isDbkey }
const TEXT = {
  editor: withFields({ id: nullable(isId), name: isText }),
  comment: isText,
  minor: isFlag,
  contentModel: isName,
  text: isWellFormedText,
}
const PAGE_ACTION = { pageId: isId, ...PAGE, editor: TEXT.editor, reason: isText }
const FILE_NAME = optional(isDbkey)
const LEVEL = oneOf(...PROTECTION_LEVELS)
const PROTECTIONS = listOf(
  withFields({ ...PAGE, edit: LEVEL, create: LEVEL, move: optional(LEVEL), expires: nullable(isCount) }),
)
const isHash: Check = (value) => typeof value === 'string' && isSha256(value)
const FACTS = withFields({ sizeBytes: isSize, sha1: isName, timestamp: isCount, sha256: nullable(isHash) })

const isPlaceHash: Check = (value) => value === '' || isHash(value)
const isSeen = withFields({ sequence: isSize, digest: isHash })
const isPlace = withFields({ url: isWellFormedText, wikiId: isWellFormedText })

export const ENTRY_KINDS: Kinds = {
  create: { fields: { ...PAGE, ...TEXT }, addsOnly: true, isLocal: true, apply: createPage },
  edit: {
    fields: { pageId: isId, baseRevisionId: isId, ...TEXT },
    addsOnly: true,
    isLocal: true,
    apply: editPage,
  },
  move: {
    fields: {
      ...PAGE_ACTION,
      ...TEXT,
      baseRevisionId: isId,
      from: withFields(PAGE),
      redirect: nullable(withFields({ ...PAGE, comment: isText, text: isWellFormedText })),
      replaced: nullable(withFields({ ...PAGE, pageId: isId, latestId: isId, reason: isText })),
      protections: PROTECTIONS,
      file: optional(withFields({ from: isDbkey, to: isDbkey })),
    },
    clash: ({ redirect, replaced, pageId, namespace, dbkey }) => {
      if (replaced?.pageId === pageId) return 'a page would replace itself'
      const isCircle = redirect?.namespace === namespace && redirect.dbkey === dbkey
      return isCircle ? 'a redirect would lead to itself' : undefined
    },
    isLocal: true,
    apply: movePage,
  },
  delete: {
    fields: { ...PAGE_ACTION, protections: PROTECTIONS, file: FILE_NAME },
    isLocal: true,
    apply: deletePage,
  },
  undelete: { fields: { ...PAGE_ACTION, file: FILE_NAME }, isLocal: true, apply: undeletePage },
  upload: {
    fields: {
      ...PAGE,
      ...TEXT,
      pageId: nullable(isId),
      baseRevisionId: nullable(isId),
      file: withFields({ dbkey: isDbkey, facts: FACTS }),
    },
    clash: ({ pageId, baseRevisionId }) =>
      (pageId === null) === (baseRevisionId === null) ? undefined : 'a page has no base, or a base no page',
    addsOnly: true,
    isLocal: true,
    apply: uploadFile,
  },
  restrict: {
    fields: {
      ...PAGE_ACTION,
      pageId: nullable(isId),
      edit: LEVEL,
      create: LEVEL,
      move: optional(LEVEL),
      expires: nullable(isCount),
      action: oneOf('protect', 'modify', 'unprotect'),
      description: isText,
    },
    isLocal: true,
    apply: restrictTitle,
  },
  hide: {
    fields: { revisionId: isId, text: optional(isFlag), comment: optional(isFlag), user: optional(isFlag) },
    apply: applyHiding,
  },
  protect: {
    fields: { ...PAGE, edit: LEVEL, create: LEVEL, expires: nullable(isCount) },
    apply: applyProtection,
  },
  erase: {
    fields: {
      byAction: {
        revisions: { revisionIds: listOf(isId), parts: listOf(oneOf('text', 'comment', 'user')) },
        page: { pageId: isId },
        user: { actorIds: listOf(isId), userId: nullable(isId) },
      },
    },
    apply: applyErase,
  },
  file: {
    fields: { dbkey: isDbkey, facts: nullable(FACTS) },
    addsOnly: true,
    isLocal: true,
    apply: applyFile,
  },
  upstream: {
    fields: { from: isPlaceHash, to: isPlace, ...STATES_FIELDS },
    clash: (states) => clashIn(states),
    // It tells itself when it changes the past.
    addsOnly: true,
    apply: applyUpstream,
  },
  settings: { fields: { site: isObject, interwiki: optional(isObject) }, apply: applySettings },
  user: {
    fields: {
      byAction: {
        create: { name: isDbkey, passwordHash: nullable(isName), groups: listOf(oneOf(...GROUPS)) },
        password: { userId: isId, passwordHash: nullable(isName) },
        groups: { userId: isId, groups: listOf(oneOf(...GROUPS)) },
      },
    },
    apply: applyUser,
  },
  token: {
    fields: {
      byAction: {
        create: {
          userId: isId,
          secretHash: isName,
          scopes: listOf(oneOf(...SCOPES)),
          expires: nullable(isCount),
          name: isText,
        },
        revoke: { tokenId: isId },
      },
    },
    addsOnly: true,
    apply: applyToken,
  },
  site: { fields: { site: isObject }, indexLater: true, apply: applySite },
  pages: {
    fields: { dump: isText, firstPart: isCount, parts: isCount, pages: listOf(isObject) },
    indexLater: true,
    isPlaceOnly: true,
    apply: applyPages,
  },
  events: {
    fields: { dump: isText, firstPart: isCount, parts: isCount, events: listOf(isObject) },
    addsOnly: true,
    isPlaceOnly: true,
    apply: applyEvents,
  },
  import: {
    fields: { name: isText, sha256: nullable(isName), pages: isCount, revisions: isCount },
    apply: applyImportEnd,
  },
  table: {
    fields: {
      table: oneOf(...SQL_TABLES),
      dump: isText,
      sha256: nullable(isName),
      rows: isSize,
      spare: isObject,
    },
    addsOnly: true,
    indexLater: true,
    isPlaceOnly: true,
    apply: applyTable,
  },
  session: {
    fields: {
      change: withFields({
        expires: isCount,
        secretHash: isHash,
        action: oneOf('open', 'close'),
        now: optional(isCount),
        row: optional(withFields({ userId: isId, passwordStamp: isText })),
      }),
    },
    clash: ({ change }) =>
      change.action === 'open' && (change.row === undefined || change.now === undefined)
        ? 'a session opens without its user or its time'
        : undefined,
    addsOnly: true,
    apply: ({ tables }, { change }) => {
      applySession(tables, change)
      return { result: 'done' }
    },
  },
  gate: { fields: { version: isId }, apply: applyGate },
}

/** Tells if another machine can apply an entry of this kind by its row in the log. */
export const isShareable = (kind: Entry['kind']): boolean => ENTRY_KINDS[kind].isPlaceOnly !== true

/** The reason why an entry is malformed; undefined for a well-formed one. */
export function entryFault(entry: Entry): string | undefined {
  const head = faultyField(entry, { id: isEntryId, time: isCount, seen: optional(isSeen) })
  if (head !== undefined) return `${head} is missing or malformed`
  if (!Object.hasOwn(ENTRY_KINDS, entry.kind)) return `kind "${entry.kind}" is not known`
  const { fields } = ENTRY_KINDS[entry.kind]
  const own = isByAction(fields) ? fieldsOfAction(fields.byAction, entry) : fields
  if (own === undefined) return 'action is not known'
  const faulty = faultyField(entry, own)
  if (faulty !== undefined) return `${faulty} is missing or malformed`
  return (ENTRY_KINDS[entry.kind] as EntryKind<Entry>).clash?.(entry)
}

type ByAction = { readonly byAction: Readonly<Record<string, Fields>> }

const isByAction = (fields: Fields | ByAction): fields is ByAction => typeof fields['byAction'] === 'object'

function fieldsOfAction(byAction: ByAction['byAction'], entry: object): Fields | undefined {
  const { action } = entry as { readonly action?: unknown }
  return typeof action === 'string' && Object.hasOwn(byAction, action) ? byAction[action] : undefined
}

/**
 * Newest version of entries that this program understands. A newer kind of entry, or another verdict on an old one,
 * takes a new version, and stays unused until a gate entry raises the version of the log to it.
 */
export const NEWEST_VERSION = 3
/** From this version on, settings may have further names of namespaces, which decide where redirects lead. */
export const WIKI_RULES_VERSION = 2
/** From this version on, pages are moved and deleted, and files uploaded. */
export const PAGE_ACTIONS_VERSION = 3

/** Raises the version of entries that all machines of a wiki understand. */
function applyGate({ tables }: WriteContext, { version }: GateEntry): Verdict {
  const membership = readMeta(tables, 'membership')
  if (membership === undefined || version <= membership.version) return { result: 'done' }
  writeMeta(tables, 'membership', { ...membership, version })
  return { result: 'done' }
}
