/** The wikis for an MCP client that started this process. It reads their stores, also beside servers. */
import type { Readable, Writable } from 'node:stream'
import type { Config } from '../config/config.js'
import { type Connection, serveStdio } from '../http/mcp/stdio.js'
import { OpenedWikis } from './app.js'

/** `close` of the answer closes the stores too. Throws the errors of `App.open`, and a UserError without the SDK. */
export async function openMcp(config: Config, streams: readonly [Readable, Writable]): Promise<Connection> {
  const opened = await OpenedWikis.open({ ...config, html: 'here' }, { onlyReads: true })
  try {
    const connection = await serveStdio(opened.contexts, streams)
    // The first call should not wait for threads.
    opened.parts.shared.pool.start()
    return {
      ended: connection.ended,
      close: async () => {
        await connection.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
