/**
 * `/mcp`: the Model Context Protocol over Streamable HTTP, without sessions. Each request has its own server of the
 * SDK, which answers as JSON, or to older clients as one event.
 */
import { encodePercent } from '../../domain/percent.js'
import { addressesOf } from '../actionApi/addresses.js'
import { HttpError } from '../reply/errors.js'
import { headerLines, type Reply } from '../reply/reply.js'
import type { BodyReader } from '../request/bodyFields.js'
import { MCP_HEADERS, type RequestView } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'
import { defineRoute, type HttpContext, type Route } from '../routing/route.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/tasks.js'
import { wikiNameOf } from './call.js'
import { type McpHost, McpTools, type SdkPackage } from './mcpServer.js'

const PATH = '/mcp'
const NO_STORE = { 'Cache-Control': 'no-store' }
/** Of the SDK's answers. */
const ANSWER_HEADERS = ['content-type', 'allow']
/** The SDK reads no host. */
const ADDRESS = `http://localhost${PATH}`
/** As bytes. */
const [BLANK, BRACKET] = [0x20, 0x5b]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

/** A message as it came. Calls are short. */
const messageBody: BodyReader<Uint8Array> = {
  checkType: () => undefined,
  parse(bytes) {
    if (bytes.length > MAX_INLINE_BYTES.body)
      throw new HttpError('rest-body-too-large', [MAX_INLINE_BYTES.body])
    return bytes
  },
}

/** `sdk` was loaded before: that takes too long for a request. */
export function mcpRoutes(sdk: SdkPackage): readonly Route[] {
  const tools = new McpTools(sdk)
  const post = defineRoute({
    method: 'POST',
    root: 'top',
    path: PATH,
    body: messageBody,
    handler: ({ request, wiki, body }, context) => answer(body, request, wiki, context, { sdk, tools }),
  })
  const get = defineRoute({
    method: 'GET',
    root: 'top',
    path: PATH,
    // There are no streams to open.
    handler: () => ({
      status: 405,
      headers: headerLines({ Allow: 'POST', 'Content-Type': 'text/plain; charset=utf-8', ...NO_STORE }),
      body: Buffer.from('Send messages of the Model Context Protocol by POST.\n'),
    }),
  })
  return [post, get]
}

async function answer(
  body: Uint8Array,
  request: RequestView,
  wiki: Wiki,
  context: HttpContext,
  { sdk, tools }: { readonly sdk: SdkPackage; readonly tools: McpTools },
): Promise<Reply> {
  if (!isOrigin(request.header('origin'), context)) return refusal(403, 'Origin not allowed')
  // Each message counts as a read. The protocol has no batches any more.
  // The SDK reads over a byte order mark.
  const start = BYTE_ORDER_MARK.every((byte, at) => body[at] === byte) ? BYTE_ORDER_MARK.length : 0
  if (body.subarray(start).find((byte) => byte > BLANK) === BRACKET)
    return refusal(400, 'Send one message at a time')
  const { log } = context
  const handler = sdk.createMcpHandler(() => tools.server(hostOf(request, wiki, context)), {
    // What the server offers never changes.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    maxRequestBodySize: MAX_INLINE_BYTES.body,
    onerror: (error) => log.debug({ err: error }, 'a message of an MCP client was refused'),
  })
  const response = await handler.fetch(
    new Request(ADDRESS, { method: 'POST', headers: headersOf(request), body: new Uint8Array(body) }),
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  const given = ANSWER_HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    status: response.status,
    headers: headerLines({ ...Object.fromEntries(given), ...NO_STORE }),
    body: bytes,
  }
}

/** Pages of other sites must not use a browser, or a name that leads to this machine, to read the wiki. */
function isOrigin(origin: string, { config }: HttpContext): boolean {
  if (origin === '' || LOOPBACK.test(origin)) return true
  const listed = config.mcpOrigins.split(',').map((entry) => entry.trim())
  return listed.includes(origin) || (config.publicUrl !== '' && new URL(config.publicUrl).origin === origin)
}

function refusal(status: number, message: string): Reply {
  return {
    status,
    headers: headerLines({ 'Content-Type': 'application/json', ...NO_STORE }),
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null })),
  }
}

function headersOf(request: RequestView): Headers {
  const headers = new Headers()
  for (const name of [...MCP_HEADERS, 'content-type'] as const) {
    const value = request.header(name)
    // Others cannot be right, and the SDK says so.
    if (value !== '')
      headers.set(name, /^[\x20-\x7e]*$/.test(value) ? value : encodePercent(value.toWellFormed()))
  }
  return headers
}

function hostOf(request: RequestView, wiki: Wiki, context: HttpContext): McpHost {
  const baseUrl = request.baseUrl()
  const client = request.clientAddress()
  const { url } = addressesOf({ baseUrl, context })
  const address = (key: string, revisionId: number): string => `${url(key)}?oldid=${revisionId}`
  return {
    names: [wikiNameOf(context)],
    callOf: () => {
      // Other requests may have been answered since, from an older state.
      context.store.refresh()
      return { context, wiki, baseUrl, client, address }
    },
    onFault: (error) => context.log.error({ err: error }, 'a call of a tool failed'),
  }
}
