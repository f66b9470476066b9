/** The questions that a follower has for a wiki. Each method is one kind of request; lists come in parts. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import type { Title } from '../../domain/title.js'
import { prefixedText } from '../../domain/title.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import {
  type ChangeRow,
  changeRow,
  fileKey,
  lacksSha1,
  type MissingTitle,
  type PageFacts,
  pageFacts,
  pageTitle,
  protectionOf,
  type RevisionFacts,
  revisionFacts,
  revisionText,
  type StatedFile,
  statedFile,
} from './answers.js'
import type { ApiClient, Parameters } from './apiClient.js'
import { UpstreamFault } from './faults.js'
import {
  type Fields,
  fieldsOf,
  flagOf,
  idOf,
  listOf,
  requiredList,
  requiredRows,
  rowsOf,
  textOf,
  unexpected,
  UnknownNamespace,
  Unstorable,
  valuesOf,
} from './fields.js'
import { inSmallerParts, type Part, parts, Requests } from './requests.js'
import { SITE_QUERY, type StatedSite, statedSite } from './siteinfo.js'

const CHANGE_FIELDS = 'title|ids|timestamp|user|userid|comment|flags|loginfo|sha1'
const FILE_FIELDS = 'timestamp|user|userid|size|dimensions|sha1|mime|mediatype|url'
const REVISION_FIELDS = 'ids|timestamp|flags|user|userid|comment|size|contentmodel|slotsha1'

/** Greater wikis have some hundred. */
const MOST_BOTS = 100_000
/** Omissions that are remembered. Further ones may be named again. */
const MOST_OMISSIONS = 10_000
/** A single answer without may be a fault of the moment. */
const ANSWERS_WITHOUT_SHA1 = 3
/** Code of the fault for a namespace that the wiki did not name before. */
export const NEW_NAMESPACE = 'new-namespace'

export interface RevisionAnswers {
  readonly found: RevisionFacts[]
  /** The pages that they belong to. */
  readonly pages: PageFacts[]
  /** Ids that are no revision of a page there. */
  readonly missing: number[]
}

export interface PageAnswers<Missing = number> {
  readonly found: PageFacts[]
  readonly missing: Missing[]
}

export class Upstream {
  readonly client: ApiClient
  readonly #requests: Requests
  readonly #namespaces: () => Namespaces
  readonly #tell: (what: string) => void
  readonly #omitted = new Set<string>()
  #atOnce = 50
  #answersWithoutSha1 = 0
  #readsTexts = false
  readonly #unknown = new Set<number>()

  /** `tell` gets the name of each thing that the store cannot hold, once. */
  constructor(client: ApiClient, namespaces: () => Namespaces, tell: (what: string) => void) {
    this.client = client
    this.#requests = new Requests(client)
    this.#namespaces = namespaces
    this.#tell = tell
  }

