/** Servers and streams that cannot carry a log, and what operators read about the others. */
// @module-tag cluster
import { createServer } from 'node:net'
import { once } from 'node:events'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openJetStreamEngine } from '../../../src/log/jetstream/jetStreamEngine.js'
import { EngineError, type LogEngine, UnusableEngineError } from '../../../src/log/logEngine.js'
import { NATS_MISSING, NATS_SERVER, NatsServers, OLD_NATS_SERVER } from '../../support/nats.js'
import { freePort } from '../../support/ports.js'
import { recordOf } from '../engineContract.js'

const ORIGIN = { epoch: 'a'.repeat(32), sequence: 7, digest: 'b'.repeat(64) }
const METADATA = {
  'palimpsest-epoch': ORIGIN.epoch,
  'palimpsest-sequence': '7',
  'palimpsest-digest': ORIGIN.digest,
}

async function open(url: string): Promise<LogEngine> {
  const engine = await openJetStreamEngine(url)
  onTestFinished(() => engine.close())
  return engine
}

async function refusal(opening: Promise<unknown>): Promise<Error> {
  return opening.then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => error as Error,
  )
}

test('an address without a server is an error of the connection', async () => {
  const error = await refusal(openJetStreamEngine(`nats://127.0.0.1:${await freePort()}`))
  expect(error).toBeInstanceOf(EngineError)
  expect(error.message).toBe('cannot connect to NATS: connection refused')
})

