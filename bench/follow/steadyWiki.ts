/** A wiki that answers the follower's requests, each after the same time. Its pages are edited in turn. */
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { formatTimestamp } from '../../src/domain/timestamp.js'

type Query = Readonly<Record<string, string>>

interface Revision {
  readonly id: number
  readonly pageId: number
  readonly parentId: number
  readonly time: number
  readonly text: string
}

const ROWS = 500
const START = 1_600_000_000

export class SteadyWiki {
  /** Requests so far, and the most at one time. */
  requests = 0
  mostOpen = 0
  answerMs = 0
  readonly #pages: number
  readonly #textOf: (pageId: number, before: string | undefined) => string
  readonly #revisions: Revision[] = []
  readonly #latest = new Map<number, Revision>()
  readonly #rows: { readonly time: number; readonly fields: object }[] = []
  readonly #gone = new Set<number>()
  readonly #server = createServer((request, response) => void this.#serve(request.url ?? '', response))
  #open = 0

  /** `textOf` gives the next text of a page. */
  constructor(pages: number, textOf: (pageId: number, before: string | undefined) => string) {
    this.#pages = pages
    this.#textOf = textOf
    for (let pageId = 1; pageId <= pages; pageId++) this.#revise(pageId)
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/w/api.php`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Edits the pages in turn. */
  edit(count: number): void {
    const first = this.#revisions.length
    for (let n = 0; n < count; n++) {
      const pageId = ((first + n) % this.#pages) + 1
      if (this.#gone.has(pageId)) continue
      const { id, parentId, time } = this.#revise(pageId)
      const fields = {
        type: 'edit',
        ns: 0,
        title: titleOf(pageId),
        pageid: pageId,
        revid: id,
        old_revid: parentId,
      }
      this.#rows.push({ time, fields })
    }
  }

  delete(pageId: number): void {
    this.#gone.add(pageId)
    this.#latest.delete(pageId)
    const log = { logtype: 'delete', logaction: 'delete', logparams: {} }
    const fields = { type: 'log', ns: 0, title: titleOf(pageId), pageid: pageId, revid: 0, ...log }
    this.#rows.push({ time: this.#time(), fields })
  }

  /** A second for ten changes. */
  #time(): number {
    return START + Math.floor((this.#revisions.length + this.#rows.length) / 10)
  }

  #revise(pageId: number): Revision {
    const before = this.#latest.get(pageId)
    const id = this.#revisions.length + 1
    const text = this.#textOf(pageId, before?.text)
    const revision = { id, pageId, parentId: before?.id ?? 0, time: this.#time(), text }
    this.#revisions.push(revision)
    this.#latest.set(pageId, revision)
    return revision
  }

  async #serve(url: string, response: ServerResponse): Promise<void> {
    this.requests++
    this.mostOpen = Math.max(this.mostOpen, ++this.#open)
    const query = Object.fromEntries(new URL(url, 'http://x').searchParams)
    const began = performance.now()
    const body = gzipSync(JSON.stringify(this.#answer(query)), { level: 1 })
    const restMs = Math.max(0, this.answerMs - (performance.now() - began))
    await new Promise((resolve) => setTimeout(resolve, restMs))
    this.#open--
    const date = new Date(1000 * (this.#time() + 1000)).toUTCString()
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', date })
      .end(body)
  }

  #answer(query: Query): object {
    if (query['meta'] === 'siteinfo') return { query: siteInfo() }
    if (query['list'] === 'recentchanges') return this.#changes(query)
    if (query['list'] !== undefined) return { query: { [query['list']]: [] } }
    if (query['generator'] !== undefined) return this.#allPages(query)
    if (query['titles'] !== undefined)
      return { query: { pages: query['titles'].split('|').map((t) => this.#info(Number(t.slice(5)))) } }
    if (query['pageids'] !== undefined && query['prop'] === 'revisions')
      return this.#history(Number(query['pageids']), query)
    if (query['pageids'] !== undefined)
      return { query: { pages: query['pageids'].split('|').map((id) => this.#info(Number(id))) } }
    return { query: this.#byRevision((query['revids'] ?? '').split('|').map(Number), query) }
  }

  #changes(query: Query): object {
    const types = (query['rctype'] ?? '').split('|')
    const isNewer = query['rcdir'] !== 'older'
    const from = query['rccontinue'] === undefined ? 0 : Number(query['rccontinue'].split('|')[1])
    const since = query['rcstart'] === undefined ? 0 : Date.parse(query['rcstart']) / 1000
    const limit = Math.min(ROWS, Number(query['rclimit']) || ROWS)
    const found: object[] = []
    let next: number | undefined
    for (let n = from; n < this.#rows.length; n++) {
      const at = isNewer ? n : this.#rows.length - 1 - n
      const { time, fields } = this.#rows[at]!
      if (time < since || !types.includes((fields as { type: string }).type)) continue
      if (found.length === limit) {
        next = n
        break
      }
      found.push({ rcid: at + 1, timestamp: formatTimestamp(time), ...fields })
    }
    const place =
      next === undefined ? {} : { continue: { rccontinue: `20200101000000|${next}`, continue: '-||' } }
    return { query: { recentchanges: found }, ...place }
  }

  #allPages(query: Query): object {
    const from = query['gapcontinue'] === undefined ? 1 : Number(query['gapcontinue'])
    if (query['gapnamespace'] !== '0') return { query: { pages: [] } }
    const ids = Array.from({ length: Math.min(ROWS, this.#pages - from + 1) }, (_, n) => from + n)
    const next = from + ROWS
    return {
      query: { pages: ids.filter((id) => !this.#gone.has(id)).map((id) => this.#info(id)) },
      ...(next <= this.#pages && { continue: { gapcontinue: String(next), continue: 'gapcontinue||' } }),
    }
  }

  #info(pageId: number): object {
    const latest = this.#latest.get(pageId)
    if (latest === undefined) return { pageid: pageId, missing: true }
    return { pageid: pageId, ns: 0, title: titleOf(pageId), lastrevid: latest.id, protection: [] }
  }

  #history(pageId: number, { rvdir }: Query): object {
    const all = this.#revisions.filter((each) => each.pageId === pageId && !this.#gone.has(pageId))
    if (rvdir === 'older') all.reverse()
    return {
      query: {
        pages: [{ ...this.#info(pageId), revisions: all.slice(0, ROWS).map((each) => shown(each, false)) }],
      },
    }
  }

  #byRevision(ids: readonly number[], { prop = '', rvprop = '' }: Query): object {
    const pages = new Map<number, { revisions: object[] }>()
    const bad: Record<string, object> = {}
    for (const id of ids) {
      const revision = this.#revisions[id - 1]
      if (revision === undefined || this.#gone.has(revision.pageId)) {
        bad[id] = { revid: id, missing: true }
        continue
      }
      const info = prop.includes('info') ? this.#info(revision.pageId) : { pageid: revision.pageId }
      const page = pages.get(revision.pageId) ?? { ...info, revisions: [] }
      page.revisions.push(shown(revision, rvprop.includes('content')))
      pages.set(revision.pageId, page)
    }
    return { badrevids: bad, pages: [...pages.values()] }
  }
}

const titleOf = (pageId: number): string => `Page ${String(pageId).padStart(6, '0')}`

function shown({ id, parentId, time, text }: Revision, withText: boolean): object {
  const sha1 = createHash('sha1').update(text).digest('hex')
  const main = { sha1, contentmodel: 'wikitext', ...(withText && { content: text }) }
  const user = { user: `User ${id % 500}`, userid: (id % 500) + 1 }
  const facts = { revid: id, parentid: parentId, timestamp: formatTimestamp(time), ...user }
  return { ...facts, minor: false, comment: `edit ${id}`, size: Buffer.byteLength(text), slots: { main } }
}

function siteInfo(): object {
  const general = {
    sitename: 'Steady',
    wikiid: 'steady',
    lang: 'en',
    base: 'http://steady.example/',
    case: 'first-letter',
  }
  return { general, namespaces: { 0: { id: 0, name: '', case: 'first-letter' } }, interwikimap: [] }
}
