/** The contract of engines, with one NATS server and with three. */
// @module-tag cluster
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describe } from 'vitest'
import { openJetStreamEngine } from '../../../src/log/jetstream/jetStreamEngine.js'
import { toMessage } from '../../../src/log/jetstream/stream.js'
import { NATS_MISSING, NATS_SERVER, NatsServers } from '../../support/nats.js'
import { describeEngine, type EngineUnderTest } from '../engineContract.js'

let logs = 0

/** Makes logs on servers that all of them share. */
function makerOn(size: 1 | 3): () => Promise<EngineUnderTest> {
  let starting: Promise<NatsServers> | undefined
  return async () => {
    const servers = await (starting ??= NatsServers.start({ size }))
    const name = `log-${++logs}`
    const open = () => openJetStreamEngine(servers.url(name))
    const engine = await open()
    return {
      engine,
      again: open,
      cut: async (first) => purge(servers, name, toMessage(first, (await engine.origin())!)),
      kill: () => servers.kill(),
      restart: () => servers.restart(),
      stop: async () => {
        const last = await open()
        await last.drop()
        await last.close()
      },
    }
  }
}

async function purge(servers: NatsServers, stream: string, before: number): Promise<void> {
  const connection = await connect({ servers: servers.hosts() })
  const { streams } = await jetstreamManager(connection)
  await streams.purge(stream, { seq: before })
  await connection.close()
}

if (NATS_SERVER === undefined) describe.skip(`JetStream ${NATS_MISSING}`)
else {
  describeEngine('JetStream with one server', makerOn(1))
  describeEngine('JetStream with three servers', makerOn(3))
}