  /** Names what the wiki has and the store cannot hold. */
  omit(what: string): void {
    if (this.#omitted.has(what)) return
    if (this.#omitted.size < MOST_OMISSIONS) this.#omitted.add(what)
    this.#tell(what)
  }

  /** The namespaces by which its titles are read. */
  namespaces(): Namespaces {
    return this.#namespaces()
  }

  /** True if pages were left out, since the wiki does not name their namespace. */
  hasUnknownNamespaces(): boolean {
    return [...this.#unknown].some((id) => this.namespaces().byId(id) === undefined)
  }

  /** Ids or titles in one request: 50, or 500 for accounts that have the right `apihighlimits`. */
  get atOnce(): number {
    return this.#atOnce
  }

  /** Asks what the account of the token may do. */
  async readRights(): Promise<void> {
    const rights = await this.#requests.query({ meta: 'userinfo', uiprop: 'rights' }, (query) =>
      requiredList(fieldsOf(query['userinfo'], 'userinfo')['rights'], 'rights'),
    )
    if (rights.includes('apihighlimits')) this.#atOnce = 500
  }

  // -- Changes ---------------------------------------------------------------------------------------------------

  /** Changes from a time on, oldest first. `next` continues an earlier part instead. */
  async changes(
    from: number,
    { next, only = 'edit|new|log' }: { readonly next?: string | undefined; readonly only?: string } = {},
  ): Promise<Part<ChangeRow>> {
    const place = next === undefined ? { rcstart: formatTimestamp(from) } : { rccontinue: next }
    return this.#rows({ ...place, rcdir: 'newer', rctype: only, rclimit: 'max' })
  }

  /** The oldest or the newest change that the wiki still knows; undefined: it knows none. */
  async outermostChange(end: 'oldest' | 'newest'): Promise<ChangeRow | undefined> {
    const rcdir = end === 'oldest' ? 'newer' : 'older'
    const { items } = await this.#rows({ rcdir, rctype: 'edit|new|log', rclimit: 1 })
    return items[0]
  }

  #rows(parameters: Parameters): Promise<Part<ChangeRow>> {
    const read = (row: Fields): ChangeRow => changeRow(row, this.namespaces())
    const fields = { rcprop: CHANGE_FIELDS, ...parameters }
    return this.#list('recentchanges', 'rccontinue', fields, read, ['change', 'rcid'])
  }

  // -- Pages -----------------------------------------------------------------------------------------------------

  async pagesById(ids: readonly number[]): Promise<PageAnswers> {
    const answers: PageAnswers = { found: [], missing: [] }
    for (const some of parts(ids, this.atOnce)) {
      const about = new Set<number>()
      const subject = { pageids: some.join('|') }
      for await (const part of this.#pages(subject, (rows) => this.#pageAnswers(rows, about))) {
        answers.found.push(...part.found)
        answers.missing.push(...part.missing.filter((id) => some.includes(id)))
      }
      requireAll(some, about, 'page')
    }
    return answers
  }

  async pagesByTitle(titles: readonly Title[]): Promise<PageAnswers<MissingTitle>> {
    const answers: PageAnswers<MissingTitle> = { found: [], missing: [] }
    const read = (rows: readonly Fields[]): PageAnswers<MissingTitle> => {
      const lacking = rows.filter((row) => isMissing(row) && row['title'] !== undefined)
      const missingTitle = (row: Fields): MissingTitle => ({
        title: pageTitle(row, this.namespaces()),
        protection: protectionOf(row['protection']),
      })
      const missing = this.#storable(lacking, missingTitle, ['title', 'title'])
      return { found: this.#foundPages(rows), missing }
    }
    for (const some of parts(titles, this.atOnce)) {
      const names = some.map((title) => prefixedText(title, this.namespaces()))
      for await (const { found, missing } of this.#pages({ titles: names.join('|') }, read)) {
        answers.found.push(...found)
        answers.missing.push(...missing)
      }
    }
    return answers
  }

  /** Pages of a namespace by title, 500 at a time. */
  allPages(namespace: number, next: string | undefined): Promise<Part<PageFacts>> {
    const place = { gapnamespace: namespace, gapcontinue: next, gaplimit: 'max' }
    const fields = { generator: 'allpages', prop: 'info', inprop: 'protection', ...place }
    return this.#requests.part(
      fields,
      'gapcontinue',
      (query) => this.#foundPages(rowsOf(query['pages'], 'pages')),
      { mayBeAbsent: true },
    )
  }

  /** Protected titles without a page. */
  protectedTitles(next: string | undefined): Promise<Part<MissingTitle>> {
    const fields = { ptprop: 'level|expiry', ptlimit: 'max', ptcontinue: next }
    const read = (row: Fields): MissingTitle => ({
      title: pageTitle(row, this.namespaces()),
      protection: protectionOf([{ type: 'create', ...row }]),
    })
    return this.#list('protectedtitles', 'ptcontinue', fields, read, ['title', 'title'])
  }

  #pages<Result>(subject: Parameters, read: (rows: readonly Fields[]) => Result): AsyncGenerator<Result> {
    return this.#requests.all({ prop: 'info', inprop: 'protection', ...subject }, (query) =>
      read(requiredRows(query['pages'], 'pages')),
    )
  }

  /** `about` gets the ids that the answer speaks of. */
  #pageAnswers(rows: readonly Fields[], about: Set<number>): PageAnswers {
    const missing = rows.filter(isMissing).map((row) => idOf(row['pageid'], 'pageid'))
    for (const row of rows) about.add(Number(row['pageid']))
    return { found: this.#foundPages(rows), missing }
  }

  #foundPages(rows: readonly Fields[]): PageFacts[] {
    // A page whose facts come with the next part of the answer stands in this one by its title alone.
    const present = rows.filter((row) => !isMissing(row) && row['lastrevid'] !== undefined)
    return this.#storable(present, (row) => pageFacts(row, this.namespaces()), ['page', 'pageid'])
  }

  // -- Revisions -------------------------------------------------------------------------------------------------

  /** Revisions by id, with their pages. `withTexts`: and with their texts, as far as the wiki sends them. */
  async revisionsById(ids: readonly number[], withTexts = false): Promise<RevisionAnswers> {
    const answers: RevisionAnswers = { found: [], pages: [], missing: [] }
    for (const some of parts(ids, this.atOnce)) {
      const tooLarge =
        withTexts || this.#readsTexts
          ? await inSmallerParts(some, (fewer) => this.#takeRevisions(fewer, true, answers))
          : some
      if (tooLarge.length > 0) await this.#takeRevisions(tooLarge, false, answers)
    }
    return answers
  }

  async #takeRevisions(
    ids: readonly number[],
    withTexts: boolean,
    { found, pages, missing }: RevisionAnswers,
  ): Promise<void> {
    const rvprop = this.#fields(withTexts)
    const fields = { prop: 'info|revisions', inprop: 'protection', rvslots: 'main', rvprop }
    const about = new Set<number>()
    const read = (query: Fields): RevisionAnswers => {
      const bad = valuesOf(query['badrevids'], 'badrevids').map((row) => fieldsOf(row, 'badrevids'))
      const lost = bad.map((row) => idOf(row['revid'], 'revid'))
      const rows = rowsOf(query['pages'], 'pages')
      for (const id of lost) about.add(id)
      const shown = rows.flatMap((page) => this.#revisionsOf(page, about))
      return { found: shown, missing: lost, pages: this.#foundPages(rows) }
    }
    const subject = { ...fields, revids: ids.join('|') }
    for await (const part of this.#requests.all(subject, read, { isDivisible: withTexts })) {
      // Nothing else than what was asked for, so that memory is bounded.
      const asked = part.found.filter(({ id }) => ids.includes(id))
      found.push(...(withTexts ? asked : asked.map(withoutText)))
      missing.push(...part.missing.filter((id) => ids.includes(id)))
      pages.push(...part.pages)
    }
    requireAll(ids, about, 'revision')
  }

  /** Revisions of a page, 500 at a time, in the order of a history or against it. */
  history(
    pageId: number,
    direction: 'newer' | 'older',
    next: string | undefined,
  ): Promise<Part<RevisionFacts>> {
    const place = { rvdir: direction, rvlimit: 'max', rvcontinue: next }
    const fields = { prop: 'revisions', pageids: pageId, rvprop: this.#fields(), rvslots: 'main', ...place }
    return this.#requests.part(fields, 'rvcontinue', (query) =>
      requiredRows(query['pages'], 'pages').flatMap((page) => this.#revisionsOf(page).map(withoutText)),
    )
  }

  /** All revisions, oldest first. `next` continues an earlier part. */
  allRevisions(next: string | undefined): Promise<Part<RevisionFacts>> {
    return this.#allRevisions({ arvstart: formatTimestamp(0), arvcontinue: next, arvdir: 'newer' })
  }

  /** The newest revisions back to a time, newest first. */
  newestRevisions(until: number, next: string | undefined): Promise<Part<RevisionFacts>> {
    return this.#allRevisions({ arvend: formatTimestamp(until), arvcontinue: next, arvdir: 'older' })
  }

  #allRevisions(range: Parameters): Promise<Part<RevisionFacts>> {
    const place = { arvlimit: 'max', ...range }
    const fields = { list: 'allrevisions', arvprop: this.#fields(), arvslots: 'main', ...place }
    return this.#requests.part(fields, 'arvcontinue', (query) =>
      requiredRows(query['allrevisions'], 'pages').flatMap((page) =>
        this.#revisionsOf(page).map(withoutText),
      ),
    )
  }

  /** Texts of revisions by id. Hidden ones, and those that are too large to send, are absent. */
  async texts(ids: readonly number[]): Promise<Map<number, string>> {
    const texts = new Map<number, string>()
    for (const some of parts(ids, this.atOnce)) {
      const tooLarge = await inSmallerParts(some, async (fewer) => {
        const fields = { prop: 'revisions', rvslots: 'main', rvprop: 'ids|content' }
        const subject = { ...fields, revids: fewer.join('|') }
        const read = (query: Fields): [number, string][] =>
          rowsOf(query['pages'], 'pages').flatMap((page) => this.#textsOf(page))
        for await (const part of this.#requests.all(subject, read, { isDivisible: true }))
          for (const [id, text] of part) if (fewer.includes(id)) texts.set(id, text)
      })
      for (const id of tooLarge) this.omit(`revision ${id}: its text is too large to be sent`)
    }
    return texts
  }

  /** `about` gets the ids that the answer speaks of. */
  #revisionsOf(page: Fields, about?: Set<number>): RevisionFacts[] {
    if (page['revisions'] === undefined) return []
    const pageId = idOf(page['pageid'], 'pageid')
    const rows = rowsOf(page['revisions'], 'revisions')
    for (const row of rows) about?.add(Number(row['revid']))
    if (rows.some(lacksSha1)) this.#missSha1()
    return this.#storable(rows, (row) => this.#revisionFacts(row, pageId), ['revision', 'revid'])
  }

  /** Newer wikis state no SHA-1 of a slot. After some answers without, texts are asked for in its place. */
  #missSha1(): void {
    if (this.#readsTexts) return
    this.#readsTexts = ++this.#answersWithoutSha1 >= ANSWERS_WITHOUT_SHA1
    throw new UpstreamFault('no-sha1', 'the answer lacks the SHA-1 of a text')
  }

  #revisionFacts(row: Fields, pageId: number): RevisionFacts {
    // An account without name is shown as a hidden one.
    if (row['user'] === '' && row['userid'])
      this.omit(`revision ${String(row['revid'])}: its editor has no name`)
    return revisionFacts(row, pageId)
  }

  /** The fields of revisions to ask for. */
  #fields(withTexts = false): string {
    return withTexts || this.#readsTexts ? `${REVISION_FIELDS}|content` : REVISION_FIELDS
  }

  #textsOf(page: Fields): [number, string][] {
    return rowsOf(page['revisions'], 'revisions').flatMap((row) => {
      const id = idOf(row['revid'], 'revid')
      const [text] = this.#storable([row], revisionText, ['revision', 'revid'])
      return text === undefined ? [] : [[id, text] as [number, string]]
    })
  }

  // -- Files, accounts, site -------------------------------------------------------------------------------------

  /** The files of titles; absent: there is no such file in the wiki itself. */
  async files(titles: readonly Title[]): Promise<StatedFile[]> {
    const files: StatedFile[] = []
    for (const some of parts(titles, this.atOnce)) {
      const names = some.map((title) => prefixedText(title, this.namespaces()))
      const subject = { prop: 'imageinfo', iiprop: `${FILE_FIELDS}|canonicaltitle`, titles: names.join('|') }
      for await (const present of this.#requests.all(subject, (query) => this.#localFiles(query))) {
        files.push(...present)
        // Where one title is asked for, the answer goes on with older versions of its file.
        if (some.length === 1) break
      }
    }
    return [...new Map(files.reverse().map((file) => [file.dbkey, file])).values()].reverse()
  }

  #localFiles(query: Fields): StatedFile[] {
    const infoOf = (page: Fields): Fields => fieldsOf(listOf(page['imageinfo'], 'imageinfo')[0], 'imageinfo')
    const local = requiredRows(query['pages'], 'pages').filter(
      (row) =>
        row['imagerepository'] === 'local' &&
        row['imageinfo'] !== undefined &&
        // A redirect shows the file that it leads to.
        (infoOf(row)['canonicaltitle'] ?? row['title']) === row['title'],
    )
    const read = (page: Fields): StatedFile => statedFile(infoOf(page), fileKey(page, this.namespaces()))
    return this.#storable(local, read, ['file', 'title'])
  }

  /** All files by name. */
  allFiles(next: string | undefined): Promise<Part<StatedFile>> {
    const fields = { aisort: 'name', ailimit: 'max', aiprop: FILE_FIELDS, aicontinue: next }
    const read = (row: Fields): StatedFile => statedFile(row, fileKey(row, this.namespaces()))
    return this.#list('allimages', 'aicontinue', fields, read, ['file', 'name'])
  }

  /** Names of all accounts in the group `bot`, sorted. */
  async bots(): Promise<string[]> {
    const names: string[] = []
    const read = (user: Fields): string => textOf(user['name'], 'name')
    let next: string | undefined
    do {
      const fields = { augroup: 'bot', aulimit: 'max', aufrom: next }
      const part: Part<string> = await this.#list('allusers', 'aufrom', fields, read, ['account', 'userid'])
      names.push(...part.items)
      next = part.next
      if (names.length > MOST_BOTS) throw unexpected(`it has more than ${MOST_BOTS} bots`)
    } while (next !== undefined)
    return [...new Set(names)].sort()
  }

  /** `known` is the site as the store has it. */
  site(known: Partial<Site> & Pick<Site, 'bots'>): Promise<StatedSite> {
    return this.#requests.query(SITE_QUERY, (query) => statedSite(query, known, (what) => this.omit(what)))
  }

  // -- Items -----------------------------------------------------------------------------------------------------

  /** A part of a list. `place` names its parameter of continuation. */
  #list<Item>(
    list: string,
    place: string,
    parameters: Parameters,
    read: (row: Fields) => Item,
    name: ItemName,
  ): Promise<Part<Item>> {
    return this.#requests.part({ list, ...parameters }, place, (query) =>
      this.#storable(requiredRows(query[list], list), read, name),
    )
  }

  /** The items that a row of the store can hold. Others are named. */
  #storable<Item>(rows: readonly Fields[], read: (row: Fields) => Item, [what, field]: ItemName): Item[] {
    return rows.flatMap((row) => {
      try {
        return [read(row)]
      } catch (error) {
        if (!(error instanceof Unstorable)) throw error
        if (error instanceof UnknownNamespace) this.#askForNamespace(error)
        this.omit(`${what} ${String(row[field])}: ${error.message}`)
        return []
      }
    })
  }

  /** A namespace that is new: the fault makes the follower ask for the names of the wiki, once. */
  #askForNamespace(error: UnknownNamespace): void {
    if (this.#unknown.has(error.id)) return
    this.#unknown.add(error.id)
    throw new UpstreamFault(NEW_NAMESPACE, error.message, { cause: error })
  }
}

/** What an item is, and the field that names it. */
type ItemName = readonly [what: string, field: string]

/** Texts that nobody asked for would stay in memory. */
const withoutText = ({ text: _text, ...facts }: RevisionFacts): RevisionFacts => facts

/** Throws a fault for an answer that is silent about some of the things that were asked for. */
function requireAll(ids: readonly number[], about: ReadonlySet<number>, what: string): void {
  const lacking = ids.find((id) => !about.has(id))
  if (lacking !== undefined) throw unexpected(`it does not tell of ${what} ${lacking}`)
}

const isMissing = (row: Fields): boolean => flagOf(row['missing'], 'missing') || row['invalid'] !== undefined
