/** Answers of an upstream, checked and in our own words. */
import { createHash } from 'node:crypto'
import { type FileFacts, MEDIA_TYPES, type MediaType, sha1Base36 } from '../../domain/file.js'
import { FILE } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { type StatedLevel, timedProtection, type TimedProtection } from '../../domain/protection.js'
import type { Editor } from '../../domain/revision.js'
import { type Title, titleFromDump } from '../../domain/title.js'
import {
  countOf,
  expiryOf,
  type Fields,
  fieldsOf,
  flagOf,
  idOf,
  idOrZero,
  namespaceOf,
  optionalText,
  rowsOf,
  sha1Of,
  sizeOf,
  textOf,
  timeOf,
  UnknownNamespace,
  unexpected,
  Unstorable,
} from './fields.js'

/** A row of `recentchanges`. It says where to look, and nothing more. */
export interface ChangeRow {
  readonly id: number
  readonly type: 'edit' | 'new' | 'log' | 'other'
  readonly time: number
  /** As of the change; undefined where it is hidden, or no title here. */
  readonly title: Title | undefined
  /** As of the change; 0: none. */
  readonly pageId: number
  readonly revisionId: number
  /** Such as `move/move`; empty for other rows, and where it is hidden. */
  readonly action: string
  readonly parameters: Fields
  /** The subject of a log row is hidden. */
  readonly isActionHidden: boolean
  /** Of all that the row shows: a row that looks different has changed. */
  readonly hash: string
}

export interface PageFacts {
  readonly id: number
  readonly title: Title
  readonly latestId: number
  readonly isRedirect: boolean
  readonly protection: StatedProtection
}

/** Protection as stored: levels that have no name here count as the nearest that has. */
export type StatedProtection = TimedProtection

/** A title without a page. */
export interface MissingTitle {
  readonly title: Title
  readonly protection: StatedProtection
}

/** A revision, without its text. */
export interface RevisionFacts {
  readonly id: number
  readonly pageId: number
  readonly parentId: number
  readonly timestamp: number
  readonly minor: boolean
  /** Undefined: hidden. */
  readonly editor: Editor | undefined
  readonly comment: string | undefined
  readonly sizeBytes: number
  readonly contentModel: string
  /** SHA-1 of the text, in hex; undefined: the text is hidden. */
  readonly sha1: string | undefined
  /** The text, if it came with the facts. */
  readonly text?: string | undefined
}

/** A file, and where its contents are. */
export interface StatedFile {
  readonly dbkey: string
  readonly facts: FileFacts
  readonly url: string
}

/** A page's title by the rules of this wiki. Throws Unstorable for a title that none of its pages can have. */
export function pageTitle(row: Fields, namespaces: Namespaces): Title {
  const text = textOf(row['title'], 'title')
  const namespace = namespaceOf(row['ns'], 'ns')
  if (namespaces.byId(namespace) === undefined) throw new UnknownNamespace(namespace)
  const parsed = titleFromDump(text, namespace, namespaces)
  if (!parsed.ok)
    throw new Unstorable(`the title "${text.slice(0, 300)}" is not valid here (${parsed.error})`)
  if (parsed.title.namespace < 0) throw new Unstorable(`"${text.slice(0, 300)}" is no page`)
  return parsed.title
}

const TYPES = ['edit', 'new', 'log'] as const

export function changeRow(row: Fields, namespaces: Namespaces): ChangeRow {
  const stated = textOf(row['type'], 'type')
  const type = TYPES.find((each) => each === stated) ?? 'other'
  const isNamed = row['logtype'] !== undefined && row['logaction'] !== undefined
  return {
    id: countOf(row['rcid'], 'rcid'),
    type,
    time: timeOf(row['timestamp'], 'timestamp'),
    title: optionalTitle(row, namespaces),
    pageId: idOrZero(row['pageid'], 'pageid'),
    revisionId: idOrZero(row['revid'], 'revid'),
    action: isNamed ? `${textOf(row['logtype'], 'logtype')}/${textOf(row['logaction'], 'logaction')}` : '',
    parameters: parametersOf(row['logparams']),
    isActionHidden: flagOf(row['actionhidden'], 'actionhidden'),
    hash: createHash('sha256').update(JSON.stringify(row)).digest('base64').slice(0, 16),
  }
}

/** PHP writes an object without members as a list. */
const parametersOf = (value: unknown): Fields =>
  value === undefined || Array.isArray(value) ? {} : fieldsOf(value, 'logparams')

/** The title in a field of a row. Undefined if it is missing, or invalid here. */
function optionalTitle(row: Fields, namespaces: Namespaces): Title | undefined {
  if (row['title'] === undefined || row['title'] === '') return undefined
  try {
    return pageTitle(row, namespaces)
  } catch (error) {
    if (error instanceof Unstorable && !(error instanceof UnknownNamespace)) return undefined
    throw error
  }
}

/** A title in a log row's parameters, such as `target_ns` and `target_title`. */
export const titleIn = (
  parameters: Fields,
  ns: string,
  title: string,
  namespaces: Namespaces,
): Title | undefined => optionalTitle({ ns: parameters[ns], title: parameters[title] }, namespaces)

