/** Checks one page of a store against its own history. */
import { hash } from 'node:crypto'
import { formatTimestamp } from '../../domain/timestamp.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { titleFromDump, prefixedKey, prefixedText, type Title, sameTitle } from '../../domain/title.js'
import { countRevision, editsByActor, HistoryWalk } from '../apply/derive.js'
import { actorKey } from '../accounts/actors.js'
import { DamagedRowError } from '../tables/errors.js'
import { MAX_U32 } from '../rows/keys.js'
import {
  decodeHistoryRow,
  decodeNumber,
  encodeTitleRow,
  type HistoryRow,
  type PageEntry,
  pageMetaJson,
  revisionPageId,
  revisionTime,
  titleRowRun,
} from '../rows/rows.js'
import { readTableState } from '../sqlTables/sqlTables.js'
import { tagsOf } from '../pages/history.js'
import { readTextBytes, textPacking } from '../pages/texts.js'
import { DAMAGED, type RowTotals, unlessDamaged, type VerifyContext } from './context.js'

interface Revision {
  readonly id: number
  readonly timestamp: number
  readonly row: HistoryRow
}

/** The fields of a ready revision object that can be checked. */
interface RevisionObject {
  id: number
  timestamp: string
  minor: boolean
  size: number
  comment: string | null
  user: { id: number | null; name: string } | null
  delta: number | null
}

export class PageCheck {
  revisions = 0
  readonly #context: VerifyContext
  readonly #pageId: number
  readonly #page: PageEntry
  readonly #totals: RowTotals

  constructor(context: VerifyContext, pageId: number, page: PageEntry, totals: RowTotals) {
    this.#context = context
    this.#pageId = pageId
    this.#page = page
    this.#totals = totals
  }

