/**
 * The indexed state of a page in one row: enough to show the page as a result, to cut an excerpt, and to recompute its
 * postings, so that an edit can remove them.
 *
 *     0 namespace u16   2 flags u8   3 0   4 latest revision u32   8 length of card u16   10 of description u16
 *     12 of title u16   14 of target u16   16 of files u16   18 of text u32
 *     22 card   description   title   target   files   text   auxiliary
 *
 *     card          {"id":…,"key":…,"title":…       open JSON
 *     description   JSON string, or null
 *     title         reading form, without the namespace
 *     target        of a redirect: namespace u16, dbkey; empty when the target cannot be a page here
 *     files         dbkeys of files, each ended by a line break
 *     text, auxiliary   see text/plainText.ts
 */

/** A page as input of the index. */
export interface IndexedPage {
  readonly pageId: number
  readonly namespace: number
  readonly latestId: number
  readonly dbkey: string
  /** With the namespace's name in front, as in answers. */
  readonly key: string
  readonly title: string
  readonly description: string | undefined
  /** Undefined when the page is not a redirect; null when its target cannot be a page here. */
  readonly redirect: RedirectTarget | null | undefined
  /** Dbkeys of the first files in the text, in its order. The files may not exist. */
  readonly files: readonly string[]
  readonly text: string
  readonly auxiliary: string
  /** The latest text is hidden, so only the title is searched. */
  readonly textHidden: boolean
}

export interface RedirectTarget {
  readonly namespace: number
  readonly dbkey: string
}

const FLAG_REDIRECT = 1
const FLAG_TEXT_HIDDEN = 2
const HEAD = 22

export function encodeIndexedRow(page: IndexedPage): Buffer {
  const { redirect } = page
  const parts = [
    Buffer.from(JSON.stringify({ id: page.pageId, key: page.key, title: page.title }).slice(0, -1)),
    Buffer.from(JSON.stringify(page.description ?? null)),
    Buffer.from(titleInRow(page.dbkey)),
    redirect ? encodeTarget(redirect) : Buffer.alloc(0),
    Buffer.from(page.files.map((dbkey) => `${dbkey}\n`).join('')),
    Buffer.from(page.text),
    Buffer.from(page.auxiliary),
  ]
  const head = Buffer.alloc(HEAD)
  head.writeUInt16BE(page.namespace, 0)
  head[2] = (redirect === undefined ? 0 : FLAG_REDIRECT) | (page.textHidden ? FLAG_TEXT_HIDDEN : 0)
  head.writeUInt32BE(page.latestId, 4)
  for (let n = 0; n < 5; n++) head.writeUInt16BE(parts[n]!.length, 8 + 2 * n)
  head.writeUInt32BE(parts[5]!.length, 18)
  return Buffer.concat([head, ...parts])
}

/** Reading form, without the namespace. */
export const titleInRow = (dbkey: string): string => dbkey.replaceAll('_', ' ')

function encodeTarget({ namespace, dbkey }: RedirectTarget): Buffer {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(namespace, 0)
  return Buffer.concat([head, Buffer.from(dbkey)])
}

/** Without the checks of Buffer's methods, since a search makes a view of each of its best pages. */
const u16 = (row: Buffer, at: number): number => (row[at]! << 8) | row[at + 1]!

/** A view of a row that decodes fields on demand. Valid as long as the row's memory. */
export class IndexedRowView {
  readonly row: Buffer
  readonly textStart: number
  readonly textEnd: number
  readonly cardStart = HEAD
  readonly descriptionStart: number
  readonly titleStart: number
  readonly #targetAt: number
  readonly #filesAt: number
  #textWithAuxiliary: Buffer | undefined

  constructor(row: Buffer) {
    this.row = row
    this.descriptionStart = HEAD + u16(row, 8)
    this.titleStart = this.descriptionStart + u16(row, 10)
    this.#targetAt = this.titleStart + u16(row, 12)
    this.#filesAt = this.#targetAt + u16(row, 14)
    this.textStart = this.#filesAt + u16(row, 16)
    this.textEnd = this.textStart + row.readUInt32BE(18)
  }

  get namespace(): number {
    return this.row.readUInt16BE(0)
  }

  get latestId(): number {
    return this.row.readUInt32BE(4)
  }

  get isRedirect(): boolean {
    return (this.row[2]! & FLAG_REDIRECT) !== 0
  }

  get textHidden(): boolean {
    return (this.row[2]! & FLAG_TEXT_HIDDEN) !== 0
  }

  /** Kept, since to make a Buffer takes a third of the time for searching it. */
  get textWithAuxiliary(): Buffer {
    return (this.#textWithAuxiliary ??= this.row.subarray(this.textStart))
  }

  get card(): string {
    return this.#slice(HEAD, this.descriptionStart)
  }

  get descriptionJson(): string {
    return this.#slice(this.descriptionStart, this.titleStart)
  }

  /** Reading form, without the namespace. */
  get title(): string {
    return this.#slice(this.titleStart, this.#targetAt)
  }

  get target(): RedirectTarget | undefined {
    if (this.#targetAt === this.#filesAt) return undefined
    const dbkey = this.#slice(this.#targetAt + 2, this.#filesAt)
    return { namespace: this.row.readUInt16BE(this.#targetAt), dbkey }
  }

  /** Dbkeys of the first files in the text. */
  get files(): string[] {
    return this.#slice(this.#filesAt, this.textStart).split('\n').slice(0, -1)
  }

  /** The indexed text: title, text and auxiliary text. */
  get body(): string {
    return `${this.title}\n${this.#slice(this.textStart, this.textEnd)}\n${this.#slice(this.textEnd, this.row.length)}`
  }

  #slice(start: number, end: number): string {
    return this.row.toString('utf8', start, end)
  }
}
