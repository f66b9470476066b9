/** `Store.mirror`: what a follower reads, to compare the store with the wiki that it follows. */
import { createHash } from 'node:crypto'
import type { FileFacts } from '../../domain/file.js'
import type { Interwiki } from '../../domain/interwiki.js'
import type { Editor } from '../../domain/revision.js'
import type { Site } from '../../domain/site.js'
import type { Title } from '../../domain/title.js'
import type { UpstreamPlace } from '../../domain/upstream.js'
import { statedParts } from '../pages/hiddenParts.js'
import { readFile } from '../pages/files.js'
import { readMeta } from '../tables/meta.js'
import {
  getOwnProtection,
  getProtectionRow,
  getStatedProtection,
  type ProtectionRow,
} from '../pages/protections.js'
import { MAX_U32 } from '../rows/keys.js'
import {
  decodeHistoryRow,
  decodePageRow,
  historyActor,
  isMadeHere,
  revisionPageId,
  revisionTime,
  titleRowPageId,
} from '../rows/rows.js'
import type { RangeQuery, Table, Tables } from '../tables/tables.js'
import { readTextBytes } from '../pages/texts.js'
import { actorsNamed } from '../accounts/accounts.js'
import type { PlaceRange } from '../tables/walk.js'
import { type ListedChange, walkMirrorChanges } from './mirrorChanges.js'
import { type MirrorState, mirrorState, readPlace } from './place.js'

export interface MirrorPage {
  readonly id: number
  /** Undefined: another page took its title. */
  readonly title: Title | undefined
  readonly latestId: number
  /** Null: no redirect. */
  readonly redirectTarget: string | null
}

/** A revision as upstream showed it, also in parts that an operator hid here since. */
export interface MirrorRevision {
  readonly id: number
  readonly pageId: number
  readonly timestamp: number
  /** Undefined: hidden. */
  readonly editor: Editor | undefined
  readonly comment: string | undefined
  /** SHA-1 of the text, in hex; undefined: the text is hidden. */
  readonly sha1: string | undefined
}

/** A place in a history, which is ordered by time, then id. */
export interface RevisionPlace {
  readonly timestamp: number
  readonly id: number
}

/** Keys of one step of a walk. */
const STEP = 1000

/**
 * Lists are walked in steps. Each step reads the newest state, and no snapshot is held between two steps. So memory is
 * bounded, and the caller may write meanwhile.
 */
