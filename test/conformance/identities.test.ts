/** Permissions to write, and the errors for clients without them. */
import { createServer, type Server } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { SettingError } from '../../src/config/config.js'
import { JwtVerifier } from '../../src/auth/jwt.js'
import { getUserByName } from '../../src/storage/accounts/accounts.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { openSession, sessionToken } from '../../src/auth/sessions.js'
import { temporaryFolder, testConfig } from './garden.js'
import { afterFile } from '../support/cleanUp.js'
import { stopClock } from '../support/clock.js'
import {
  change,
  createToken,
  createUser,
  folderForWriters,
  NOW,
  startWriters,
  type Writers,
} from './signedIn.js'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const ANONYMOUS = { token: '+\\' }

let closed: Writers
let open: Writers
let readOnly: Writers
const tokens: Record<'ann' | 'reader' | 'sysop' | 'over' | 'revoked', string> = {
  ann: '',
  reader: '',
  sysop: '',
  over: '',
  revoked: '',
}

beforeAll(async () => {
  const folder = await folderForWriters((applier) => {
    const ann = createUser(applier, 'Ann')
    const sysop = createUser(applier, 'Ruth', ['sysop'])
    tokens.ann = createToken(applier, ann)
    tokens.reader = createToken(applier, ann, ['read'])
    tokens.sysop = createToken(applier, sysop)
    tokens.over = createToken(applier, ann, ['write'], NOW - 1)
    tokens.revoked = createToken(applier, ann)
    change(applier, { kind: 'token', action: 'revoke', tokenId: 5 })
    const protect = { kind: 'protect', namespace: 0, expires: null } as const
    change(applier, { ...protect, dbkey: 'Sun', edit: 'sysop', create: 'none' })
    change(applier, { ...protect, dbkey: 'Eclipse', edit: 'none', create: 'user' })
    change(applier, { ...protect, dbkey: 'Comet', edit: 'sysop', create: 'none', expires: NOW - 1 })
  })
  closed = await startWriters(folder)
  open = await startWriters(await folderForWriters((applier) => createUser(applier, 'Ann')), {
    anonymousEdits: true,
  })
  readOnly = await startWriters(await folderForWriters(), { readOnly: true, anonymousEdits: true })
})

describe('a bearer token', () => {
  test('lets its account write, without a CSRF token', async () => {
    const answer = await closed.write(bearer(tokens.ann))
    expect(answer.status).toBe(201)
    expect(await closed.editorOf(answer)).toEqual({ id: 2, name: 'Ann' })
  })

  test('is found whatever the case of its scheme', async () => {
    expect((await closed.write({ authorization: `bearer  ${tokens.ann} ` })).status).toBe(201)
  })

  test('is looked at from any origin', async () => {
    expect((await closed.write({ ...bearer(tokens.ann), origin: 'https://other.example' })).status).toBe(201)
  })

  test.each([
    ['unknown', () => `plmp_99_${tokens.ann.slice(7)}`],
    ['of another secret', () => `${tokens.ann.slice(0, -1)}${tokens.ann.endsWith('A') ? 'B' : 'A'}`],
    ['malformed', () => 'plmp_1'],
    ['over', () => tokens.over],
    ['revoked', () => tokens.revoked],
    ['of another kind, where no issuer is set', () => 'eyJhbGciOiJub25lIn0.e30.'],
    ['empty', () => ''],
  ])('that is %s is refused', async (_case, token) => {
    const { status, headers, body } = await closed.write(bearer(token()), ANONYMOUS)
    expect(body).toMatchObject({ errorKey: 'rest-invalid-token' })
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"'])
  })

  test('for reading is not good for writing', async () => {
    const { status, headers, body } = await closed.write(bearer(tokens.reader))
    expect(body).toMatchObject({ errorKey: 'rest-insufficient-scope' })
    expect(status).toBe(403)
    expect(headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="write"')
  })

  test('that is worth nothing does not hinder reading', async () => {
    const { status } = await closed.server.send('/v1/page/Moon', {
      headers: bearer('plmp_1'),
    })
    expect(status).toBe(200)
  })

  test('revoked beside the server is refused with the next request', async () => {
    const applier = new Applier(closed.server.app.context.store)
    const token = createToken(applier, 2)
    expect((await closed.write(bearer(token))).status).toBe(201)
    change(applier, { kind: 'token', action: 'revoke', tokenId: Number(token.split('_')[1]) })
    expect((await closed.write(bearer(token))).status).toBe(401)
  })
})

describe('somebody without an account', () => {
  test('writes under the address where anonymous edits are allowed', async () => {
    const answer = await open.write({}, ANONYMOUS)
    expect(await open.editorOf(answer)).toEqual({ id: null, name: '127.0.0.1' })
  })

  test.each([
    [
      'no token',
      {},
      400,
      'paramvalidator-missingparam',
      'missingparam',
      'The "token" parameter must be set.',
    ],
    ['an empty token', { token: '' }, 400, 'paramvalidator-missingparam', 'missingparam', undefined],
    ['another token', { token: 'x+\\' }, 403, 'rest-badtoken', undefined, 'Invalid CSRF token.'],
  ])('is refused with %s', async (_case, sent, status, errorKey, code, text) => {
    const { body, status: found } = await open.write({}, sent)
    expect(found).toBe(status)
    expect(body).toMatchObject({ errorKey, ...(code && { actionModuleErrorCode: code }) })
    if (text !== undefined) expect(body).toMatchObject({ messageTranslations: { en: text } })
    if (code === undefined) expect(body).not.toHaveProperty('actionModuleErrorCode')
  })

  test('is refused where anonymous edits are not allowed', async () => {
    const { status, body } = await closed.write({}, ANONYMOUS)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      actionModuleErrorCode: 'permissiondenied',
      messageTranslations: {
        en: 'The action you have requested is limited to users in the group: [[Project:Users|Users]].',
      },
    })
  })

  test.each(['https://other.example', 'null'])('is refused from the origin %s', async (origin) => {
    const { status, body } = await open.write({ origin }, ANONYMOUS)
    expect(status).toBe(403)
    expect(body).toMatchObject({ error: 'rest-cross-origin-anon-write', httpReason: 'Forbidden' })
  })

  test('may write from the origin of the wiki itself', async () => {
    const host = `127.0.0.1:${open.server.port}`
    expect((await open.write({ host, origin: `http://${host}` }, ANONYMOUS)).status).toBe(201)
  })
})