  run(): void {
    const { tables } = this.#context
    const walk = new HistoryWalk(() => undefined, this.#context.marks)
    const counts = { revisions: 0, edits: 0, editors: 0, anonymous: 0, bot: 0, minor: 0, reverted: 0 }
    const facts: HistoryRow[] = []
    let newestId: number | undefined
    let latest: Revision | undefined
    let latestText: Buffer | undefined
    for (const [, timestamp, id] of this.#historyKeys()) {
      this.revisions++
      const bytes = unlessDamaged(this.#context.report, () =>
        tables.history.getBinary([this.#pageId, timestamp, id]),
      )
      if (bytes === undefined) this.#report(`revision ${id}: its history row is not found`)
      if (bytes === undefined || bytes === DAMAGED) continue
      const row = decodeHistoryRow(bytes)
      const revision = { id, timestamp, row }
      this.#checkRow(revision, walk.step({ ...row, id, timestamp }))
      this.#checkIndexes(revision)
      const text = this.#checkText(revision)
      newestId = id
      // Without the stated one, the newest shows which revision the page should have.
      if (this.#page.latestIsNewest || id === this.#page.latestId) [latest, latestText] = [revision, text]
      countRevision(counts, row)
      facts.push({ ...row, json: Buffer.alloc(0) })
    }
    counts.editors = this.#checkEditors(editsByActor(facts))
    this.#checkCounts(counts)
    if (newestId === undefined) this.#report('has no revision')
    else if (latest === undefined)
      this.#report(`its latest revision ${this.#page.latestId} is not in its history`)
    else if (!this.#page.latestIsNewest && latest.id === newestId)
      this.#report('its latest revision is the newest, but marked as another')
    else this.#checkPage(latest, latestText)
  }

  #report(problem: string): void {
    const { namespace, dbkey } = this.#page
    this.#context.report(`page ${this.#pageId} (${namespace}:${dbkey}): ${problem}`)
  }

  #historyKeys(): Iterable<readonly [number, number, number]> {
    const { history } = this.#context.tables
    return [...history.getKeys({ start: [this.#pageId, 0, 0], end: [this.#pageId, MAX_U32, MAX_U32] })]
  }

  /** Checks the ready object against the row's facts and earlier revisions. */
  #checkRow(
    { id, timestamp, row }: Revision,
    derived: { delta: number | undefined; reverted: boolean },
  ): void {
    const object = JSON.parse(row.json.toString()) as RevisionObject
    const wanted: RevisionObject = {
      id,
      timestamp: formatTimestamp(timestamp),
      minor: row.minor,
      size: row.sizeBytes ?? 0,
      comment: object.comment,
      user: object.user,
      delta: derived.delta ?? null,
    }
    if (JSON.stringify(object) !== JSON.stringify(wanted)) this.#report(`revision ${id}: its object differs`)
    if (row.reverted !== derived.reverted && this.#isSettled('change_tag'))
      this.#report(`revision ${id}: marked wrongly as a revert or as none`)
    if ((object.comment === null) !== row.commentHidden)
      this.#report(`revision ${id}: hidden comment differs`)
    if ((object.user === null) !== row.userHidden) this.#report(`revision ${id}: hidden user differs`)
    const { bots, marks } = this.#context
    const bot = object.user !== null && (bots.has(object.user.name) || marks.isBot(object.user))
    if (row.bot !== bot && this.#isSettled('user_groups'))
      this.#report(`revision ${id}: marked wrongly as a bot's or as none`)
    if (row.anonymous !== (object.user !== null && object.user.id === null)) {
      this.#report(`revision ${id}: marked wrongly as anonymous or as none`)
    }
    if ((row.actorId === 0) !== row.userHidden) this.#report(`revision ${id}: its actor differs`)
    else if (row.actorId !== 0) this.#checkActor(id, row.actorId, object.user)
  }

  /** Tells if the revisions of the page have the marks of an imported table. */
  #isSettled(table: 'user_groups' | 'change_tag'): boolean {
    const from = readTableState(this.#context.tables, table)?.unsettledFrom
    return from === undefined || this.#pageId < Number(from)
  }

  /** Checks the shown user of a revision against the actor in its row. */
  #checkActor(id: number, actorId: number, user: RevisionObject['user']): void {
    const { actor, actorName } = this.#context.tables
    if (!actorName.doesExist(actorId)) this.#report(`revision ${id}: its actor ${actorId} is unknown`)
    else if (user !== null) {
      const row = actor.getBinaryFast(actorKey(user))
      if (row === undefined || decodeNumber(row) !== actorId)
        this.#report(`revision ${id}: its user ${user.name} is not its actor ${actorId}`)
    }
  }

  /** Checks the pointer and the tags of a revision. */
  #checkIndexes({ id, timestamp, row }: Revision): void {
    const { tables } = this.#context
    const rev = tables.rev.getBinaryFast(id)
    if (rev === undefined) this.#report(`revision ${id} cannot be found by its id`)
    else if (revisionPageId(rev) !== this.#pageId || revisionTime(rev) !== timestamp) {
      this.#report(`revision ${id}: its id leads to another place`)
    }
    if (this.#context.isListed) this.#checkLists(id, timestamp, row.actorId)
    const tags = tagsOf(row)
    for (const tag of tags) {
      if (!tables.tag.doesExist([tag, this.#pageId, timestamp, id]))
        this.#report(`revision ${id}: tag ${tag} is missing`)
    }
    this.#totals.rev++
    this.#totals.tag += tags.length
  }

  /** Each revision must be in the lists of all revisions. */
  #checkLists(id: number, timestamp: number, actorId: number): void {
    const { revisionTime: byTime, actorRevision } = this.#context.tables
    if (!byTime.doesExist([timestamp, id])) this.#report(`revision ${id} is not listed by time`)
    if (actorId !== 0 && !actorRevision.doesExist([actorId, timestamp, id]))
      this.#report(`revision ${id} is not listed by editor`)
    this.#totals.revisionTime++
    if (actorId !== 0) this.#totals.actorRevision++
  }

  /** Reads the text through its chain, and compares size and SHA-1. Returns it if it is visible. */
  #checkText({ id, row }: Revision): Buffer | undefined {
    const { tables } = this.#context
    const packing = textPacking(tables, id)
    if (packing !== undefined) this.#totals.text++
    if (packing?.baseId !== undefined) this.#checkBase(id, packing.baseId)
    let text: Buffer | undefined
    try {
      text = readTextBytes(tables, id)
    } catch (error) {
      if (error instanceof DamagedRowError) this.#context.report(error.fault)
      this.#report(`revision ${id}: its text cannot be read (${String(error)})`)
      return undefined
    }
    if (row.textHidden) return undefined
    if (text === undefined) this.#report(`revision ${id} has no text`)
    else if (row.hasOtherSlots ? !(text.length <= row.sizeBytes!) : text.length !== row.sizeBytes)
      this.#report(`revision ${id}: ${text.length} bytes, not ${row.sizeBytes}`)
    else if (!hash('sha1', text, 'buffer').equals(row.sha1)) this.#report(`revision ${id}: its SHA-1 differs`)
    return text
  }

  /** A text that built on that of another page would be lost with that page. */
  #checkBase(id: number, baseId: number): void {
    const base = this.#context.tables.rev.getBinaryFast(baseId)
    if (base === undefined || revisionPageId(base) !== this.#pageId)
      this.#report(`revision ${id}: its text builds on revision ${baseId}, which is not of the page`)
  }

  #checkEditors(edits: ReadonlyMap<number, number>): number {
    const { editor } = this.#context.tables
    for (const [actorId, count] of edits) {
      const row = editor.getBinaryFast([this.#pageId, actorId])
      const stored = row && decodeNumber(row)
      if (stored !== count)
        this.#report(`editor ${actorId} has ${count} edits, stored are ${stored ?? 'none'}`)
    }
    this.#totals.editor += edits.size
    return edits.size
  }

  #checkCounts(counts: Record<string, number>): void {
    for (const [name, stored] of Object.entries(this.#page.counts)) {
      if (counts[name] !== stored) this.#report(`${name} says ${stored}, found ${counts[name]}`)
    }
  }

  /** Checks the page's row, then rebuilds its title row and compares it byte by byte. */
  #checkPage(latest: Revision, text: Buffer | undefined): void {
    const page = this.#page
    if (page.latestId !== latest.id || page.latestTimestamp !== latest.timestamp) {
      this.#report(`its latest revision is ${latest.id}, not ${page.latestId}`)
      return
    }
    if (page.deleted) return
    const { tables, namespaces } = this.#context
    const row = tables.title.getBinary([page.namespace, page.dbkey])
    this.#totals.title++
    if (row === undefined) {
      this.#report('cannot be found by its title')
      return
    }
    if (!isNamedByTitle(page, namespaces)) this.#report('no title leads to it: import its dump again')
    if (!latest.row.textHidden && tables.text.doesExist(latest.id))
      this.#report('its latest text is stored twice')
    const wanted = encodeTitleRow({
      pageId: this.#pageId,
      latestId: latest.id,
      latestTimestamp: latest.timestamp,
      redirect: page.redirectTarget !== undefined,
      run: titleRowRun(row),
      metaJson: pageMetaJson({
        id: this.#pageId,
        key: prefixedKey(page, namespaces),
        title: prefixedText(page, namespaces),
        latestId: latest.id,
        latestTime: formatTimestamp(latest.timestamp),
        contentModel: latest.row.contentModel,
      }),
      text: text?.toString(),
    })
    if (!row.equals(wanted)) this.#report('its ready answer differs from its latest revision')
  }
}

/**
 * False if the title that clients see leads elsewhere. Titles that are not valid, and those of undeclared namespaces,
 * lead nowhere: the import has told so.
 */
function isNamedByTitle(page: Title, namespaces: Namespaces): boolean {
  if (namespaces.byId(page.namespace) === undefined) return true
  const parsed = titleFromDump(prefixedText(page, namespaces), page.namespace, namespaces)
  if (!parsed.ok) return true
  return sameTitle(parsed.title, page)
}