test('a server that never answers is an error of the connection', async () => {
  const mute = createServer().listen(0, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(() => void mute.close())
  const { port } = mute.address() as { port: number }
  expect(await refusal(openJetStreamEngine(`nats://127.0.0.1:${port}`))).toBeInstanceOf(EngineError)
})

describe.skipIf(OLD_NATS_SERVER === undefined)(
  'an old server (one of NATS_SERVER_OLD, or of the PATH)',
  () => {
    test('is refused with the reason', async () => {
      const servers = await NatsServers.start({ binary: OLD_NATS_SERVER!, isFlushed: false })
      const error = await refusal(openJetStreamEngine(servers.url('wiki')))
      expect(error).toBeInstanceOf(UnusableEngineError)
      expect(error.message).toMatch(/^nats-server \S+ is too old: .* 2\.10\.23 is the oldest that works$/)
    })
  },
)

describe.skipIf(NATS_SERVER === undefined)(`JetStream (${NATS_MISSING})`, () => {
  test('that is switched off is refused', async () => {
    const servers = await NatsServers.start({ hasJetStream: false })
    const error = await refusal(openJetStreamEngine(servers.url('wiki')))
    expect(error).toBeInstanceOf(UnusableEngineError)
    expect(error.message).toMatch(/has no JetStream/)
  })

  test('takes no wrong password, and no message shows it', async () => {
    const servers = await NatsServers.start({ settings: 'authorization { user: wiki, password: right }' })
    const error = await refusal(openJetStreamEngine(servers.url('wiki', 'wiki:hidden@')))
    expect(error).toBeInstanceOf(UnusableEngineError)
    expect(error.message).toBe('cannot connect to NATS: NATS refuses the account: authorization violation')
    const engine = await open(servers.url('wiki', 'wiki:right@'))
    expect(engine.description).toBe(
      `JetStream of NATS ${versionIn(engine)}, stream wiki at ${servers.hosts()[0]}`,
    )
  })

  test('takes an account with rights on the one stream alone', async () => {
    const rights = [
      '"$JS.API.INFO", "$JS.API.STREAM.*.wiki", "$JS.API.STREAM.MSG.GET.wiki"',
      '"$JS.API.CONSUMER.CREATE.wiki", "$JS.API.CONSUMER.*.wiki.>", "$JS.API.CONSUMER.MSG.NEXT.wiki.>", "wiki.*"',
    ].join(', ')
    const user = `{ user: wiki, password: p, permissions: { publish: [${rights}], subscribe: "_INBOX.>" } }`
    const servers = await NatsServers.start({ settings: `authorization { users: [${user}] }` })
    const engine = await open(servers.url('wiki', 'wiki:p@'))
    await engine.create(ORIGIN)
    const record = recordOf('a')
    expect(await engine.append([record])).toEqual([8])
    expect(await engine.record(8)).toEqual(record.bytes)
    for await (const { records } of engine.read(7, new AbortController().signal)) {
      expect(records).toEqual([{ sequence: 8, bytes: record.bytes }])
      break
    }
    await engine.drop()
    expect(await engine.origin()).toBeUndefined()
    const other = await open(servers.url('other', 'wiki:p@'))
    expect(await refusal(other.create(ORIGIN))).toBeInstanceOf(Error)
  })

  test.each([
    ['without metadata', {}, /is not a log of Palimpsest/],
    [
      'with half the metadata',
      { metadata: { ...METADATA, 'palimpsest-digest': 'b' } },
      /is not a log of Palimpsest/,
    ],
    ['on another subject', { metadata: METADATA }, /its one subject must be/],
    [
      'that forgets what was read',
      { metadata: METADATA, ...own(), retention: 'workqueue' },
      /must be limits/,
    ],
    ['that acknowledges nothing', { metadata: METADATA, ...own(), no_ack: true }, /no_ack/],
  ] as const)('refuses a stream %s', async (_case, settings, message) => {
    const servers = await NatsServers.start()
    await makeStream(servers, { subjects: ['other'], ...settings })
    const engine = await open(servers.url('wiki'))
    for (const call of [engine.origin(), engine.bounds(), engine.append([recordOf('a')])]) {
      const error = await refusal(call)
      expect(error).toBeInstanceOf(UnusableEngineError)
      expect(error.message).toMatch(message)
    }
  })

  test('refuses a record above max_payload, and warns before', async () => {
    const servers = await NatsServers.start({ maxPayload: '64KB' })
    const engine = await open(servers.url('wiki'))
    await engine.create(ORIGIN)
    expect((await engine.warnings()).join('\n')).toMatch(/set max_payload to 8MB/)
    const error = await refusal(engine.append([recordOf('small'), recordOf(Buffer.alloc(65_536))]))
    expect(error).toBeInstanceOf(UnusableEngineError)
    expect(error.message).toMatch(/set max_payload to 8MB/)
    expect(await engine.bounds()).toEqual({ first: 8, last: 7 })
  })

  test('refuses three replicas on one server', async () => {
    const servers = await NatsServers.start()
    const engine = await open(servers.url('wiki&replicas=3'))
    expect(await refusal(engine.create(ORIGIN))).toBeInstanceOf(UnusableEngineError)
  })

  test.each([
    [false, /acknowledges records before they are on the disk/],
    [true, undefined],
  ])('whose flush of each record is %s: warns of %s', async (isFlushed, warning) => {
    const servers = await NatsServers.start({ isFlushed })
    const engine = await open(servers.url(`wiki&monitor=${servers.monitors()[0]}`))
    const text = (await engine.warnings()).join('\n')
    if (warning === undefined) expect(text).not.toMatch(/disk/)
    else expect(text).toMatch(warning)
  })

  test('warns of what nobody checks, and of settings that differ from the address', async () => {
    const servers = await NatsServers.start()
    const engine = await open(servers.url('wiki'))
    await engine.create(ORIGIN)
    const other = await open(
      servers.url(`wiki&retention=30d&replicas=3&monitor=http://127.0.0.1:${await freePort()}`),
    )
    expect((await engine.warnings()).join('\n')).toMatch(/nobody checks[^]*one replica/)
    expect((await other.warnings()).join('\n')).toMatch(
      /does not answer[^]*the address asks for 3[^]*keeps records for 336h, the address asks for 720h/,
    )
  })
})

function own(): { subjects: string[] } {
  return { subjects: [`wiki.${ORIGIN.epoch}`] }
}

const versionIn = ({ description }: LogEngine): string => /NATS (\d+\.\d+\.\d+)/.exec(description)![1]!

/** A stream as an operator makes it. */
async function makeStream(servers: NatsServers, settings: object): Promise<void> {
  const connection = await connect({ servers: servers.hosts() })
  const { streams } = await jetstreamManager(connection)
  await streams.add({ name: 'wiki', ...settings })
  await connection.close()
}