export function pageFacts(row: Fields, namespaces: Namespaces): PageFacts {
  return {
    id: idOf(row['pageid'], 'pageid'),
    title: pageTitle(row, namespaces),
    latestId: idOf(row['lastrevid'], 'lastrevid'),
    isRedirect: flagOf(row['redirect'], 'redirect'),
    protection: protectionOf(row['protection']),
  }
}

/** Leaves out protection that comes from another page, by a cascade. */
export function protectionOf(value: unknown): StatedProtection {
  const own = rowsOf(value, 'protection').filter((row) => row['source'] === undefined)
  const ofType = (type: string): Fields | undefined => own.find((row) => row['type'] === type)
  const edit = ofType('edit')
  const levels = { edit: levelOf(edit), create: levelOf(ofType('create')), move: levelOf(ofType('move')) }
  return timedProtection(levels, edit !== undefined && flagOf(edit['cascade'], 'cascade'))
}

function levelOf(row: Fields | undefined): StatedLevel {
  const name = row === undefined ? '' : textOf(row['level'], 'level')
  if (row === undefined || name === '' || name === '*') return { level: 'none', expires: null }
  const level = name === 'autoconfirmed' || name === 'user' ? 'user' : 'sysop'
  return { level, expires: expiryOf(row['expiry'], 'expiry') }
}

const CONTENT_MODEL = /^[\x21-\x7e]{1,64}$/

const mainSlotOf = (row: Fields): Fields => fieldsOf(fieldsOf(row['slots'], 'slots')['main'], 'slots.main')

export function revisionFacts(row: Fields, pageId: number): RevisionFacts {
  const main = mainSlotOf(row)
  const model = textOf(main['contentmodel'], 'contentmodel')
  const isTextHidden = flagOf(main['sha1hidden'], 'sha1hidden') || flagOf(main['texthidden'], 'texthidden')
  return {
    id: idOf(row['revid'], 'revid'),
    pageId,
    parentId: idOrZero(row['parentid'], 'parentid'),
    timestamp: timeOf(row['timestamp'], 'timestamp'),
    minor: flagOf(row['minor'], 'minor'),
    editor: editorOf(row),
    comment: flagOf(row['commenthidden'], 'commenthidden')
      ? undefined
      : textOf(row['comment'] ?? '', 'comment'),
    sizeBytes: sizeOf(row['size'], 'size'),
    contentModel: CONTENT_MODEL.test(model) ? model : 'wikitext',
    sha1: isTextHidden ? undefined : sha1Of(main['sha1'] ?? sha1In(main['content']), 'sha1'),
    ...(main['content'] !== undefined && { text: textOf(main['content'], 'content') }),
  }
}

/** SHA-1 of a text, for wikis that do not state it. */
function sha1In(text: unknown): string {
  if (text === undefined) throw new Unstorable('neither its text nor the SHA-1 of it is sent')
  return createHash('sha1').update(textOf(text, 'content')).digest('hex')
}

/** True for a revision whose text is shown, but neither sent nor stated by its SHA-1. */
export function lacksSha1(row: Fields): boolean {
  const main = mainSlotOf(row)
  const isHidden = main['sha1hidden'] !== undefined || main['texthidden'] !== undefined
  return !isHidden && main['sha1'] === undefined && main['content'] === undefined
}

/** Undefined where the name is hidden. An account without an id counts as anonymous, such as an imported name. */
function editorOf(row: Fields): Editor | undefined {
  if (flagOf(row['userhidden'], 'userhidden') || row['user'] === undefined) return undefined
  const id = idOrZero(row['userid'], 'userid') || null
  const name = textOf(row['user'], 'user')
  // An account has a name: there is none to show.
  return id !== null && name === '' ? undefined : { id, name }
}

/** The text of a revision's main slot; undefined where the wiki shows none. */
export const revisionText = (row: Fields): string | undefined =>
  optionalText(mainSlotOf(row)['content'], 'content')

/** A file from `allimages`, or from the `imageinfo` of a page. */
export function statedFile(row: Fields, dbkey: string): StatedFile {
  if (flagOf(row['filehidden'], 'filehidden')) throw new Unstorable('its present version is hidden')
  const stated = optionalText(row['mediatype'], 'mediatype') ?? ''
  const facts: FileFacts = {
    sizeBytes: countOf(row['size'], 'size'),
    width: pixels(row['width']),
    height: pixels(row['height']),
    durationSeconds: typeof row['duration'] === 'number' && row['duration'] >= 0 ? row['duration'] : null,
    mediaType: MEDIA_TYPES.find((each): each is MediaType => each === stated) ?? 'UNKNOWN',
    mimeType: mimeTypeOf(row['mime']),
    sha1: sha1Base36(sha1Of(row['sha1'], 'sha1')),
    uploader: editorOf(row),
    timestamp: timeOf(row['timestamp'], 'timestamp'),
    sha256: null,
  }
  return { dbkey, facts, url: textOf(row['url'], 'url') }
}

const pixels = (value: unknown): number =>
  value === undefined ? 0 : Math.min(countOf(value, 'width'), 0xffffffff)

function mimeTypeOf(value: unknown): string {
  const type = optionalText(value, 'mime') ?? ''
  return /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/i.test(type) ? type : 'application/octet-stream'
}

/** The dbkey of a file's page. */
export function fileKey(row: Fields, namespaces: Namespaces): string {
  const title = pageTitle(row, namespaces)
  if (title.namespace !== FILE) throw unexpected('a file outside of its namespace')
  return title.dbkey
}
