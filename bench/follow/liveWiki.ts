/** A live MediaWiki, driven through its action API by an administrator. */

type Fields = Record<string, string>
type Json = Record<string, unknown>

export class LiveWiki {
  /** Changes so far, by kind. */
  readonly kinds: Record<string, number> = {}
  readonly #url: string
  readonly #cookies = new Map<string, string>()
  #token = ''

  private constructor(url: string) {
    this.#url = url
  }

  static async logIn(url: string, name: string, password: string): Promise<LiveWiki> {
    const wiki = new LiveWiki(url)
    const lgtoken = await wiki.#tokenOf('login')
    const answer = await wiki.#post({ action: 'login', lgname: name, lgpassword: password, lgtoken })
    if ((answer['login'] as Json)['result'] !== 'Success') throw new Error(JSON.stringify(answer))
    wiki.#token = await wiki.#tokenOf('csrf')
    return wiki
  }

  /** Makes the change of a number. The kinds come in turn, over ten pages. */
  async change(n: number): Promise<void> {
    const title = `Page ${n % 10}`
    const [kind, fields] = this.#changeOf(n, title)
    const latest = kind === 'hidings' ? await this.#latestOf(title) : undefined
    const isPossible = kind !== 'hidings' || latest !== undefined
    const change: [string, Fields] = isPossible
      ? [kind, { ...fields, ...(latest !== undefined && { ids: latest }) }]
      : ['edits', this.#edit(n, title)]
    const answer = await this.#post({ ...change[1], token: this.#token })
    const isDone = answer['error'] === undefined
    if (!isDone) await this.#post({ ...this.#edit(n, title), token: this.#token })
    const made = isDone ? change[0] : 'edits'
    this.kinds[made] = (this.kinds[made] ?? 0) + 1
  }

  #edit(n: number, title: string): Fields {
    return {
      action: 'edit',
      title,
      text: `text ${n}\n\n'''bold''' [[Page ${n % 7}]]`,
      summary: `change ${n}`,
    }
  }

  #changeOf(n: number, title: string): [string, Fields] {
    switch (n < 12 ? 0 : n % 9) {
      case 3:
        return ['moves', { action: 'move', from: title, to: `Moved ${n}` }]
      case 5:
        return ['deletions', { action: 'delete', title }]
      case 6:
        return ['restorations', { action: 'undelete', title: `Page ${(n - 1) % 10}` }]
      case 7:
        return ['protections', { action: 'protect', title, protections: 'edit=sysop' }]
      case 8:
        return [
          'hidings',
          { action: 'revisiondelete', type: 'revision', target: title, hide: 'comment|user' },
        ]
      default:
        return ['edits', this.#edit(n, title)]
    }
  }

  /** All pages of the main namespace, with their revisions and latest texts. */
  async pages(): Promise<object[]> {
    const answer = await this.#get({ action: 'query', list: 'allpages', aplimit: 'max' })
    const listed = (answer['query'] as { allpages: { pageid: number }[] }).allpages
    const pages: object[] = []
    for (const { pageid } of listed.sort((one, other) => one.pageid - other.pageid)) {
      const common = {
        action: 'query',
        pageids: String(pageid),
        prop: 'info|revisions',
        rvlimit: 'max',
        rvslots: 'main',
      }
      const all = await this.#page({ ...common, rvprop: 'ids' })
      const ids = (all['revisions'] as { revid: number }[]).map(({ revid }) => revid).sort((a, b) => a - b)
      const last = await this.#page({ ...common, rvprop: 'content', rvlimit: '1' })
      const [newest] = last['revisions'] as { slots: { main: { content?: string } } }[]
      const title = String(all['title']).replaceAll(' ', '_')
      pages.push({
        id: pageid,
        title,
        latest: all['lastrevid'],
        revisions: ids,
        text: newest!.slots.main.content ?? null,
      })
    }
    return pages
  }

  async #page(fields: Fields): Promise<Json> {
    return ((await this.#get(fields))['query'] as { pages: [Json] }).pages[0]
  }

  /** The parent of the latest revision: the text of the latest one cannot be hidden. */
  async #latestOf(title: string): Promise<string | undefined> {
    const page = await this.#page({
      action: 'query',
      titles: title,
      prop: 'revisions',
      rvprop: 'ids',
      rvlimit: '2',
    })
    const id = (page['revisions'] as { revid: number }[] | undefined)?.at(1)?.revid
    return id === undefined ? undefined : String(id)
  }

  async #tokenOf(type: string): Promise<string> {
    const answer = await this.#get({ action: 'query', meta: 'tokens', type })
    return (answer['query'] as { tokens: Fields }).tokens[`${type}token`]!
  }

  #get(fields: Fields): Promise<Json> {
    return this.#send(`${this.#url}?${String(this.#form(fields))}`)
  }

  #post(fields: Fields): Promise<Json> {
    return this.#send(this.#url, { method: 'POST', body: this.#form(fields) })
  }

  #form(fields: Fields): URLSearchParams {
    return new URLSearchParams({ ...fields, format: 'json', formatversion: '2' })
  }

  async #send(url: string, init: RequestInit = {}): Promise<Json> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return (await response.json()) as Json
  }
}
