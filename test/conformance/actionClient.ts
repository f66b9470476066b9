/** A client of `/api.php`, and wikis with accounts for it. */
import { expect } from 'vitest'
import { Passwords } from '../../src/auth/passwords.js'
import { sendJson } from './editing.js'
import type { Answer, TestServer } from './garden.js'
import { createToken, createUser, folderForWriters } from './signedIn.js'

export const PASSWORD = 'open sesame, please'

export type Fields = Readonly<Record<string, string>>
export type Json = Readonly<Record<string, unknown>>

/** A client that keeps cookies, as libraries do. */
export class Client {
  readonly cookies = new Map<string, string>()
  readonly lines: string[] = []
  headers: Record<string, string> = {}

  constructor(
    readonly server: Pick<TestServer, 'send'>,
    readonly path = '/api.php',
    readonly defaults: Fields = { format: 'json' },
  ) {}

  async get(fields: Fields): Promise<Json> {
    return this.take(
      await this.server.send(`${this.path}?${this.#form(fields)}`, { headers: this.#headersWith() }),
    )
  }

  async post(fields: Fields): Promise<Json> {
    const headers = this.#headersWith({ 'content-type': 'application/x-www-form-urlencoded' })
    return this.take(await this.server.send(this.path, { method: 'POST', headers, body: this.#form(fields) }))
  }

  /** As libraries for browsers send forms. */
  async postMultipart(fields: Fields, files: Readonly<Record<string, Buffer>> = {}): Promise<Json> {
    const texts = Object.entries({ ...this.defaults, ...fields }).map(
      ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const parts = Object.entries(files).flatMap(([name, bytes]) => [
      Buffer.from(`--XX\r\nContent-Disposition: form-data; name="${name}"; filename="x.png"\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ])
    const headers = this.#headersWith({ 'content-type': 'multipart/form-data; boundary=XX' })
    const body = Buffer.concat([Buffer.from(texts.join('')), ...parts, Buffer.from('--XX--\r\n')])
    return this.take(await this.server.send(this.path, { method: 'POST', headers, body }))
  }

  /** Writes with the REST API. */
  write(token: string): Promise<Answer> {
    const fields = { title: `Page ${Math.random()}`, source: 'x', comment: '', token }
    return sendJson(this.server, 'POST', '/v1/page', fields, this.#headersWith())
  }

  async token(type = 'csrf'): Promise<string> {
    const { query } = await this.get({ action: 'query', meta: 'tokens', type })
    return (query as { tokens: Record<string, string> }).tokens[`${type}token`]!
  }

  /** The way in without any detours. */
  async logIn(name: string, password = PASSWORD): Promise<unknown> {
    const lgtoken = await this.token('login')
    return (await this.post({ action: 'login', lgname: name, lgpassword: password, lgtoken }))['login']
  }

  take({ headers, bytes, status }: Answer): Json {
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      this.lines.push(line)
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '') this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    const body = JSON.parse(bytes.toString()) as Json
    const code = (body['error'] as { code: string } | undefined)?.code
    expect(headers['mediawiki-api-error']).toBe(code)
    return body
  }

  #form(fields: Fields): string {
    return new URLSearchParams({ ...this.defaults, ...fields }).toString()
  }

  #headersWith(more: Fields = {}): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { ...this.headers, ...more, ...(cookie !== '' && { cookie }) }
  }
}

export interface WikiWithAccounts {
  readonly folder: string
  /** Of all who have a password, which is PASSWORD. */
  readonly passwordHash: string
  /** Of the second account. */
  readonly token: string
}

/** The bot Ann and Ben the Second have a password, Robot has none. */
export async function wikiWithAccounts(): Promise<WikiWithAccounts> {
  const passwordHash = await new Passwords().hash(PASSWORD)
  let token = ''
  const folder = await folderForWriters((applier) => {
    createUser(applier, 'Ann', ['bot'], passwordHash)
    createUser(applier, 'Ben the Second', [], passwordHash)
    createUser(applier, 'Robot')
    token = createToken(applier, 2)
  })
  return { folder, passwordHash, token }
}