test('a wiki that is read-only refuses every writer', async () => {
  const { status, body } = await readOnly.write({}, ANONYMOUS)
  expect(status).toBe(400)
  expect(body).toMatchObject({
    actionModuleErrorCode: 'readonly',
    messageTranslations: { en: 'The wiki is currently in read-only mode.' },
  })
})

describe('a session', () => {
  const sessionOf = async (writers: Writers, end = NOW + 1000) => {
    const user = getUserByName(writers.server.app.context.store.tables, 'Ann')!
    const { text, change: opening } = openSession(user, NOW, end)
    await writers.server.app.context.writer.changeSession(opening)
    return { text, cookie: `other=1; palimpsest_session=${text}`, token: sessionToken(text, 'csrf') }
  }

  test('lets its account write with its own token', async () => {
    const { cookie, token } = await sessionOf(closed)
    expect(token).toMatch(/^[0-9a-f]{40}\+\\$/)
    const answer = await closed.write({ cookie, origin: 'https://other.example' }, { token })
    expect(await closed.editorOf(answer)).toEqual({ id: 2, name: 'Ann' })
  })

  test.each([
    ['no token', () => undefined, 400],
    ['the anonymous token', () => '+\\', 403],
    ['the token of another session', (other: string) => other, 403],
  ])('is refused with %s', async (_case, choose, status) => {
    const { token: other } = await sessionOf(closed)
    const { cookie } = await sessionOf(closed)
    const token = choose(other)
    expect((await closed.write({ cookie }, token === undefined ? {} : { token })).status).toBe(status)
  })

  test('that is over, closed or made up is none', async () => {
    const over = await sessionOf(open, NOW - 1)
    const live = await sessionOf(open)
    const later = `${(NOW + 9).toString(36)}.${live.text.split('.')[1]}`
    for (const text of [over.text, later, live.text.split('.')[1], 'x', '']) {
      const answer = await open.write({ cookie: `palimpsest_session=${text}` }, ANONYMOUS)
      expect(await open.editorOf(answer)).toEqual({ id: null, name: '127.0.0.1' })
    }
  })

  test('ends when the password changes', async () => {
    const { cookie, token } = await sessionOf(closed)
    expect((await closed.write({ cookie }, { token })).status).toBe(201)
    const applier = new Applier(closed.server.app.context.store)
    change(applier, { kind: 'user', action: 'password', userId: 2, passwordHash: 'scrypt$new' })
    expect((await closed.write({ cookie }, { token })).status).toBe(403)
  })
})

