/** MCP over standard input and output, for the program that started this one. */
import type { Readable, Writable } from 'node:stream'
import type { AppContext } from '../../context.js'
import { encodeTitle } from '../../reader/links.js'
import { BoundedCache } from '../../runtime/boundedCache.js'
import { Pacer } from '../../runtime/pacer.js'
import { addressesOf } from '../actionApi/addresses.js'
import { LinkRoom } from '../cache/expandedLinks.js'
import { Encoder } from '../coding/encoder.js'
import { ViewerFiles } from '../openapi/document.js'
import { CurrentWiki } from '../request/wiki.js'
import type { HttpContext } from '../routing/route.js'
import { openServices, type SharedServices } from '../routing/services.js'
import { type ToolCall, wikiNameOf } from './call.js'
import { loadSdk, McpTools } from './mcpServer.js'

/** Calls are short. A longer message ends the connection. */
const MAX_MESSAGE_BYTES = 2 ** 20
const CLIENT = 'stdio'

export interface Connection {
  /** Resolves when the client has gone. */
  readonly ended: Promise<void>
  readonly close: () => Promise<void>
}

interface NamedWiki {
  readonly context: HttpContext
  readonly wikis: CurrentWiki
}

/** Throws a UserError if the SDK is not installed. */
export async function serveStdio(
  contexts: readonly AppContext[],
  [input, output]: readonly [Readable, Writable],
): Promise<Connection> {
  const sdk = await loadSdk()
  const { serveStdio: serve, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
  const wikis = new Map<string, NamedWiki>()
  const shared = sharedServices(contexts[0]!)
  for (const context of contexts) {
    const services = openServices(context, [], shared)
    wikis.set(wikiNameOf(context), { context: services, wikis: new CurrentWiki(services) })
  }
  const names = [...wikis.keys()]
  const tools = new McpTools(sdk, names)
  const { log } = contexts[0]!
  const host = {
    names,
    callOf: (name: string) => callOf(name, wikis.get(name)!),
    onFault: (error: unknown) => log.error({ err: error }, 'a call of a tool failed'),
  }
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES })
  const handle = serve(() => tools.server(host), {
    transport,
    onerror: (error) => log.warn({ err: error }, 'a message of the client cannot be used'),
  })
  const ended = new Promise<void>((resolve) => {
    const own = transport.onclose
    transport.onclose = () => {
      own?.()
      resolve()
    }
  })
  return { ended, close: () => handle.close() }
}

function sharedServices({ pool, config }: AppContext): SharedServices {
  return {
    encoder: new Encoder(pool, false),
    comparisons: new BoundedCache(config.comparisonsBytes, (key, body) => key.length + body.length),
    links: new LinkRoom(),
    viewer: new ViewerFiles(),
    pacer: new Pacer(),
    server: { isDraining: () => false },
  }
}

function callOf(wikiName: string, { context, wikis }: NamedWiki): ToolCall {
  const { store, config, readerSites } = context
  // The store as it is now.
  store.refresh()
  store.reloadSite()
  const wiki = wikis.current()
  const { upstream } = readerSites.site(wiki)
  const { publicUrl } = config
  const address = (key: string, revisionId: number): string => {
    if (publicUrl !== '')
      return `${addressesOf({ baseUrl: publicUrl, context }).url(key)}?oldid=${revisionId}`
    return `${upstream ?? `wiki://${wikiName}/`}${encodeTitle(key)}?oldid=${revisionId}`
  }
  return { context, wiki, baseUrl: publicUrl || 'http://localhost', client: CLIENT, address }
}
