/** A wiki's action API over a socket, with the faults that real ones have. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterFile } from './cleanUp.js'

/** The wiki behind the server. */
export interface WikiSource {
  /** The answer to a query. Throws an error with `code` for an error of the API. */
  query(parameters: Readonly<Record<string, string>>): object
  /** Contents of a file, by the path of its URL. */
  file(path: string): Buffer | undefined
  /** HTML of a revision; undefined: there is none. */
  html?(revisionId: number): WikiHtml | undefined
}

export interface WikiHtml {
  readonly html: string
  /** Seconds since 1970. */
  readonly renderedAt: number
  /** Revision of the entity tag. */
  readonly revisionId: number
}

export type Fault =
  | { readonly status: number; readonly retryAfter?: number | string }
  | { readonly error: string; readonly retryAfter?: number; readonly lag?: number }
  /** The share of the body after which the connection ends. */
  | { readonly cut: number }
  | { readonly html: true }
  /** Any body, of any type. */
  | { readonly body: string; readonly type?: string }
  /** No answer at all. */
  | { readonly hangUp: true }
  /** The first bytes, and nothing more. */
  | { readonly stall: true }

export interface SeenRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Of a request for HTML: its path, as `rest`. */
  readonly parameters: Readonly<Record<string, string>>
}

const REST = /\/rest\.php(\/v1\/revision\/(\d+)\/html)$/

export class UpstreamServer {
  readonly seen: SeenRequest[] = []
  /** The fault of a request, by its number from 1; undefined: none. */
  faultOf: (number: number, parameters: Readonly<Record<string, string>>) => Fault | undefined = () =>
    undefined
  /** The wiki's clock, in seconds since 1970; undefined: that of this machine. */
  time: number | undefined
  /** Requests under way, and the most at one time. */
  open = 0
  mostOpen = 0
  source: WikiSource
  readonly #server: Server

  private constructor(source: WikiSource, server: Server) {
    this.source = source
    this.#server = server
  }

  static async start(source: WikiSource): Promise<UpstreamServer> {
    const server = createServer()
    const upstream = new UpstreamServer(source, server)
    server.on('request', (request, response) => void upstream.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    afterFile(() => upstream.close())
    return upstream
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get url(): string {
    return `${this.origin}/w/api.php`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostOpen = Math.max(this.mostOpen, ++this.open)
    response.on('close', () => this.open--)
    const url = new URL(request.url ?? '', 'http://x')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const parameters = Object.fromEntries([...url.searchParams, ...form])
    if (this.time !== undefined) response.setHeader('date', new Date(1000 * this.time).toUTCString())
    const [, rest, revisionId] = REST.exec(url.pathname) ?? []
    if (rest !== undefined) parameters['rest'] = rest
    else if (!url.pathname.endsWith('/api.php')) return this.#sendFile(url.pathname, response)
    this.seen.push({ method: request.method ?? '', headers: request.headers, parameters })
    const fault = this.faultOf(this.seen.length, parameters)
    if (fault !== undefined) this.#fail(fault, request, response, parameters)
    else if (rest === undefined) send(response, request, 200, this.#answer(parameters))
    else this.#sendHtml(Number(revisionId), request, response)
  }

  #sendHtml(revisionId: number, request: IncomingMessage, response: ServerResponse): void {
    const found = this.source.html?.(revisionId)
    if (found === undefined) return void response.writeHead(404).end('{}')
    const isPacked = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    response.writeHead(200, {
      'content-type': 'text/html;charset=UTF-8',
      'last-modified': new Date(1000 * found.renderedAt).toUTCString(),
      etag: `"${found.revisionId}/9628acc0-e70e-11f1-a72a-02fc00000001/view/html"`,
      ...(isPacked && { 'content-encoding': 'gzip' }),
    })
    response.end(isPacked ? gzipSync(found.html, { level: 1 }) : found.html)
  }

  #sendFile(path: string, response: ServerResponse): void {
    const bytes = this.source.file(path)
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes)
  }

  #answer(parameters: Readonly<Record<string, string>>): object {
    try {
      return this.source.query(parameters)
    } catch (error) {
      const { code = 'internal_api_error_Exception', message } = error as Error & { code?: string }
      return { error: { code, info: message } }
    }
  }

  #fail(
    fault: Fault,
    request: IncomingMessage,
    response: ServerResponse,
    parameters: Readonly<Record<string, string>>,
  ): void {
    if ('retryAfter' in fault && fault.retryAfter !== undefined)
      response.setHeader('retry-after', String(fault.retryAfter))
    if ('status' in fault) response.writeHead(fault.status).end('<html>busy</html>')
    else if ('error' in fault)
      send(response, request, 200, { error: { code: fault.error, info: 'as asked', lag: fault.lag } })
    else if ('html' in fault) response.setHeader('content-type', 'text/html').end('<html>maintenance</html>')
    else if ('body' in fault)
      response.setHeader('content-type', fault.type ?? 'application/json; charset=utf-8').end(fault.body)
    else if ('hangUp' in fault) response.destroy()
    else if ('stall' in fault)
      response.writeHead(200, { 'content-type': 'text/html' }).write('<!DOCTYPE html>')
    else cutShort(response, JSON.stringify(this.#answer(parameters)), fault.cut)
  }
}

function send(response: ServerResponse, { headers }: IncomingMessage, status: number, answer: object): void {
  const bytes = Buffer.from(JSON.stringify(answer))
  const isPacked = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(isPacked && { 'content-encoding': 'gzip' }),
  })
  response.end(isPacked ? gzipSync(bytes, { level: 1 }) : bytes)
}

function cutShort(response: ServerResponse, text: string, share: number): void {
  const bytes = Buffer.from(text)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.write(bytes.subarray(0, Math.floor(bytes.length * share)), () => response.destroy())
}
