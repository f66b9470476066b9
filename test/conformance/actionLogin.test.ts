/** Log-in, sessions and new accounts by `/api.php`. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Editor } from '../../src/domain/revision.js'
import { getUserByName } from '../../src/storage/accounts/accounts.js'
import { stopClock } from '../support/clock.js'
import { NO_HTML, startProcess } from '../support/command.js'
import { Client, type Fields, type Json, PASSWORD, wikiWithAccounts } from './actionClient.js'
import { folderWith, page, revision } from './busyWiki.js'
import { send, startServer, type TestServer } from './garden.js'
import { createToken, createUser, folderForWriters } from './signedIn.js'
let folder: string
let passwordHash: string
let wiki: TestServer
/** A second process over the same store. */
let sibling: Pick<TestServer, 'send'>
beforeAll(async () => {
  ;({ folder, passwordHash } = await wikiWithAccounts())
  wiki = await startServer(folder)
  const port = await startProcess(folder, NO_HTML)
  sibling = { send: (path, options = {}) => send(port, path, options) }
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
    expect(await client.get({ action: 'logout' })).toMatchObject({ error: { code: 'missingparam' } })
    expect(await client.token()).not.toBe('+\\')
  })

  test('below a base path and https has cookies for the pages too, and for https alone', async () => {
    const flags = { basePath: '/w/rest.php', publicUrl: 'https://wiki.example/w/rest.php' }
    const secure = await startServer(folder, flags)
    const client = new Client(secure, '/w/api.php')
    await client.token('login')
    expect(client.lines[0]).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
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
    // What the sysop did has not counted for the address that both share.
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
