/** A MediaWiki of our own in memory: changes, and the part of the action API that shows them. */
import { createHash } from 'node:crypto'
import { formatTimestamp } from '../../src/domain/timestamp.js'
import { START } from './store.js'
import type { WikiHtml, WikiSource } from './upstreamServer.js'

type Parameters = Readonly<Record<string, string>>

export interface SmallPage {
  id: number
  ns: number
  title: string
  latest: number
  protection: { type: string; level: string; expiry: string }[]
}

export interface SmallRevision {
  id: number
  pageId: number
  parentId: number
  time: number
  userId: number
  comment: string
  text: string
  hides: { text?: boolean; user?: boolean; comment?: boolean }
}

interface Row {
  readonly rcid: number
  readonly time: number
  readonly fields: Record<string, unknown>
  readonly revisionId: number
}

interface Archived {
  readonly page: SmallPage
  readonly revisions: SmallRevision[]
}

const NAMESPACES = [
  [0, ''],
  [1, 'Talk'],
  [2, 'User'],
  [6, 'File'],
  [10, 'Template'],
] as const

const hex = (text: string | Buffer): string => createHash('sha1').update(text).digest('hex')

export class SmallWiki implements WikiSource {
  wikiId = 'smallwiki'
  time = START
  readonly pages = new Map<number, SmallPage>()
  readonly revisions = new Map<number, SmallRevision>()
  readonly names = new Map([
    [0, '192.0.2.7'],
    [1, 'Ann'],
    [2, 'Ben'],
  ])
  readonly files = new Map<string, { bytes: Buffer; time: number; title: string; userId: number }>()
  /** Parts of the answer to `meta=siteinfo`, in place of the usual ones. */
  siteinfo: Record<string, unknown> = {}
  rows: Row[] = []
  /** Rows and texts in one answer. */
  most = 500
  origin = 'http://files.invalid'
  readonly #archive: Archived[] = []
  #nextPage = 1
  #nextRevision = 1
  #nextRow = 1

  // -- Changes ---------------------------------------------------------------------------------------------------

  edit(title: string, text: string, { userId = 1, comment = 'edit' } = {}): SmallRevision {
    const known = this.#titled(title)
    const page = known ?? this.#newPage(title)
    const revision = this.#revise(page, text, userId, comment)
    this.#row({ type: known ? 'edit' : 'new', ...this.#subject(page), revid: revision.id }, revision.id)
    return revision
  }

  /** With a redirect, unless `leaves` is false. */
  move(from: string, to: string, { leaves = true } = {}): void {
    const page = this.#titled(from)!
    const { ns } = page
    Object.assign(page, { title: to, ns: namespaceOf(to) })
    const moved = this.#revise(page, this.revisions.get(page.latest)!.text, 1, 'moved')
    this.#log('move/move', ns, from, page.id, moved.id, { target_ns: page.ns, target_title: to })
    if (leaves) this.#revise(this.#newPage(from), `#REDIRECT [[${to}]]`, 1, 'moved')
  }

  /** Takes the rows of the page's edits out of the list, as MediaWiki does. */
  delete(title: string): void {
    const page = this.#titled(title)!
    const revisions = this.#revisionsOf(page.id)
    this.#archive.push({ page, revisions })
    this.pages.delete(page.id)
    for (const { id } of revisions) this.revisions.delete(id)
    this.rows = this.rows.filter(({ fields }) => fields['pageid'] !== page.id || fields['type'] === 'log')
    this.#log('delete/delete', page.ns, title, page.id, 0, {})
  }

  deleteFile(name: string): void {
    this.files.delete(name.replaceAll(' ', '_'))
    this.delete(`File:${name}`)
  }