describe('a page', () => {
  const as = (who: 'ann' | 'sysop', title: string) => closed.write(bearer(tokens[who]), { title })

  test('protected against editing is edited by sysops alone', async () => {
    const { status, body } = await as('ann', 'Sun')
    expect(status).toBe(403)
    expect(body).toMatchObject({ errorKey: 'protectedpagetext' })
    expect(body).not.toHaveProperty('actionModuleErrorCode')
    expect((await as('sysop', 'Sun')).status).toBe(200)
  })

  test('protected against creation is created by accounts alone', async () => {
    const applier = new Applier(open.server.app.context.store)
    const levels = { edit: 'none', create: 'user', expires: null } as const
    change(applier, { kind: 'protect', namespace: 0, dbkey: 'Eclipse', ...levels })
    expect((await open.write({}, { ...ANONYMOUS, title: 'Eclipse' })).body).toMatchObject({
      errorKey: 'protectedpagetext',
    })
    expect((await as('ann', 'Eclipse')).status).toBe(201)
  })

  test('whose protection is over is free', async () => {
    expect((await as('ann', 'Comet')).status).toBe(201)
  })

  test.each([
    ['MediaWiki:Common', 'protectednamespace-interface', 'protectednamespace-interface'],
    ['MediaWiki:Common.css', 'protectednamespace-interface', 'protectednamespace-interface'],
    ['User:Ruth/common.js', 'customjsprotected', 'customjsprotected'],
    ['User:Ruth/a/b.css', 'customcssprotected', 'customcssprotected'],
    ['User:Ruth/x.json', 'customjsonprotected', 'customjsonprotected'],
  ])('%s is for sysops', async (title, errorKey, code) => {
    const { status, body } = await as('ann', title)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errorKey, actionModuleErrorCode: code })
    expect((await as('sysop', title)).status).toBe(201)
  })

  test.each([
    'User:Ann/common.js',
    'User:Ann',
    'User:Ruth',
    'User:Ruth/notes',
    'User talk:Ruth/x.js',
    'Moon.js',
  ])('%s is for every account', async (title) => {
    expect((await as('ann', title)).status).toBe(201)
  })

  test('of configuration under an address is not for that address', async () => {
    for (const kind of ['css', 'js', 'json']) {
      const { body } = await open.write({}, { ...ANONYMOUS, title: `User:127.0.0.1/x.${kind}` })
      expect(body).toMatchObject({ errorKey: `mycustom${kind}protected` })
    }
  })
})

describe('edits per minute', () => {
  test('are counted for each account and each address', async () => {
    stopClock()
    const folder = await folderForWriters((applier) => {
      tokens.sysop = createToken(applier, createUser(applier, 'Ruth', ['sysop']))
      tokens.ann = createToken(applier, createUser(applier, 'Ann'))
    })
    const limited = await startWriters(folder, {
      editsPerMinute: '3',
      anonymousEdits: true,
      trustedProxies: '127.0.0.1',
    })
    const from = async (headers: Record<string, string>, count: number) =>
      Promise.all(Array.from({ length: count }, async () => (await limited.write(headers, ANONYMOUS)).status))
    expect(await from({}, 4)).toEqual([201, 201, 201, 429])
    expect(await from({ 'x-forwarded-for': '192.0.2.1' }, 1)).toEqual([201])
    expect(await from({ 'x-forwarded-for': '2011:db8::1' }, 2)).toEqual([201, 201])
    expect(await from({ 'x-forwarded-for': '2011:db8::2' }, 2)).toEqual([201, 429])
    expect(await from(bearer(tokens.ann), 4)).toEqual([201, 201, 201, 429])
    expect(await from(bearer(tokens.sysop), 4)).toEqual([201, 201, 201, 201])
    const { headers, body } = await limited.write({}, ANONYMOUS)
    expect(body).toMatchObject({ errorKey: 'actionthrottledtext', httpReason: 'Too Many Requests' })
    expect(headers['retry-after']).toBeUndefined()
  })
})

