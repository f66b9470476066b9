/**
 * State shared within one write transaction: the tables, the site, and the counters, which are read once and written
 * once.
 */
import { decodeNumber, encodeNumber } from '../rows/rows.js'
import { Namespaces } from '../../domain/namespaces.js'
import { ChangeNotes } from '../../index/rows/searchChange.js'
import type { Editor } from '../../domain/revision.js'
import type { Site } from '../../domain/site.js'
import { actorKey, encodeActor, MAX_ACTOR_KEY_BYTES } from '../accounts/actors.js'
import { type Counters, readBots, readCounters, readSite, writeMeta } from '../tables/meta.js'
import { hasErased } from '../pages/erased.js'
import { actorOfPseudonym } from '../accounts/pseudonyms.js'
import { type EraseRequest, requestErasing } from './eraseRequests.js'
import { PageIndexing } from '../indexing/pageIndexing.js'
import { hasRenderings } from '../html/renderings.js'
import { StatedMarks } from '../sqlTables/statedMarks.js'
import type { Tables } from '../tables/tables.js'
import { readPlace } from '../upstream/place.js'

interface WriteOptions {
  /** Leaves the pages to the bulk build of the search index. */
  readonly indexLater?: boolean
  /** What searches see of the whole transaction. */
  readonly searchNotes?: ChangeNotes
}

export class WriteContext {
  readonly tables: Tables
  readonly site: Site
  readonly namespaces: Namespaces
  /** Names whose edits are a bot's. Use `isBot` for an edit. */
  readonly bots: ReadonlySet<string>
  /** Marks of revisions from imported SQL tables. */
  readonly marks: StatedMarks
  counters: { -readonly [K in keyof Counters]: Counters[K] }
  readonly indexing: PageIndexing
  /** Tells if there is HTML that a change may make outdated. */
  readonly hasRenderings: boolean
  /** Tells if words were erased, which must not come again. */
  readonly hasErased: boolean
  readonly #actorIds = new Map<string, number>()

  constructor(tables: Tables, { indexLater = false, searchNotes = new ChangeNotes() }: WriteOptions = {}) {
    this.tables = tables
    this.site = readSite(tables)
    this.namespaces = new Namespaces(this.site)
    this.bots = readBots(tables)
    this.marks = new StatedMarks(tables)
    this.counters = { ...readCounters(tables) }
    this.indexing = new PageIndexing(tables, this.namespaces, indexLater, searchNotes)
    this.hasRenderings = hasRenderings(tables)
    this.hasErased = hasErased(tables)
  }

  /** Writes the counters. Call it last in a transaction. */
  finish(): void {
    writeMeta(this.tables, 'counters', this.counters)
  }

  isBot(editor: Editor): boolean {
    return this.bots.has(editor.name) || this.marks.isBot(editor)
  }

  /** The actor id of an editor. A new editor gets the next one. */
  actorId(editor: Editor): number {
    const key = actorKey(editor)
    const cacheKey = editor.id === null ? key : `${key} ${editor.name}`
    let id = this.#actorIds.get(cacheKey)
    if (id !== undefined) return id
    const row = this.tables.actor.getBinaryFast(key)
    id = row ? decodeNumber(row) : this.#erasedActor(editor)
    if (id === undefined) {
      id = ++this.counters.actors
      this.tables.actor.putSync(key, encodeNumber(id))
      this.tables.actorName.putSync(id, encodeActor(editor))
    }
    if (editor.id !== null) this.#noteUser(editor.id, editor.name)
    this.#actorIds.set(cacheKey, id)
    return id
  }

  /** The actor in the pseudonym of an erased editor, if a dump has brought it by its name before. */
  #erasedActor(editor: Editor): number | undefined {
    const id = actorOfPseudonym(editor)
    return id !== undefined && id <= this.counters.actors ? id : undefined
  }

  /**
   * Words go from the wiki in this transaction: they are to go from the log, too, and their bytes from the file. Call
   * it wherever an entry takes words away for good.
   */
  erase(request: EraseRequest): void {
    requestErasing(this.tables, request)
  }

  /** A followed wiki does not show these editors any more in some place: names that no place shows are to go. */
  forgetEditors(editors: readonly (Editor | undefined)[]): void {
    const named = editors.filter((editor) => editor !== undefined)
    if (named.length > 0 && readPlace(this.tables) !== undefined)
      this.erase({ of: 'editors', editors: named })
  }

  /** Makes an editor findable by each name in revisions, unless an editor with another id had the name before. */
  #noteUser(userId: number, name: string): void {
    if (userId >= this.counters.nextUserId) this.counters.nextUserId = userId + 1
    if (name === '' || Buffer.byteLength(name) > MAX_ACTOR_KEY_BYTES) return
    if (!this.tables.userName.doesExist(name)) this.tables.userName.putSync(name, encodeNumber(userId))
  }

  /** Raises the counters for new ids above ids that came from outside. */
  noteIds(pageId: number, revisionId: number): void {
    if (pageId >= this.counters.nextPageId) this.counters.nextPageId = pageId + 1
    if (revisionId >= this.counters.nextRevisionId) this.counters.nextRevisionId = revisionId + 1
  }
}
