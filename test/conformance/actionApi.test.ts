/** `/api.php`: what clients of MediaWiki send, and what they wait for. */
import { beforeAll, describe, expect, test } from 'vitest'
import { Client, type Fields, type Json, PASSWORD, wikiWithAccounts } from './actionClient.js'
import { startServer, type TestServer } from './garden.js'
let wiki: TestServer
let token: string
beforeAll(async () => {
  const accounts = await wikiWithAccounts()
  token = accounts.token
  wiki = await startServer(accounts.folder)
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
      local: '',
      language: 'Deutsch',
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

describe('a request', () => {
  test.each<[string, Fields, string]>([
    ['an unknown action', { action: 'dance' }, 'badvalue'],
    ['login by GET', { action: 'login' }, 'mustbeposted'],
    ['an assertion of a user', { action: 'query', assert: 'user' }, 'assertuserfailed'],
    ['an assertion of a bot', { action: 'query', assert: 'bot' }, 'assertbotfailed'],
    ['an assertion of a name', { action: 'query', assertuser: 'Ann' }, 'assertnameduserfailed'],
  ])('with %s is an error with a code', async (_case, fields, code) => {
    const { error } = (await new Client(wiki).get(fields)) as { error: Json }
    const text = expect.any(String) as string
    expect(error).toEqual({ code, info: text, '*': text })
  })

  test('for another format is an error on a page for people', async () => {
    const answer = await wiki.send('/api.php?action=query&format=xml')
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['mediawiki-api-error']).toBe('badvalue')
  })

  test.each<[string, string, string, string]>([
    ['a list', 'list', 'watchlist', 'Unrecognized value for parameter "list": watchlist.'],
    ['a property', 'prop', 'stashimageinfo', 'Unrecognized value for parameter "prop": stashimageinfo.'],
    ['facts', 'meta', 'tokens|languageinfo', 'Unrecognized value for parameter "meta": languageinfo.'],
  ])('for modules of MediaWiki that are not here is an error: %s', async (_case, name, value, info) => {
    const answer = await new Client(wiki).get({ action: 'query', [name]: value })
    expect(answer).toMatchObject({ error: { code: 'badvalue', info } })
  })

  test('for a generator is an error', async () => {
    const answer = await new Client(wiki).get({ action: 'query', generator: 'watchlist' })
    expect(answer).toMatchObject({
      error: { code: 'badgenerator', info: 'Unknown "generator=watchlist".' },
    })
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
    const { error } = JSON.parse(answer.bytes.toString()) as { error: { code: string; info: string } }
    expect(error).toEqual({ code: answer.headers['mediawiki-api-error'], info: expect.any(String) as string })
  })
})
