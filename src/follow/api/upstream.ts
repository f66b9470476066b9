/** The questions that a follower has for a wiki. Each method is one kind of request; lists come in parts. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Title } from '../../domain/title.js'
import { prefixedText } from '../../domain/title.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import {
  type ChangeRow,
  changeRow,
  fileKey,
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
import { type ApiClient, inSmallerParts, type Parameters } from './apiClient.js'
import { UpstreamFault } from './faults.js'
import { type Fields, fieldsOf, flagOf, idOf, listOf, textOf, UnknownNamespace, valuesOf } from './fields.js'
import type { Omissions } from './omissions.js'
import { Requests } from './requests.js'
import type { Lists, PageAnswers, Part, RevisionAnswers, TitleAnswers } from './lists.js'
import { SITE_QUERY, type StatedSite, statedSite } from './siteAnswers.js'

const CHANGE_FIELDS = 'title|ids|timestamp|user|userid|comment|flags|loginfo|sha1'
const REVISION_FIELDS = 'ids|timestamp|flags|user|userid|comment|size|contentmodel|slotsha1'
const FILE_FIELDS = 'timestamp|user|userid|size|dimensions|sha1|mime|mediatype|url'

/** Code of the fault for a namespace that the wiki did not name before. */
export const NEW_NAMESPACE = 'new-namespace'

export class Upstream {
  readonly client: ApiClient
  readonly #requests: Requests
  readonly #namespaces: () => Namespaces
  readonly #omissions: Omissions
  #atOnce = 50
  readonly #unknown = new Set<number>()

  constructor(client: ApiClient, namespaces: () => Namespaces, omissions: Omissions) {
    this.client = client
    this.#requests = new Requests(client)
    this.#namespaces = namespaces
    this.#omissions = omissions
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
    const query = await this.#requests.query({ meta: 'userinfo', uiprop: 'rights' })
    const rights = listOf(fieldsOf(query['userinfo'], 'userinfo')['rights'], 'rights')
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

  async #rows(parameters: Parameters): Promise<Part<ChangeRow>> {
    const fields = { list: 'recentchanges', rcprop: CHANGE_FIELDS, ...parameters }
    const { query, next } = await this.#requests.part(fields, 'rccontinue')
    const rows = listOf(query['recentchanges'], 'recentchanges')
    return {
      items: this.#storable(rows, (row) => changeRow(row, this.#namespaces()), 'change', 'rcid'),
      next,
    }
  }

  // -- Pages -----------------------------------------------------------------------------------------------------