  restore(title: string): void {
    const at = this.#archive.findIndex(({ page }) => page.title === title)
    const [{ page, revisions }] = this.#archive.splice(at, 1) as [Archived]
    this.pages.set(page.id, page)
    for (const revision of revisions) this.revisions.set(revision.id, revision)
    this.#log('delete/restore', page.ns, title, page.id, 0, {
      count: { revisions: revisions.length, files: 0 },
    })
  }

  hide(id: number, hides: SmallRevision['hides']): void {
    const revision = this.revisions.get(id)!
    revision.hides = hides
    const page = this.pages.get(revision.pageId)!
    this.#log('delete/revision', page.ns, page.title, page.id, 0, { type: 'revision', ids: [id] })
  }

  /** Leaves no row of its own. */
  suppress(id: number): void {
    this.revisions.get(id)!.hides = { text: true, user: true, comment: true }
  }

  protect(title: string, level: string): void {
    const page = this.#titled(title)!
    page.protection = level === '' ? [] : [{ type: 'edit', level, expiry: 'infinity' }]
    const text = this.revisions.get(page.latest)!.text
    this.#log('protect/protect', page.ns, title, page.id, this.#revise(page, text, 1, 'protected').id, {})
  }

  rename(userId: number, name: string): void {
    const olduser = this.names.get(userId)!
    this.names.set(userId, name)
    this.#log('renameuser/renameuser', 2, `User:${olduser}`, 0, 0, { olduser, newuser: name })
  }

  upload(name: string, bytes: Buffer, { userId = 1 } = {}): void {
    const title = `File:${name}`
    const page = this.#titled(title) ?? this.#newPage(title)
    const revision = this.#revise(page, 'a file', userId, 'uploaded')
    this.files.set(name.replaceAll(' ', '_'), { bytes, time: this.time, title, userId })
    this.#log('upload/upload', 6, title, page.id, revision.id, {})
  }

  /** Any row, as a hostile wiki may send. */
  addRow(fields: Record<string, unknown>): void {
    this.#row(fields, 0)
  }

  pageTitled(title: string): SmallPage | undefined {
    return this.#titled(title)
  }

  #titled(title: string): SmallPage | undefined {
    for (const page of this.pages.values()) if (page.title === title) return page
    return undefined
  }

  #newPage(title: string): SmallPage {
    const page = { id: this.#nextPage++, ns: namespaceOf(title), title, latest: 0, protection: [] }
    this.pages.set(page.id, page)
    return page
  }

  #revise(page: SmallPage, text: string, userId: number, comment: string): SmallRevision {
    const id = this.#nextRevision++
    const revision = {
      id,
      pageId: page.id,
      parentId: page.latest,
      time: this.time,
      userId,
      comment,
      text,
      hides: {},
    }
    this.revisions.set(id, revision)
    page.latest = id
    return revision
  }

  #subject({ id, ns, title }: SmallPage): Record<string, unknown> {
    return { ns, title, pageid: id }
  }

  #log(action: string, ns: number, title: string, pageid: number, revid: number, logparams: object): void {
    const [logtype, logaction] = action.split('/')
    this.#row({ type: 'log', ns, title, pageid, revid, logtype, logaction, logparams }, 0)
  }

  #row(fields: Record<string, unknown>, revisionId: number): void {
    this.rows.push({ rcid: this.#nextRow++, time: this.time++, fields, revisionId })
  }

  #revisionsOf(pageId: number): SmallRevision[] {
    const found = [...this.revisions.values()].filter((revision) => revision.pageId === pageId)
    return found.sort((one, other) => one.time - other.time || one.id - other.id)
  }

  // -- Answers ---------------------------------------------------------------------------------------------------

  file(path: string): Buffer | undefined {
    return this.files.get(decodeURIComponent(path.slice('/images/'.length)))?.bytes
  }

  query(parameters: Parameters): object {
    const { list, meta, generator, titles, pageids, revids } = parameters
    if (list !== undefined) return this.#list(list, parameters)
    if (meta === 'siteinfo') return { query: this.#siteinfo() }
    if (meta === 'userinfo')
      return { query: { userinfo: { id: 1, name: 'Mirror', rights: ['apihighlimits'] } } }
    if (generator === 'allpages') return this.#allPages(parameters)
    if (revids !== undefined) return { query: this.#byRevision(revids.split('|').map(Number), parameters) }
    if (pageids !== undefined) return this.#byPage(pageids.split('|').map(Number), parameters)
    const pages = (titles ?? '').split('|').map((title) => {
      const page = this.#titled(title)
      const missing = { ns: namespaceOf(title), title, missing: true, protection: [] }
      return { ...(page === undefined ? missing : this.#info(page)), ...this.#imageInfo(title) }
    })
    return { query: { pages } }
  }

  /** Rendered when its page, or one of its templates, was last edited. */
  html(id: number): WikiHtml | undefined {
    const revision = this.revisions.get(id)
    if (revision === undefined || revision.hides.text) return undefined
    const used = templatesIn(revision.text).map((title) => this.#titled(title)?.latest ?? 0)
    const times = [id, ...used].map((each) => this.revisions.get(each)?.time ?? 0)
    return { revisionId: id, renderedAt: Math.max(...times), html: htmlOf(id, revision.text) }
  }

  #list(list: string, parameters: Parameters): object {
    switch (list) {
      case 'recentchanges':
        return this.#changes(parameters)
      case 'allrevisions': {
        const all = [...this.revisions.values()].map((each) => ({ ...each, place: each.id }))
        return this.#walk('arv', parameters, all, (some) => ({
          allrevisions: some.map((each) => ({ pageid: each.pageId, revisions: [this.#shown(each, false)] })),
        }))
      }
      case 'protectedtitles':
        return { query: { protectedtitles: [] } }
      case 'allimages':
        return { query: { allimages: [...this.files.keys()].sort().map((name) => this.#image(name)) } }
      case 'allusers':
        return { query: { allusers: [] } }
      default:
        throw Object.assign(new Error(list), { code: 'badvalue' })
    }
  }

  #changes(parameters: Parameters): object {
    const types = (parameters['rctype'] ?? '').split('|')
    const rows = this.rows
      .filter(({ fields }) => types.includes(String(fields['type'])))
      .map((row) => ({ ...row, place: row.rcid }))
    return this.#walk('rc', parameters, rows, (some) => ({
      recentchanges: some.map(({ rcid, time, fields, revisionId }) => ({
        rcid,
        timestamp: formatTimestamp(time),
        ...(revisionId !== 0 && { hides: this.revisions.get(revisionId)?.hides }),
        ...fields,
      })),
    }))
  }

  /** A list by time and number, in parts. */
  #walk<Item extends { readonly time: number; readonly place: number }>(
    prefix: string,
    parameters: Parameters,
    items: readonly Item[],
    answer: (items: readonly Item[]) => object,
  ): object {
    const isNewer = parameters[`${prefix}dir`] === 'newer'
    const sign = isNewer ? 1 : -1
    const placeOf = ({ time, place }: Item): string => `${digits(time)}|${String(place).padStart(9, '0')}`
    const sorted = [...items].sort((one, other) => sign * (placeOf(one) < placeOf(other) ? -1 : 1))
    const limit = Math.min(this.most, Number(parameters[`${prefix}limit`]) || this.most)
    const start =
      parameters[`${prefix}continue`] ?? (parameters[`${prefix}start`] ?? '').replaceAll(/\D/g, '')
    const end = (parameters[`${prefix}end`] ?? '').replaceAll(/\D/g, '')
    const rest = sorted.filter(
      (item) =>
        (isNewer ? placeOf(item) >= start : start === '' || placeOf(item) <= start) && placeOf(item) >= end,
    )
    const next = rest[limit]
    return {
      query: answer(rest.slice(0, limit)),
      ...(next !== undefined && { continue: { [`${prefix}continue`]: placeOf(next), continue: '-||' } }),
    }
  }

  #allPages(parameters: Parameters): object {
    const pages = [...this.pages.values()]
      .filter(({ ns }) => ns === Number(parameters['gapnamespace']))
      .map((page) => ({ page, key: page.title.slice(page.title.indexOf(':') + 1).replaceAll(' ', '_') }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .filter(({ key }) => key >= (parameters['gapcontinue'] ?? ''))
    const next = pages[this.most]
    return {
      query: { pages: pages.slice(0, this.most).map(({ page }) => this.#info(page)) },
      ...(next !== undefined && { continue: { gapcontinue: next.key, continue: 'gapcontinue||' } }),
    }
  }

  #byPage(ids: readonly number[], parameters: Parameters): object {
    if (parameters['prop'] === 'templates') {
      const pages = ids.map((id) => {
        const text = this.revisions.get(this.pages.get(id)?.latest ?? 0)?.text ?? ''
        return { pageid: id, templates: templatesIn(text).map((title) => ({ ns: 10, title })) }
      })
      return { query: { pages } }
    }
    if (parameters['prop'] !== 'revisions') {
      const pages = ids.map((id) => {
        const page = this.pages.get(id)
        return page === undefined ? { pageid: id, missing: true } : this.#info(page)
      })
      return { query: { pages } }
    }
    const items = this.#revisionsOf(ids[0]!).map((each) => ({ ...each, place: each.id }))
    return this.#walk('rv', parameters, items, (some) => ({
      pages: [{ pageid: ids[0], revisions: some.map((each) => this.#shown(each, false)) }],
    }))
  }

  #byRevision(ids: readonly number[], parameters: Parameters): object {
    const known = ids.filter((id) => this.revisions.has(id))
    const bad = ids.filter((id) => !this.revisions.has(id)).map((id) => [id, { revid: id, missing: true }])
    const withText = (parameters['rvprop'] ?? '').includes('content')
    const pages = known.map((id) => {
      const revision = this.revisions.get(id)!
      const page = this.pages.get(revision.pageId)!
      const info = (parameters['prop'] ?? '').includes('info') ? this.#info(page) : this.#subject(page)
      return { ...info, revisions: [this.#shown(revision, withText)] }
    })
    return { ...(bad.length > 0 && { badrevids: Object.fromEntries(bad) as object }), pages }
  }

  #info(page: SmallPage): Record<string, unknown> {
    const isRedirect = this.revisions.get(page.latest)?.text.startsWith('#REDIRECT') ?? false
    return {
      ...this.#subject(page),
      lastrevid: page.latest,
      protection: page.protection,
      ...(isRedirect && { redirect: true }),
    }
  }

  #shown({ id, parentId, time, userId, comment, text, hides }: SmallRevision, withText: boolean): object {
    const user = hides.user ? { userhidden: true } : { user: this.names.get(userId), userid: userId }
    const main = hides.text
      ? { sha1hidden: true, contentmodel: 'wikitext', ...(withText && { texthidden: true }) }
      : { sha1: hex(text), contentmodel: 'wikitext', ...(withText && { content: text }) }
    return {
      revid: id,
      parentid: parentId,
      timestamp: formatTimestamp(time),
      minor: false,
      ...user,
      ...(hides.comment ? { commenthidden: true } : { comment }),
      size: Buffer.byteLength(text),
      slots: { main },
    }
  }

  #imageInfo(title: string): object {
    const name = title.slice('File:'.length).replaceAll(' ', '_')
    return this.files.get(name)?.title === title
      ? { imagerepository: 'local', imageinfo: [this.#image(name)] }
      : { imagerepository: '' }
  }

  #image(name: string): object {
    const { bytes, time, title, userId } = this.files.get(name)!
    return {
      ns: 6,
      title,
      name,
      timestamp: formatTimestamp(time),
      user: this.names.get(userId),
      userid: userId,
      size: bytes.length,
      width: 3,
      height: 2,
      sha1: hex(bytes),
      mime: 'image/png',
      mediatype: 'BITMAP',
      url: `${this.origin}/images/${encodeURIComponent(name)}`,
    }
  }

  #siteinfo(): object {
    const general = {
      sitename: 'Small',
      wikiid: this.wikiId,
      lang: 'en',
      base: 'http://small.example/',
      case: 'first-letter',
    }
    const namespaces = Object.fromEntries(
      NAMESPACES.map(([id, name]) => [id, { id, name, case: 'first-letter' }]),
    )
    const interwikimap = [{ prefix: 'w', url: 'https://w.example/$1' }]
    return { general, namespaces, interwikimap, ...this.siteinfo }
  }
}

const digits = (time: number): string => formatTimestamp(time).replaceAll(/\D/g, '')

function namespaceOf(title: string): number {
  const prefix = title.slice(0, Math.max(0, title.indexOf(':')))
  return NAMESPACES.find(([, name]) => name !== '' && name === prefix)?.[0] ?? 0
}

const templatesIn = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => `Template:${name}`)

/** A document as a wiki's REST API sends it. */
export const htmlOf = (revisionId: number, text: string): string =>
  `<!DOCTYPE html>\n<html prefix="dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/" ` +
  `about="http://small.example/wiki/Special:Redirect/revision/${revisionId}"><head><meta charset="utf-8"/>` +
  `<meta property="mw:revisionSHA1" content="${hex(text)}"/><meta property="mw:htmlVersion" content="2.6.0"/>` +
  `<title>A page</title></head><body><section data-mw-section-id="0"><p>of the wiki: ${text}</p></section></body></html>`
