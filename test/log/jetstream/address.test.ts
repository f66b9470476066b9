/** Addresses of logs in JetStream. */
import { expect, test } from 'vitest'
import { parseJetStreamAddress } from '../../../src/log/jetstream/address.js'
import { UnusableEngineError } from '../../../src/log/logEngine.js'

const DAY_MS = 86_400_000

test('an address of one server needs nothing else', () => {
  expect(parseJetStreamAddress('nats://localhost:4222')).toEqual({
    access: { hosts: ['localhost:4222'], isEncrypted: false },
    stream: 'palimpsest',
    retentionMs: 14 * DAY_MS,
    monitors: [],
  })
})

test('an address names servers, an account, the log, and its settings', () => {
  const parameters = 'log=handbook&retention=30d&replicas=3&monitor=http://a:8222,http://b:8222'
  expect(parseJetStreamAddress(`tls://wiki:p%40ss%3A@a.example,[::1]:4222/?${parameters}`)).toEqual({
    access: { hosts: ['a.example', '[::1]:4222'], isEncrypted: true, user: 'wiki', password: 'p@ss:' },
    stream: 'handbook',
    retentionMs: 30 * DAY_MS,
    replicas: 3,
    monitors: ['http://a:8222', 'http://b:8222'],
  })
})

test('a login without a password is a token', () => {
  expect(parseJetStreamAddress('nats://secret@a').access).toMatchObject({ token: 'secret' })
})

test.each([
  ['another scheme', 'http://a', /^not an address of NATS/],
  ['no host', 'nats://', /^not an address of NATS/],
  ['a path', 'nats://a/b', /^not an address of NATS/],
  ['a host with spaces', 'nats://a b', /"a b" is not a host/],
  ['a host without a name', 'nats://a,', /"" is not a host/],
  ['too many hosts', `nats://${'a,'.repeat(16)}a`, /at most 16 hosts/],
  ['a long text', `nats://${'a'.repeat(5000)}`, /^not an address of NATS/],
  ['a wrong name of the log', 'nats://a?log=a.b', /^log=a\.b/],
  ['a wrong retention', 'nats://a?retention=2w', /^retention=2w/],
  ['a wrong number of replicas', 'nats://a?replicas=7', /^replicas=7/],
  ['a monitor that is no URL', 'nats://a?monitor=a:8222', /^monitor=a:8222/],
  ['an unknown parameter', 'nats://a?logs=b', /^NATS has no parameter "logs"/],
])('%s is refused', (_case, address, message) => {
  expect(() => parseJetStreamAddress(address)).toThrow(UnusableEngineError)
  expect(() => parseJetStreamAddress(address)).toThrow(message)
})

test.each([
  'nats://wiki:se:cret@a',
  'nats://wiki:secret%@a',
  'nats://wiki:secret@a b',
  'nats://secret@a?x=y',
])('the refusal of %s does not quote its password', (address) => {
  let refusal = ''
  try {
    parseJetStreamAddress(address)
  } catch (error) {
    refusal = (error as Error).message
  }
  expect(refusal).not.toBe('')
  expect(refusal).not.toContain('cret')
})

test('hostile addresses take little time', () => {
  const startMs = performance.now()
  for (const part of ['@', ':', ',', '/', '?', '%', 'a@', '[']) {
    expect(() => parseJetStreamAddress(`nats://${part.repeat(4000 / part.length)}#`)).toThrow(
      UnusableEngineError,
    )
  }
  expect(performance.now() - startMs).toBeLessThan(1000)
})
