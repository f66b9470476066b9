/** `/api.php`: what clients of MediaWiki send to log in, and what they wait for. */
import { beforeAll, describe, expect, test } from 'vitest'
import { Passwords } from '../../src/auth/passwords.js'
import type { Editor } from '../../src/domain/revision.js'
import { getUserByName } from '../../src/storage/accounts.js'
import { stopClock } from '../support/clock.js'
import { startProcess } from '../support/command.js'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, send, startServer, type TestServer } from './garden.js'
import { sendJson } from './editing.js'
import { createToken, createUser, folderForWriters } from './signedIn.js'

const PASSWORD = 'open sesame, please'

type Fields = Readonly<Record<string, string>>
type Json = Readonly<Record<string, unknown>>

/** A client that keeps cookies, as libraries do. */
class Client {
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
  async postMultipart(fields: Fields): Promise<Json> {
    const parts = Object.entries({ ...this.defaults, ...fields }).map(
      ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const headers = this.#headersWith({ 'content-type': 'multipart/form-data; boundary=XX' })
    return this.take(
      await this.server.send(this.path, { method: 'POST', headers, body: `${parts.join('')}--XX--\r\n` }),
    )
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

let passwordHash: string
let folder: string
let wiki: TestServer
/** A second process over the same store. */
let sibling: Pick<TestServer, 'send'>
let token: string

beforeAll(async () => {
  passwordHash = await new Passwords().hash(PASSWORD)
  folder = await folderForWriters((applier) => {
    createUser(applier, 'Ann', ['bot'], passwordHash)
    createUser(applier, 'Ben the Second', [], passwordHash)
    createUser(applier, 'Robot')
    token = createToken(applier, 2)
  })
  wiki = await startServer(folder)
  const port = await startProcess(folder)
  sibling = { send: (path, options = {}) => send(port, path, options) }
})

describe('the sequence of mwclient', () => {
  test('reads site and user, logs in, and asks again', async () => {
    const client = new Client(wiki)
    const start = {
      action: 'query',
      meta: 'siteinfo|userinfo',
      siprop: 'general|namespaces',
      uiprop: 'groups|rights|blockinfo|hasmsg',
      continue: '',
    }
    const { query } = (await client.get(start)) as { query: Record<string, Json> }
    const general = query['general'] as Record<string, string>
    // It takes the version apart at the dots, and wants numbers for the first two.
    expect(general['generator']).toMatch(/^MediaWiki \d+\.\d+\.\d/)
    expect(general['writeapi']).toBe('')
    const namespaces = Object.values(query['namespaces'] as Record<string, { id: number; '*': string }>)
    expect(Object.fromEntries(namespaces.map((one) => [one.id, one['*']]))).toMatchObject({
      '-1': 'Special',
      0: '',
      1: 'Talk',
      2: 'User',
    })
    expect(query['userinfo']).toEqual({ id: 0, name: '127.0.0.1', anon: '', groups: ['*'], rights: ['read'] })

    const tokens = (await client.post({
      action: 'query',
      titles: '',
      meta: 'tokens|userinfo',
      type: 'login',
      uiprop: 'blockinfo|hasmsg',
    })) as { query: { tokens: { logintoken: string } } }
    const { logintoken: lgtoken } = tokens.query.tokens
    const login = await client.post({ action: 'login', lgname: 'Ann', lgpassword: PASSWORD, lgtoken })
    expect(login).toEqual({ login: { result: 'Success', lguserid: 2, lgusername: 'Ann' } })
    const again = (await client.get(start)) as { query: { userinfo: Json } }
    expect(again.query.userinfo).toMatchObject({ id: 2, name: 'Ann', groups: ['*', 'user', 'bot'] })
    expect(again.query.userinfo).not.toHaveProperty('anon')
    expect((await client.write(await client.token())).status).toBe(201)
  })

  test('of old versions gets its token from the first attempt', async () => {
    const client = new Client(wiki)
    const fields = { action: 'login', lgname: 'Ann', lgpassword: PASSWORD }
    const { login } = (await client.post(fields)) as { login: { result: string; token: string } }
    expect(login).toEqual({
      result: 'NeedToken',
      token: expect.stringMatching(/^[0-9a-f]{40}\+\\$/) as string,
    })
    expect(await client.post({ ...fields, lgtoken: login.token })).toMatchObject({
      login: { result: 'Success' },
    })
  })
})

describe('the sequence of mwn', () => {
  test('logs in, asserts that it is, and gets tokens and site at once', async () => {
    const client = new Client(wiki, '/api.php', { format: 'json', formatversion: '2', maxlag: '5' })
    const { query } = (await client.get({ action: 'query', meta: 'tokens', type: 'login' })) as {
      query: { tokens: { logintoken: string } }
    }
    const lgtoken = query.tokens.logintoken
    const login = await client.postMultipart({
      action: 'login',
      lgname: 'Ann',
      lgpassword: PASSWORD,
      lgtoken,
    })
    expect(login).toEqual({ login: { result: 'Success', lguserid: 2, lgusername: 'Ann' } })
    const info = (await client.get({
      action: 'query',
      meta: 'siteinfo|tokens',
      siprop: 'general|namespaces|namespacealiases',
      type: 'csrf|createaccount|login|patrol|rollback|userrights|watch',
      assert: 'user',
    })) as { batchcomplete: boolean; query: Record<string, Json> }
    expect(info.batchcomplete).toBe(true)
    expect(Object.keys(info.query['tokens']!)).toHaveLength(7)
    expect(new Set(Object.values(info.query['tokens']!)).size).toBe(7)
    expect((info.query['namespaces'] as Record<string, Json>)['1']).toEqual({
      id: 1,
      case: 'first-letter',
      name: 'Talk',
      subpages: true,
      canonical: 'Talk',
      content: false,
      nonincludable: false,
    })
    expect(info.query['namespacealiases']).toContainEqual({ id: 6, alias: 'Image' })
    const user = (await client.get({ action: 'query', meta: 'userinfo' })) as { query: { userinfo: Json } }
    expect(user.query.userinfo).toEqual({ id: 2, name: 'Ann' })
  })
})

describe('the sequence of pywikibot', () => {
  test('finds out who it is, logs in, finds out again, and logs out', async () => {
    const client = new Client(wiki, '/api.php', { format: 'json', maxlag: '5' })
    const siprop = 'general|namespaces|namespacealiases|extensions|rightsinfo|interwikimap|languages'
    const site = (await client.get({ action: 'query', meta: 'siteinfo|userinfo', siprop })) as {
      query: Record<string, unknown>
    }
    expect(site.query['general']).toMatchObject({
      sitename: 'Palimpsest',
      case: 'first-letter',
      lang: 'en',
      server: wiki.base,
      scriptpath: '',
      timezone: 'UTC',
      fallback8bitEncoding: 'windows-1252',
      variantarticlepath: false,
    })
    // As the clients do it: bytes beyond ASCII are letters of any script to them.
    const { legaltitlechars } = site.query['general'] as { legaltitlechars: string }
    const legal = new RegExp(`^[${legaltitlechars.replace('\\x80-\\xFF', '\\u0080-\\uffff')}]+$`)
    for (const title of ['Été', 'AC/DC', 'C++', '100%', 'a-b', 'L\'or (x), "y"!'])
      expect(title).toMatch(legal)
    for (const title of ['a|b', '[x]', '{x}', 'a<b', 'a#b', 'a\nb']) expect(title).not.toMatch(legal)
    expect(site.query['languages']).toContainEqual({ code: 'de', bcp47: 'de', '*': 'Deutsch' })
    expect(site.query['interwikimap']).toContainEqual({
      prefix: 'de',
      language: 'Deutsch',
      bcp47: 'de',
      url: 'https://de.wikipedia.org/wiki/$1',
    })
    const uiprop = 'blockinfo|hasmsg|groups|rights|ratelimits'
    const me = async () => {
      const answer = await client.get({ action: 'query', meta: 'userinfo', uiprop })
      return (answer as { query: { userinfo: Json } }).query.userinfo
    }
    expect(await me()).toHaveProperty('anon')
    expect(await client.logIn('ben_the Second')).toMatchObject({ lgusername: 'Ben the Second' })
    expect(await me()).toMatchObject({ id: 3, name: 'Ben the Second', ratelimits: {} })
    const csrf = await client.token()
    expect(await client.post({ action: 'logout', token: csrf, assert: 'user' })).toEqual({})
    expect(await me()).toHaveProperty('anon')
  })
})

describe('clientlogin', () => {
  const begin = { action: 'clientlogin', username: 'Ann', loginreturnurl: 'http://x/', rememberMe: '1' }

  test('passes with the password, and fails without', async () => {
    const client = new Client(wiki)
    const logintoken = await client.token('login')
    const wrong = await client.post({ ...begin, password: 'wrong', logintoken })
    expect(wrong).toMatchObject({ clientlogin: { status: 'FAIL', messagecode: 'wrongpassword' } })
    const passed = await client.post({ ...begin, password: PASSWORD, logintoken })
    expect(passed).toEqual({ clientlogin: { status: 'PASS', username: 'Ann' } })
    expect((await client.write(await client.token())).status).toBe(201)
  })

  test.each<[string, Fields, string]>([
    ['no token', { ...begin, password: PASSWORD }, 'missingparam'],
    ['another token', { ...begin, password: PASSWORD, logintoken: 'x+\\' }, 'badtoken'],
  ])('is refused with %s', async (_case, fields, code) => {
    const client = new Client(wiki)
    await client.token('login')
    expect(await client.post(fields)).toMatchObject({ error: { code } })
  })

  test('is refused without a place to come back to', async () => {
    const client = new Client(wiki)
    const { loginreturnurl: _, ...fields } = begin
    const logintoken = await client.token('login')
    expect(await client.post({ ...fields, logintoken })).toMatchObject({ error: { code: 'missingparam' } })
  })
})

describe('a session', () => {
  test('gets another id at login, and the one before is worth nothing', async () => {
    const client = new Client(wiki)
    await client.token('login')
    const before = client.cookies.get('palimpsest_session')
    await client.logIn('Ann')
    const after = client.cookies.get('palimpsest_session')
    expect(after).not.toBe(before)
    await client.logIn('Ann')
    const thief = new Client(wiki)
    thief.cookies.set('palimpsest_session', after!)
    expect(await thief.token()).toBe('+\\')
  })

  test('stands in cookies that scripts and other sites do not get', async () => {
    const client = new Client(wiki)
    await client.logIn('Ben the Second')
    expect(client.lines.slice(-3)).toEqual([
      expect.stringMatching(
        /^palimpsest_session=\w+\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      'palimpsestUserID=3; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
      'palimpsestUserName=Ben%20the%20Second; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    ])
  })

  test('is over for every client and every process after logout', async () => {
    const client = new Client(wiki)
    await client.logIn('Ann')
    const other = new Client(sibling)
    other.cookies.set('palimpsest_session', client.cookies.get('palimpsest_session')!)
    const csrf = await other.token()
    expect((await other.write(csrf)).status).toBe(201)
    expect(await client.post({ action: 'logout', token: csrf })).toEqual({})
    expect((await other.write(csrf)).status).toBe(403)
    expect(client.cookies.size).toBe(0)
  })

  test('does not end without its token', async () => {
    const client = new Client(wiki)
    await client.logIn('Ann')
    expect(await client.post({ action: 'logout' })).toMatchObject({ error: { code: 'missingparam' } })
    expect(await client.post({ action: 'logout', token: '+\\' })).toMatchObject({
      error: { code: 'badtoken' },
    })
    expect(await client.get({ action: 'logout' })).toMatchObject({ error: { code: 'mustbeposted' } })
    expect(await client.token()).not.toBe('+\\')
  })

  test('below a base path and https has cookies for that folder, and for https alone', async () => {
    const flags = { basePath: '/w/rest.php', publicUrl: 'https://wiki.example/w/rest.php' }
    const secure = await startServer(folder, flags)
    const client = new Client(secure, '/w/api.php')
    await client.token('login')
    expect(client.lines[0]).toMatch(/; Path=\/w; HttpOnly; Secure; SameSite=Lax$/)
    const { query } = (await client.get({ action: 'query', meta: 'siteinfo' })) as {
      query: { general: Json }
    }
    expect(query.general).toMatchObject({ server: 'https://wiki.example', scriptpath: '/w' })
  })
})

describe('attempts to log in', () => {
  test('of one account from one address are bounded, and others are not', async () => {
    stopClock()
    const client = new Client(wiki)
    const failed = {
      result: 'Failed',
      reason: expect.stringMatching(/^Incorrect username or password/) as string,
    }
    const logIn = (name: string, password: string) => client.logIn(name, password)
    for (let n = 0; n < 5; n++) expect(await logIn('Robot', 'guess')).toEqual(failed)
    const throttled = { result: 'Failed', reason: expect.stringMatching(/^You have made too many/) as string }
    expect(await logIn('Robot', 'guess')).toEqual(throttled)
    expect(await logIn('robot', PASSWORD)).toEqual(throttled)
    expect(await logIn('Ann', PASSWORD)).toMatchObject({ result: 'Success' })
  })

  test('that succeed do not count', async () => {
    const client = new Client(wiki)
    for (let n = 0; n < 7; n++) expect(await client.logIn('Ann')).toMatchObject({ result: 'Success' })
  })

  test.each(['Nobody', '192.0.2.1', '', 'a|b', 'x'.repeat(1000)])(
    'of nobody (%s) fail as others',
    async (name) => {
      expect(await new Client(wiki).logIn(name)).toMatchObject({
        result: 'Failed',
        reason: 'Incorrect username or password entered. Please try again.',
      })
    },
  )

  test('with a token that is not that of the session fail', async () => {
    const other = await new Client(wiki).token('login')
    const client = new Client(wiki)
    await client.token('login')
    const fields = { action: 'login', lgname: 'Ann', lgpassword: PASSWORD, lgtoken: other }
    expect(await client.post(fields)).toEqual({ login: { result: 'WrongToken' } })
  })

  test('with the password in the URL are refused', async () => {
    const client = new Client(wiki, `/api.php?lgpassword=${PASSWORD.replaceAll(' ', '+')}`)
    expect(await client.post({ action: 'login', lgname: 'Ann' })).toMatchObject({
      error: { code: 'mustpostparams' },
    })
  })
})

describe('createaccount', () => {
  const fields = { action: 'createaccount', createreturnurl: 'http://x/' }
  const create = async (client: Client, username: string, password = PASSWORD, retype = password) => {
    const createtoken = await client.token('createaccount')
    return client.post({ ...fields, username, password, retype, createtoken })
  }

  test('is refused where it is not allowed', async () => {
    expect(await create(new Client(wiki), 'Zoe')).toMatchObject({ error: { code: 'permissiondenied' } })
  })

  test('makes an account that can log in', async () => {
    stopClock()
    const open = await startServer(await folderForWriters(), { createAccounts: true })
    const client = new Client(open)
    expect(await create(client, 'zoe_hart')).toEqual({
      createaccount: { status: 'PASS', username: 'Zoe hart' },
    })
    expect(await client.logIn('Zoe hart')).toMatchObject({ result: 'Success' })
    // The pages of the wiki are by User 1, whose name and id are not for the first who asks.
    for (const name of ['Zoe hart', 'User 1']) {
      expect(await create(client, name)).toMatchObject({ createaccount: { messagecode: 'userexists' } })
    }
    expect(await create(client, '')).toMatchObject({ createaccount: { messagecode: 'noname' } })
    expect(await create(client, 'Ben', 'short')).toMatchObject({
      createaccount: { status: 'FAIL', messagecode: 'passwordinvalid' },
    })
    expect(await create(client, 'Ben', PASSWORD, 'other')).toMatchObject({
      createaccount: { messagecode: 'badretype' },
    })
    const answers = []
    for (let n = 0; n < 6; n++) answers.push(await create(client, `Person ${n}`))
    expect(answers.at(-1)).toMatchObject({ createaccount: { messagecode: 'acct_creation_throttle_hit' } })
    expect(getUserByName(open.app.context.store.tables, 'Person 4')).toBeDefined()
  })

  test('is refused for what looks like an address or a page', async () => {
    const client = new Client(await startServer(await folderForWriters(), { createAccounts: true }))
    const addresses = [
      '192.0.2.1',
      '192.0.2.0/24',
      '192.0.2.xxx',
      '999.1.2.3',
      '2001:db8::1',
      '2001:DB8::/32',
      '::',
    ]
    for (const name of [...addresses, 'Ann/x', 'x'.repeat(300)]) {
      const { createaccount } = (await create(client, name)) as { createaccount: Json }
      expect([name, createaccount]).toMatchObject([name, { status: 'FAIL', messagecode: 'invaliduser' }])
    }
  })

  test('takes names that have an address in them', async () => {
    const open = await startServer(await folderForWriters(), { createAccounts: true })
    for (const username of ['1.2.3', '1.2.3.4.5', 'Ann 1.2.3.4']) {
      expect(await create(new Client(open), username)).toEqual({
        createaccount: { status: 'PASS', username },
      })
    }
  })

  test('has no limit for a sysop, but for a token that is good for reading alone', async () => {
    stopClock()
    let readToken = ''
    const adminFolder = await folderForWriters((applier) => {
      createUser(applier, 'Head', ['sysop'], passwordHash)
      readToken = createToken(applier, 2, ['read'])
    })
    const open = await startServer(adminFolder, { createAccounts: true })
    const admin = new Client(open)
    await admin.logIn('Head')
    for (let n = 0; n < 8; n++) {
      expect(await create(admin, `Helper ${n}`)).toMatchObject({ createaccount: { status: 'PASS' } })
    }
    const reader = new Client(open)
    reader.headers = { authorization: `Bearer ${readToken}` }
    const statuses = []
    for (let n = 0; n < 7; n++) {
      const { createaccount } = (await create(reader, `Reader ${n}`)) as { createaccount: { status: string } }
      statuses.push(createaccount.status)
    }
    // The sysop's accounts do not count for the address that both share.
    expect(statuses).toEqual([...Array<string>(6).fill('PASS'), 'FAIL'])
  })

  test('is refused for every name that an imported editor has or had, also without an id', async () => {
    const by = (id: number, editor: Editor) => ({ ...revision(id, `text ${id}`), editor })
    const old = page(1, 'Moon', [by(1, { id: 7, name: 'Old name' })])
    const newer = page(1, 'Moon', [
      by(2, { id: 7, name: 'New name' }),
      by(3, { id: null, name: 'Legacy Bob' }),
    ])
    const open = await startServer(await folderWith([old, newer]), { createAccounts: true })
    const client = new Client(open)
    for (const name of ['Old name', 'New name', 'Legacy Bob', 'legacy_Bob']) {
      expect(await create(client, name)).toMatchObject({ createaccount: { messagecode: 'userexists' } })
    }
  })

  test('is refused while the wiki is read-only, or without its token', async () => {
    const closed = await startServer(await folderForWriters(), { createAccounts: true, readOnly: true })
    expect(await create(new Client(closed), 'Zoe')).toMatchObject({ error: { code: 'readonly' } })
    const open = await startServer(await folderForWriters(), { createAccounts: true })
    const answer = await new Client(open).post({ ...fields, username: 'Zoe', password: PASSWORD })
    expect(answer).toMatchObject({ error: { code: 'missingparam' } })
  })
})

describe('a request', () => {
  test.each<[string, Fields, string]>([
    ['an unknown action', { action: 'edit' }, 'badvalue'],
    ['another format', { action: 'query', format: 'xml' }, 'badvalue'],
    ['login by GET', { action: 'login' }, 'mustbeposted'],
    ['an assertion of a user', { action: 'query', assert: 'user' }, 'assertuserfailed'],
    ['an assertion of a bot', { action: 'query', assert: 'bot' }, 'assertbotfailed'],
    ['an assertion of a name', { action: 'query', assertuser: 'Ann' }, 'assertnameduserfailed'],
  ])('with %s is an error with a code', async (_case, fields, code) => {
    const { error } = (await new Client(wiki).get(fields)) as { error: Json }
    expect(error).toEqual({ code, info: expect.any(String) as string })
  })

  test.each<[string, string, string, string]>([
    ['a list', 'list', 'allpages', 'Unrecognized value for parameter "list": allpages.'],
    ['two lists', 'list', 'allpages|users', 'Unrecognized values for parameter "list": allpages, users.'],
    ['a property', 'prop', 'info', 'Unrecognized value for parameter "prop": info.'],
    ['messages', 'meta', 'tokens|allmessages', 'Unrecognized value for parameter "meta": allmessages.'],
  ])('for modules of MediaWiki that are not here is an error: %s', async (_case, name, value, info) => {
    const answer = await new Client(wiki).get({ action: 'query', [name]: value })
    expect(answer).toEqual({ error: { code: 'badvalue', info } })
  })

  test('for a generator is an error', async () => {
    const answer = await new Client(wiki).get({ action: 'query', generator: 'allpages' })
    expect(answer).toEqual({ error: { code: 'badgenerator', info: 'Unknown "generator=allpages".' } })
  })

  test('asserts what is so', async () => {
    const client = new Client(wiki)
    expect(await client.get({ action: 'query', assert: 'anon' })).toEqual({ batchcomplete: '' })
    await client.logIn('Ann')
    for (const assert of ['user', 'bot']) {
      expect(await client.get({ action: 'query', assert, assertuser: 'Ann' })).toEqual({ batchcomplete: '' })
    }
    expect(await client.get({ action: 'query', assert: 'anon' })).toMatchObject({
      error: { code: 'assertanonfailed' },
    })
  })

  test('with what nobody understands is answered with warnings', async () => {
    const fields = {
      action: 'query',
      meta: 'userinfo|stars',
      uiprop: 'groups|shoes|hats',
      colour: 'x',
      size: 'y',
    }
    expect((await new Client(wiki).get(fields))['warnings']).toEqual({
      query: { '*': 'Unrecognized value for parameter "meta": stars' },
      userinfo: { '*': 'Unrecognized values for parameter "uiprop": shoes, hats' },
      main: { '*': 'Unrecognized parameters: colour, size.' },
    })
  })

  test('gets its id and the time when it asks for them', async () => {
    const answer = await new Client(wiki).get({ action: 'query', requestid: 'r1', curtimestamp: '1' })
    expect(answer).toMatchObject({
      requestid: 'r1',
      curtimestamp: expect.stringMatching(/^20.*Z$/) as string,
    })
  })

  test('with a bearer token acts as its account', async () => {
    const client = new Client(wiki)
    client.headers = { authorization: `Bearer ${token}` }
    const { query } = (await client.get({
      action: 'query',
      meta: 'userinfo',
      uiprop: 'registrationdate',
    })) as {
      query: { userinfo: Json }
    }
    expect(query.userinfo).toMatchObject({ id: 2, name: 'Ann' })
    expect(query.userinfo['registrationdate']).toMatch(/^20\d\d-/)
    client.headers = { authorization: 'Bearer plmp_1' }
    expect(await client.get({ action: 'query' })).toMatchObject({
      error: { code: 'mwoauth-invalid-authorization' },
    })
  })

  test.each([
    ['a form of another kind', 'text/plain', 'a=b', 415],
    ['a form without a boundary', 'multipart/form-data', 'a=b', 400],
    ['a form cut short', 'multipart/form-data; boundary=XX', '--XX\r\nContent-Disp', 400],
  ])('with %s is refused', async (_case, type, body, status) => {
    const answer = await wiki.send('/api.php', { method: 'POST', headers: { 'content-type': type }, body })
    expect(answer.status).toBe(status)
  })
})
