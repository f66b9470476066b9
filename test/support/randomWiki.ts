/** A wiki of our own that changes by chance in every way that a followed wiki can. */
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { START } from './store.js'
import type { ModelPage, ModelRevision, WikiModel } from './wikiModel.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Page = Mutable<Omit<ModelPage, 'revisions'>> & { revisions: Stored[] }
/** What the wiki knows of a revision, with marks for the parts that it hides. */
interface Stored {
  id: number
  parentId: number
  timestamp: number
  minor: boolean
  userId: number
  comment: string
  text: string
  hides: { text: boolean; comment: boolean; user: boolean }
}

const WORDS = ['oak', 'ash', 'elm', 'fir', 'yew', 'box', 'bay', 'fig']
const TITLES = ['Oak', 'Ash', 'Elm', 'Fir', 'Yew', 'Box', 'Bay', 'Fig', 'Ivy']

export class RandomWiki {
  readonly #random: () => number
  #pages = new Map<number, Page>()
  /** Deleted pages, and deleted revisions of present ones. */
  #archive: Page[] = []
  #names = new Map([1, 2, 3, 4].map((id) => [id, `User ${id}`]))
  #bots = new Set<string>()
  #protected = new Map<string, WikiModel['protections'][number]>()
  #nextPage = 1
  #nextRevision = 1
  #time = START

  constructor(random: () => number) {
    this.#random = random
  }

  /** Changes the wiki once. */
  change(): void {
    const changes = [
      () => this.#edit(),
      () => this.#edit(),
      () => this.#edit(),
      () => this.#edit(),
      () => this.#create(),
      () => this.#create(),
      () => this.#delete(),
      () => this.#restore(),
      () => this.#move(),
      () => this.#exchangeTitles(),
      () => this.#merge(),
      () => this.#hide(),
      () => this.#hide(),
      () => this.#deleteRevisions(),
      () => this.#importOld(),
      () => this.#stateLatest(),
      () => this.#rename(),
      () => this.#protect(),
      () => this.#toggleBot(),
    ]
    this.#pick(changes)?.()
  }