describe('a JSON Web Token', () => {
  const SECRET = 'a secret of more than thirty-two bytes'
  const ISSUER = { jwtIssuer: 'https://login.example', jwtAudience: 'wiki' }
  const key = Buffer.from(SECRET)
  let writers: Writers

  const claims = { sub: 'ann', iss: 'https://login.example', aud: 'wiki', exp: NOW + 600 }
  const sign = (payload: JWTPayload = claims, secret = key, alg = 'HS256') =>
    new SignJWT(payload).setProtectedHeader({ alg }).sign(secret)

  beforeAll(async () => {
    const folder = temporaryFolder()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'secret'), `${SECRET}\n`)
    const wiki = await folderForWriters((applier) => createUser(applier, 'Ann', ['bot']))
    writers = await startWriters(wiki, { ...ISSUER, jwtSecretFile: join(folder, 'secret') })
  })

  test('lets the account write that its claim names', async () => {
    const answer = await writers.write(bearer(await sign()))
    expect(await writers.editorOf(answer)).toEqual({ id: 2, name: 'Ann' })
  })

  test('makes an account for a new name at its first edit, once', async () => {
    const token = await sign({ ...claims, sub: 'zoe_of the  Sea' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => writers.write(bearer(token))))
    for (const answer of answers) {
      expect(await writers.editorOf(answer)).toEqual({ id: 3, name: 'Zoe of the Sea' })
    }
    const { store } = writers.server.app.context
    store.refresh()
    expect(getUserByName(store.tables, 'Zoe of the Sea')).toMatchObject({ id: 3, passwordHash: null })
  })

  test.each<[string, () => Promise<string>]>([
    ['is over', () => sign({ ...claims, exp: NOW - 60 })],
    ['is not yet good', () => sign({ ...claims, nbf: NOW + 600 })],
    ['never ends', () => sign({ sub: 'ann', iss: claims.iss, aud: claims.aud })],
    ['is of another issuer', () => sign({ ...claims, iss: 'https://evil.example' })],
    ['is for another audience', () => sign({ ...claims, aud: 'shop' })],
    ['names nobody', () => sign({ iss: claims.iss, aud: claims.aud, exp: claims.exp })],
    ['names somebody by a number', () => sign({ ...claims, sub: 7 as never })],
    ['has a name that no account can have', () => sign({ ...claims, sub: '192.0.2.1' })],
    ['is signed with another secret', () => sign(claims, Buffer.from('x'.repeat(40)))],
    ['is signed in another way', () => sign(claims, Buffer.from(SECRET.padEnd(64, 'x')), 'HS512')],
    [
      'is not signed',
      async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await sign()).split('.')[1]}.`,
    ],
    ['is none', () => Promise.resolve('no.such.token')],
  ])('that %s is refused', async (_case, make) => {
    const { status, body } = await writers.write(bearer(await make()))
    expect(body).toMatchObject({ errorKey: 'rest-invalid-token' })
    expect(status).toBe(401)
  })

  describe('with a key set', () => {
    let server: Server
    let fetches = 0
    let keys: Awaited<ReturnType<typeof generateKeyPair>>

    const signed = (privateKey: typeof keys.privateKey, kid = 'k1') =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)

    beforeAll(async () => {
      keys = await generateKeyPair('ES256')
      const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }
      server = createServer((_request, response) => {
        fetches++
        response.end(JSON.stringify({ keys: [jwk] }))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      afterFile(() => server.close())
    })

    const remote = async (url: string) =>
      startWriters(await folderForWriters((applier) => createUser(applier, 'Ann')), {
        ...ISSUER,
        jwtKeys: url,
      })

    test('fetched from a URL is fetched once', async () => {
      const { port } = server.address() as AddressInfo
      const writing = await remote(`http://127.0.0.1:${port}/keys`)
      const token = await signed(keys.privateKey)
      const answers = await Promise.all(Array.from({ length: 8 }, () => writing.write(bearer(token))))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
      // Neither a forged token nor one of an unknown key makes the server ask again at once.
      const { privateKey: other } = await generateKeyPair('ES256')
      expect((await writing.write(bearer(await signed(other)))).status).toBe(401)
      expect((await writing.write(bearer(await signed(other, 'k2')))).status).toBe(401)
      // The secret of the other way is no key of this one.
      expect((await writing.write(bearer(await sign()))).status).toBe(401)
      expect(fetches).toBe(1)
    })

    test('read from a file needs no fetch', async () => {
      const path = join(temporaryFolder(), 'keys.json')
      writeFileSync(path, JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1' }] }))
      const writing = await remote(path)
      expect((await writing.write(bearer(await signed(keys.privateKey)))).status).toBe(201)
    })

    test('that cannot be had is not the fault of the token', async () => {
      const writing = await remote('http://127.0.0.1:1/keys')
      for (let n = 0; n < 2; n++) {
        const { status, body } = await writing.write(bearer(await signed(keys.privateKey)))
        expect(body).toMatchObject({ errorKey: 'rest-token-keys-unavailable' })
        expect(status).toBe(503)
      }
    })
  })

  test.each([
    [{ jwtIssuer: 'x' }, /belong together/],
    [{ ...ISSUER }, /belong together/],
    [{ ...ISSUER, jwtSecretFile: 'a', jwtKeys: 'b' }, /belong together/],
    [{ ...ISSUER, jwtSecretFile: '/nowhere/secret' }, /jwtSecretFile: \/nowhere\/secret cannot be read/],
    [{ ...ISSUER, jwtKeys: '/nowhere/keys' }, /jwtKeys: \/nowhere\/keys cannot be read/],
    [{ ...ISSUER, jwtKeys: import.meta.filename }, /holds no key set/],
    [{ ...ISSUER, jwtKeys: 'http://' }, /http:\/\/ is no URL/],
    [{ ...ISSUER, jwtSecretFile: '/dev/null' }, /less than 32 bytes/],
  ])('with settings %j stops the start', (flags, message) => {
    expect(() => JwtVerifier.open(testConfig('x', flags))).toThrow(SettingError)
    expect(() => JwtVerifier.open(testConfig('x', flags))).toThrow(message)
  })
})
