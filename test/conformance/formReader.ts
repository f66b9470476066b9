/** A reader without scripts: keeps cookies, reads forms, sends them. */
import type { TestServer } from './garden.js'

export interface Shown {
  readonly status: number
  readonly html: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** What the page shows between tags, blanks joined. */
  readonly words: string
  /** Where a redirect leads. */
  readonly location: string | undefined
}

type Fields = Readonly<Record<string, string>>

export class FormReader {
  readonly cookies = new Map<string, string>()

  constructor(readonly server: Pick<TestServer, 'send' | 'port'>) {}

  async get(path: string, headers: Fields = {}): Promise<Shown> {
    return this.#take(await this.server.send(path, { headers: this.#headers(headers) }))
  }

  /** Sends a form, by default as a page of this server does. */
  async post(
    path: string,
    fields: Fields,
    headers: Fields = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Shown> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    return this.#take(
      await this.server.send(path, { method: 'POST', headers: this.#headers({ ...type, ...headers }), body }),
    )
  }

  /** Opens the form of a page, changes fields, and sends it with the button. */
  async edit(path: string, fields: Fields, button = 'wpSave'): Promise<Shown> {
    const page = await this.get(`${path}?action=edit`)
    return this.send(path, page, fields, button)
  }

  /** Sends the form that a page shows. */
  send(path: string, page: Shown, fields: Fields, button = 'wpSave'): Promise<Shown> {
    return this.post(`${path}?action=submit`, { ...formOf(page), ...fields, [button]: '1' })
  }

  async logIn(name: string, password: string, returnto = ''): Promise<Shown> {
    const page = await this.get(`/wiki/Special:UserLogin?returnto=${encodeURIComponent(returnto)}`)
    return this.post('/wiki/Special:UserLogin', { ...formOf(page), wpName: name, wpPassword: password })
  }

  #headers(more: Fields): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { ...more, ...(cookie !== '' && { cookie }) }
  }

  #take(answer: Awaited<ReturnType<TestServer['send']>>): Shown {
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '') this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    const html = answer.bytes.toString()
    const words = html
      .replace(/<textarea[^]*?<\/textarea>/g, ' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
    const { location } = answer.headers
    return {
      status: answer.status,
      html,
      headers: answer.headers,
      words,
      location: typeof location === 'string' ? location : undefined,
    }
  }
}

/** The fields of the form with hidden fields: those, the text and the summary. */
export function formOf({ html }: Shown): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [tag] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    fields[attribute(tag, 'name')] = attribute(tag, 'value')
  }
  for (const [, name, text] of html.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>\n([^]*?)<\/textarea>/g)) {
    fields[name!] = unescape(text!)
  }
  return fields
}

const attribute = (tag: string, name: string): string =>
  unescape(new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#039;', "'")
    .replaceAll('&amp;', '&')