export class MirrorReader {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** Where the store stands in the wiki that it follows; undefined if it follows none. */
  place(): UpstreamPlace | undefined {
    return readPlace(this.#tables)
  }

  /** What the mirror changed beside new revisions, newest first by default. */
  changes(range: PlaceRange): Generator<ListedChange, void> {
    return walkMirrorChanges(this.#tables, range)
  }

  /** What servers tell of the mirror; undefined for a store that follows no wiki. */
  state(): MirrorState | undefined {
    return mirrorState(this.#tables)
  }

  /** The site as its dump or the followed wiki states it; undefined: neither has. */
  site(): Site | undefined {
    return readMeta(this.#tables, 'dumpSite')
  }

  /** The interwiki map as the followed wiki states it, by prefix; undefined: it has not. */
  interwiki(): readonly Interwiki[] | undefined {
    return readMeta(this.#tables, 'upstreamInterwiki')
  }

  /** Names of bots as the followed wiki states them, sorted. */
  bots(): readonly string[] {
    return this.site()?.bots ?? []
  }

  /** A page, with or without a title. */
  page(pageId: number): MirrorPage | undefined {
    const row = this.#tables.page.getBinaryFast(pageId)
    if (row === undefined) return undefined
    const { deleted, namespace, dbkey, latestId, redirectTarget = null } = decodePageRow(row)
    return { id: pageId, title: deleted ? undefined : { namespace, dbkey }, latestId, redirectTarget }
  }

  /** Id of the page with a title. */
  pageWithTitle({ namespace, dbkey }: Title): number | undefined {
    const row = this.#tables.title.getBinaryFast([namespace, dbkey])
    return row && titleRowPageId(row)
  }

  /** Titles of a namespace from one dbkey on, by the bytes of their dbkeys. They end before `before`, if stated. */
  *titles(namespace: number, from = '', before?: string): Generator<{ dbkey: string; pageId: number }> {
    const { title } = this.#tables
    const end = before === undefined ? ([namespace + 1, ''] as const) : ([namespace, before] as const)
    for (const key of walk(title, { start: [namespace, from], end })) {
      const row = title.getBinaryFast(key)
      if (row !== undefined) yield { dbkey: key[1], pageId: titleRowPageId(row) }
    }
  }

  /** Ids of all pages, rising; also of pages without a title. */
  pageIds(): Generator<number> {
    return walk(this.#tables.page, { start: undefined })
  }

  revision(id: number): MirrorRevision | undefined {
    const rev = this.#tables.rev.getBinaryFast(id)
    if (rev === undefined) return undefined
    const [pageId, timestamp] = [revisionPageId(rev), revisionTime(rev)]
    const bytes = this.#tables.history.getBinaryFast([pageId, timestamp, id])
    if (bytes === undefined) return undefined
    const row = decodeHistoryRow(bytes)
    const { editor, comment, hasText } = statedParts(this.#tables, id, row)
    const sha1 = !hasText ? undefined : row.textHidden ? this.#sha1Of(id) : row.sha1.toString('hex')
    return { id, pageId, timestamp, editor, comment, sha1 }
  }

  /** Ids of a page's revisions after one place of its history, up to and with another. */
  *historyIds(pageId: number, after: RevisionPlace, until: RevisionPlace): Generator<number> {
    const start = [pageId, after.timestamp, after.id + 1] as const
    const end = [pageId, until.timestamp, until.id + 1] as const
    const range = {
      start: after.id === MAX_U32 ? ([pageId, after.timestamp + 1, 0] as const) : start,
      end: until.id === MAX_U32 ? ([pageId, until.timestamp, MAX_U32] as const) : end,
    }
    for (const [, , id] of walk(this.#tables.history, range)) yield id
  }

  /** Ids of revisions above one, rising. */
  revisionsAfter(id: number): Generator<number> {
    return walk(this.#tables.rev, { start: id + 1 })
  }

  /**
   * Ids of the revisions that show a name, or belong to its account. Walks over the editors of all pages, about a
   * million pairs of page and editor a second.
   */
  *revisionsBy(name: string): Generator<number> {
    const { editor, history } = this.#tables
    const actors = actorsNamed(this.#tables, name)
    if (actors.size === 0) return
    let last = 0
    for (const [pageId, actorId] of walk(editor, { start: undefined })) {
      if (!actors.has(actorId) || pageId === last) continue
      last = pageId
      for (const key of walk(history, { start: [pageId, 0, 0], end: [pageId, MAX_U32, MAX_U32] })) {
        const row = history.getBinaryFast(key)
        if (row !== undefined && actors.has(historyActor(row))) yield key[2]
      }
    }
  }

  /** Ids of the revisions that were saved here. Walks over all revisions. */
  *revisionsMadeHere(): Generator<number> {
    const { history } = this.#tables
    for (const key of walk(history, { start: undefined })) {
      const row = history.getBinaryFast(key)
      if (row !== undefined && isMadeHere(row)) yield key[2]
    }
  }

  /** The text of a revision, unless upstream hides it. */
  text(revisionId: number): string | undefined {
    return this.revision(revisionId)?.sha1 === undefined
      ? undefined
      : readTextBytes(this.#tables, revisionId)?.toString()
  }

  /** The protection of a title as upstream states it. */
  protection({ namespace, dbkey }: Title): ProtectionRow {
    return getStatedProtection(this.#tables, [namespace, dbkey])
  }

  /** The protection of a title that operators made here, at `time`, in seconds since 1970. */
  ownProtection({ namespace, dbkey }: Title, time: number): ProtectionRow {
    return getOwnProtection(this.#tables, [namespace, dbkey], time)
  }

  /** Titles that upstream protects. */
  *protectedTitles(): Generator<Title> {
    for (const key of walk(this.#tables.protection, { start: undefined })) {
      if (getProtectionRow(this.#tables, key)?.upstream !== undefined)
        yield { namespace: key[0], dbkey: key[1] }
    }
  }

  file(dbkey: string): FileFacts | undefined {
    return readFile(this.#tables, dbkey)
  }

  /** Files from one dbkey on and, if stated, before another, by the bytes of their dbkeys. */
  files(from = '', before?: string): Generator<string> {
    return walk(this.#tables.file, before === undefined ? { start: from } : { start: from, end: before })
  }

  #sha1Of(revisionId: number): string | undefined {
    const text = readTextBytes(this.#tables, revisionId)
    return text && createHash('sha1').update(text).digest('hex')
  }
}

/** The keys of a range, in steps. */
function* walk<K>(table: Table<K>, range: RangeQuery<K>): Generator<K> {
  let start = range.start
  for (let isFirst = true; ; isFirst = false) {
    // The key of the step before begins the next one, unless its row is gone meanwhile.
    const keys = [...table.getKeys({ ...range, start, limit: STEP + 1 })]
    const isRepeated = !isFirst && keys.length > 0 && String(keys[0]) === String(start)
    yield* isRepeated ? keys.slice(1) : keys
    if (keys.length <= STEP) return
    start = keys.at(-1)
  }
}