  model(): WikiModel {
    return {
      pages: [...this.#pages.values()].map((page) => ({
        ...page,
        revisions: page.revisions.map((one) => this.#shown(one)),
      })),
      protections: [...this.#protected.values()],
      files: [],
      users: [...this.#names].map(([userId, name]) => ({ userId, name })),
      bots: [...this.#bots],
      site: { ...DEFAULT_SITE, name: 'Random', wikiId: 'random' },
      interwiki: [{ prefix: 'w', url: 'https://w.example/$1' }],
    }
  }

  #shown({ userId, hides, comment, text, ...facts }: Stored): ModelRevision {
    const editor =
      userId === 0 ? { id: null, name: '192.0.2.7' } : { id: userId, name: this.#names.get(userId)! }
    return {
      ...facts,
      contentModel: 'wikitext',
      sizeBytes: Buffer.byteLength(text),
      editor: hides.user ? undefined : editor,
      comment: hides.comment ? undefined : comment,
      text: hides.text ? undefined : text,
    }
  }

  #pick<Item>(items: Iterable<Item>): Item | undefined {
    const list = [...items]
    return list[Math.floor(this.#random() * list.length)]
  }

  #chance(part: number): boolean {
    return this.#random() < part
  }

  #page(): Page | undefined {
    return this.#pick(this.#pages.values())
  }

  #revision(parentId: number, text: string, timestamp = this.#tick()): Stored {
    return {
      id: this.#nextRevision++,
      parentId,
      timestamp,
      minor: this.#chance(0.2),
      userId: Math.floor(this.#random() * 5),
      comment: `${this.#pick(WORDS)} ${this.#nextRevision}`,
      text,
      hides: { text: false, comment: false, user: false },
    }
  }

  /** Some changes share their second. */
  #tick(): number {
    if (this.#chance(0.7)) this.#time += Math.floor(this.#random() * 100)
    return this.#time
  }

  #text(before = ''): string {
    const lines = before.split('\n')
    lines.splice(
      Math.floor(this.#random() * lines.length),
      this.#chance(0.3) ? 1 : 0,
      `${this.#pick(WORDS)} `.repeat(9),
    )
    return lines.join('\n')
  }

  #free(): string | undefined {
    const taken = new Set([...this.#pages.values()].map(({ dbkey }) => dbkey))
    return this.#pick(TITLES.filter((title) => !taken.has(title)))
  }

  #create(dbkey = this.#free(), text = this.#text(), redirectTarget: string | null = null): void {
    if (dbkey === undefined) return
    const revision = this.#revision(0, text)
    const id = this.#nextPage++
    this.#pages.set(id, {
      id,
      namespace: 0,
      dbkey,
      latestId: revision.id,
      redirectTarget,
      revisions: [revision],
    })
  }

  #edit(): void {
    const page = this.#page()
    if (page === undefined) return
    const latest = page.revisions.find(({ id }) => id === page.latestId)!
    // Some edits restore an earlier text.
    const text = this.#chance(0.2) ? this.#pick(page.revisions)!.text : this.#text(latest.text)
    this.#append(page, this.#revision(page.latestId, text))
    page.redirectTarget = this.#chance(0.1) ? 'Oak#Leaf' : null
  }

  #append(page: Page, revision: Stored): void {
    page.revisions.push(revision)
    page.latestId = revision.id
  }

  #delete(): void {
    const page = this.#page()
    if (page === undefined) return
    this.#pages.delete(page.id)
    this.#archive.push(page)
  }

  /** A page comes back under its id, or its revisions under that of the page that has the title now. */
  #restore(): void {
    const page = this.#pick(this.#archive)
    if (page === undefined) return
    this.#archive.splice(this.#archive.indexOf(page), 1)
    const occupant = [...this.#pages.values()].find(({ id, dbkey }) => id === page.id || dbkey === page.dbkey)
    // The former latest revision may have stayed, and gone since.
    if (!page.revisions.some(({ id }) => id === page.latestId)) page.latestId = newestOf(page).id
    if (occupant === undefined) this.#pages.set(page.id, page)
    else occupant.revisions.push(...page.revisions)
  }

  #move(): void {
    const [page, title] = [this.#page(), this.#free()]
    if (page === undefined || title === undefined) return
    const left = page.dbkey
    page.dbkey = title
    const { text } = page.revisions.find(({ id }) => id === page.latestId)!
    this.#append(page, this.#revision(page.latestId, text))
    if (this.#chance(0.6)) this.#create(left, `#REDIRECT [[${title}]]`, title)
  }

  #exchangeTitles(): void {
    const [one, other] = [this.#page(), this.#page()]
    if (one !== undefined && other !== undefined) [one.dbkey, other.dbkey] = [other.dbkey, one.dbkey]
  }

  #merge(): void {
    const [from, to] = [this.#page(), this.#page()]
    if (from === undefined || to === undefined || from === to) return
    const moved = from.revisions.filter(() => this.#chance(0.7))
    from.revisions = from.revisions.filter((one) => !moved.includes(one))
    to.revisions.push(...moved)
    if (from.revisions.length === 0) this.#pages.delete(from.id)
    else from.latestId = newestOf(from).id
    to.latestId = newestOf(to).id
    to.redirectTarget = null
  }

  #hide(): void {
    const revision = this.#pick(this.#page()?.revisions ?? [])
    if (revision === undefined) return
    revision.hides = { text: this.#chance(0.4), comment: this.#chance(0.4), user: this.#chance(0.4) }
  }

  #deleteRevisions(): void {
    const page = this.#page()
    if (page === undefined) return
    const gone = page.revisions.filter(() => this.#chance(0.3))
    if (gone.length === page.revisions.length) return
    page.revisions = page.revisions.filter((one) => !gone.includes(one))
    page.latestId = newestOf(page).id
    if (gone.length > 0) this.#archive.push({ ...page, revisions: gone })
  }

  /** Revisions of the past come with an import, with new ids. */
  #importOld(): void {
    const page = this.#page()
    if (page === undefined) return
    const at = START - 1000 + Math.floor(this.#random() * (this.#time - START + 1000))
    page.revisions.push(
      this.#revision(0, this.#text(), at),
      this.#revision(this.#nextRevision - 1, this.#text(), at),
    )
  }

  #stateLatest(): void {
    const page = this.#page()
    if (page !== undefined) page.latestId = this.#pick(page.revisions)!.id
  }

  #rename(): void {
    const id = this.#pick(this.#names.keys())!
    const before = this.#names.get(id)!
    const name = `Renamed ${this.#nextRevision++}`
    this.#names.set(id, name)
    if (this.#bots.delete(before)) this.#bots.add(name)
  }

  #protect(): void {
    const dbkey = this.#pick(TITLES)!
    if (this.#chance(0.4)) this.#protected.delete(dbkey)
    else this.#protected.set(dbkey, { namespace: 0, dbkey, edit: 'sysop', create: 'user', expires: null })
  }

  #toggleBot(): void {
    const name = this.#pick(this.#names.values())!
    if (!this.#bots.delete(name)) this.#bots.add(name)
  }
}

const newestOf = ({ revisions }: Page): Stored =>
  revisions.reduce((a, b) =>
    b.timestamp > a.timestamp || (b.timestamp === a.timestamp && b.id > a.id) ? b : a,
  )