  async pagesById(ids: readonly number[]): Promise<PageAnswers> {
    const found: PageFacts[] = []
    const missing: number[] = []
    for (const some of parts(ids, this.atOnce)) {
      const rows = await this.#pages({ pageids: some.join('|') })
      for (const row of rows) if (isMissing(row)) missing.push(idOf(row['pageid'], 'pageid'))
      found.push(...this.#foundPages(rows))
    }
    return { found, missing: missing.filter((id) => ids.includes(id)) }
  }

  async pagesByTitle(titles: readonly Title[]): Promise<TitleAnswers> {
    const found: PageFacts[] = []
    const missing: MissingTitle[] = []
    for (const some of parts(titles, this.atOnce)) {
      const names = some.map((title) => prefixedText(title, this.#namespaces()))
      const rows = await this.#pages({ titles: names.join('|') })
      const lacking = rows.filter((row) => isMissing(row) && row['title'] !== undefined)
      missing.push(...this.#storable(lacking, (row) => this.#missingTitle(row), 'title', 'title'))
      found.push(...this.#foundPages(rows))
    }
    return { found, missing }
  }

  /** Pages of a namespace by title, 500 at a time. */
  async allPages(namespace: number, next: string | undefined): Promise<Part<PageFacts>> {
    const place = { gapnamespace: namespace, gapcontinue: next, gaplimit: 'max' }
    const fields = { generator: 'allpages', prop: 'info', inprop: 'protection', ...place }
    const part = await this.#requests.part(fields, 'gapcontinue')
    const rows = listOf(part.query['pages'], 'pages').map((row) => fieldsOf(row, 'pages'))
    return { items: this.#foundPages(rows), next: part.next }
  }

  /** Protected titles without a page. */
  async protectedTitles(next: string | undefined): Promise<Part<MissingTitle>> {
    const fields = { list: 'protectedtitles', ptprop: 'level|expiry', ptlimit: 'max', ptcontinue: next }
    const part = await this.#requests.part(fields, 'ptcontinue')
    const rows = listOf(part.query['protectedtitles'], 'protectedtitles')
    const read = (value: unknown): MissingTitle => {
      const row = fieldsOf(value, 'protectedtitles')
      return {
        title: pageTitle(row, this.#namespaces()),
        protection: protectionOf([{ type: 'create', ...row }]),
      }
    }
    return { items: this.#storable(rows, read, 'title', 'title'), next: part.next }
  }

  async #pages(subject: Parameters): Promise<Fields[]> {
    const rows: Fields[] = []
    for await (const query of this.#requests.all({ prop: 'info', inprop: 'protection', ...subject }))
      rows.push(...listOf(query['pages'], 'pages').map((row) => fieldsOf(row, 'pages')))
    return rows
  }

  #foundPages(rows: readonly Fields[]): PageFacts[] {
    // A page whose facts come with the next part of the answer stands in this one by its title alone.
    const present = rows.filter((row) => !isMissing(row) && row['lastrevid'] !== undefined)
    return this.#storable(present, (row) => pageFacts(row as Fields, this.#namespaces()), 'page', 'pageid')
  }

  #missingTitle(row: unknown): MissingTitle {
    const fields = row as Fields
    return { title: pageTitle(fields, this.#namespaces()), protection: protectionOf(fields['protection']) }
  }

  // -- Revisions -------------------------------------------------------------------------------------------------

  /** Revisions by id, with their pages. `withTexts`: and with their texts, as far as the wiki sends them. */
  async revisionsById(ids: readonly number[], withTexts = false): Promise<RevisionAnswers> {
    const answers: Lists<RevisionAnswers> = { found: [], pages: [], missing: [] }
    for (const some of parts(ids, this.atOnce)) {
      const tooLarge = withTexts
        ? await inSmallerParts(some, (fewer) =>
            this.#takeRevisions(fewer, `${REVISION_FIELDS}|content`, answers),
          )
        : some
      if (tooLarge.length > 0) await this.#takeRevisions(tooLarge, REVISION_FIELDS, answers)
    }
    return { ...answers, missing: answers.missing.filter((id) => ids.includes(id)) }
  }

  async #takeRevisions(
    ids: readonly number[],
    rvprop: string,
    { found, pages, missing }: Lists<RevisionAnswers>,
  ): Promise<void> {
    const fields = { prop: 'info|revisions', inprop: 'protection', rvslots: 'main', rvprop }
    for await (const query of this.#requests.all({ ...fields, revids: ids.join('|') })) {
      const bad = valuesOf(query['badrevids'], 'badrevids').map((row) => fieldsOf(row, 'badrevids'))
      missing.push(...bad.map((row) => idOf(row['revid'], 'revid')))
      const rows = listOf(query['pages'], 'pages').map((row) => fieldsOf(row, 'pages'))
      for (const page of rows) found.push(...this.#revisionsOf(page))
      pages.push(...this.#foundPages(rows))
    }
  }

  /** Revisions of a page, 500 at a time, in the order of a history or against it. */
  async history(
    pageId: number,
    direction: 'newer' | 'older',
    next: string | undefined,
  ): Promise<Part<RevisionFacts>> {
    const place = { rvdir: direction, rvlimit: 'max', rvcontinue: next }
    const fields = { prop: 'revisions', pageids: pageId, rvprop: REVISION_FIELDS, rvslots: 'main', ...place }
    const part = await this.#requests.part(fields, 'rvcontinue')
    const items = listOf(part.query['pages'], 'pages').flatMap((page) => this.#revisionsOf(page))
    return { items, next: part.next }
  }

  /** All revisions from a time on, oldest first. `next` continues an earlier part. */
  allRevisions(from: number, next: string | undefined): Promise<Part<RevisionFacts>> {
    return this.#allRevisions({ arvstart: formatTimestamp(from), arvcontinue: next, arvdir: 'newer' })
  }

  /** The newest revisions back to a time, newest first. */
  newestRevisions(until: number, next: string | undefined): Promise<Part<RevisionFacts>> {
    return this.#allRevisions({ arvend: formatTimestamp(until), arvcontinue: next, arvdir: 'older' })
  }

  async #allRevisions(range: Parameters): Promise<Part<RevisionFacts>> {
    const place = { arvlimit: 'max', ...range }
    const fields = { list: 'allrevisions', arvprop: REVISION_FIELDS, arvslots: 'main', ...place }
    const part = await this.#requests.part(fields, 'arvcontinue')
    const items = listOf(part.query['allrevisions'], 'allrevisions').flatMap((page) =>
      this.#revisionsOf(page),
    )
    return { items, next: part.next }
  }

  /** Texts of revisions by id. Hidden ones, and those that are too large to send, are absent. */
  async texts(ids: readonly number[]): Promise<Map<number, string>> {
    const texts = new Map<number, string>()
    for (const some of parts(ids, this.atOnce)) {
      const tooLarge = await inSmallerParts(some, async (fewer) => {
        for await (const query of this.#revisions({ revids: fewer.join('|'), rvprop: 'ids|content' }))
          for (const page of listOf(query['pages'], 'pages')) this.#takeTexts(page, texts)
      })
      for (const id of tooLarge) this.#omissions.name(`revision ${id}: its text is too large to be sent`)
    }
    return texts
  }

  #revisions(subject: Parameters): AsyncGenerator<Fields> {
    return this.#requests.all({ prop: 'revisions', rvslots: 'main', ...subject })
  }

  #revisionsOf(value: unknown): RevisionFacts[] {
    const page = fieldsOf(value, 'pages')
    if (page['revisions'] === undefined) return []
    const pageId = idOf(page['pageid'], 'pageid')
    const rows = listOf(page['revisions'], 'revisions')
    return this.#storable(rows, (row) => revisionFacts(row, pageId), 'revision', 'revid')
  }

  #takeTexts(value: unknown, texts: Map<number, string>): void {
    for (const row of listOf(fieldsOf(value, 'pages')['revisions'], 'revisions')) {
      const id = idOf(fieldsOf(row, 'revisions')['revid'], 'revid')
      const [text] = this.#storable([row], revisionText, 'revision', 'revid')
      if (text !== undefined) texts.set(id, text)
    }
  }

  // -- Files, accounts, site -------------------------------------------------------------------------------------

  /** The files of titles; absent: there is no such file in the wiki itself. */
  async files(titles: readonly Title[]): Promise<StatedFile[]> {
    const files: StatedFile[] = []
    for (const some of parts(titles, this.atOnce)) {
      const names = some.map((title) => prefixedText(title, this.#namespaces()))
      for await (const query of this.#requests.all({
        prop: 'imageinfo',
        iiprop: FILE_FIELDS,
        titles: names.join('|'),
      })) {
        const local = listOf(query['pages'], 'pages')
          .map((row) => fieldsOf(row, 'pages'))
          .filter((row) => row['imagerepository'] === 'local' && row['imageinfo'] !== undefined)
        files.push(...this.#storable(local, (row) => this.#pageFile(row as Fields), 'file', 'title'))
        // Where one title is asked for, the answer goes on with older versions of its file.
        if (local.length > 0 && some.length === 1) break
      }
    }
    return [...new Map(files.reverse().map((file) => [file.dbkey, file])).values()].reverse()
  }

  /** All files by name. */
  async allFiles(next: string | undefined): Promise<Part<StatedFile>> {
    const fields = {
      list: 'allimages',
      aisort: 'name',
      ailimit: 'max',
      aiprop: FILE_FIELDS,
      aicontinue: next,
    }
    const part = await this.#requests.part(fields, 'aicontinue')
    const rows = listOf(part.query['allimages'], 'allimages')
    const read = (value: unknown): StatedFile => {
      const row = fieldsOf(value, 'allimages')
      return statedFile(row, fileKey(row, this.#namespaces()))
    }
    return { items: this.#storable(rows, read, 'file', 'name'), next: part.next }
  }

  #pageFile(page: Fields): StatedFile {
    const [info] = listOf(page['imageinfo'], 'imageinfo')
    return statedFile(fieldsOf(info, 'imageinfo'), fileKey(page, this.#namespaces()))
  }

  /** Names of all accounts in the group `bot`, sorted. */
  async bots(): Promise<string[]> {
    const names: string[] = []
    for (let next: string | undefined; ;) {
      const fields = { list: 'allusers', augroup: 'bot', aulimit: 'max', aufrom: next }
      const part = await this.#requests.part(fields, 'aufrom')
      for (const user of listOf(part.query['allusers'], 'allusers'))
        names.push(textOf(fieldsOf(user, 'allusers')['name'], 'name'))
      if (part.next === undefined) return [...new Set(names)].sort()
      next = part.next
    }
  }

  async site(bots: readonly string[]): Promise<StatedSite> {
    return statedSite(await this.#requests.query(SITE_QUERY), bots)
  }

  #storable<Item>(
    rows: readonly unknown[],
    read: (row: unknown) => Item,
    what: string,
    field: string,
  ): Item[] {
    const readKnown = (row: unknown): Item => this.#inKnownNamespace(() => read(row))
    return this.#omissions.storable(rows, readKnown, (row) => `${what} ${String(fieldsOf(row, what)[field])}`)
  }

  /** A namespace that is new: the fault makes the follower ask for the names of the wiki, once. */
  #inKnownNamespace<Item>(read: () => Item): Item {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof UnknownNamespace) || this.#unknown.has(error.id)) throw error
      this.#unknown.add(error.id)
      throw new UpstreamFault(NEW_NAMESPACE, error.message, { cause: error })
    }
  }
}

const isMissing = (row: Fields): boolean => flagOf(row['missing'], 'missing') || row['invalid'] !== undefined

function* parts<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
