/** Replies: status, headers and bytes that a handler returns. server.ts sends them. */
import type { FileHandle } from 'node:fs/promises'
import { httpDate } from '../../domain/timestamp.js'
import type { PackedPart } from '../../storage/html/packedHtml.js'
import { type Conditions, judgeConditions, rangeApplies, readRange, type Validators } from './conditional.js'
import { errorBody, type HttpError } from './errors.js'

export interface Reply {
  readonly status: number
  /** Header lines, each preceded by a line break, so that one native call writes them all. */
  readonly headers: string
  /** Undefined for a status without a body (204, 304). The bytes may be valid in the same tick only. */
  readonly body: Uint8Array | FilePart | StreamPart | PackedBody | undefined
  /** Whether the server closes the connection after this answer, for example to skip the rest of a request's body. */
  readonly closesConnection?: boolean
  /** Present when other requests for the same path and query may get the same answer. */
  readonly reuse?: Reuse
}

/** A part of an open file. The sender closes the file. */
export interface FilePart {
  readonly file: FileHandle
  /** Where the part begins. */
  readonly start: number
  /** Bytes of the part. */
  readonly length: number
}

/** A body without a length, which goes on until the client, the server or its source ends it. */
export interface StreamPart {
  /** Called once, when the head is about to be sent. A stream that is not sent never begins. */
  begin(client: StreamClient): void
  /** Not known. */
  readonly length?: undefined
}

/** The client of a stream, as its source sees it. */
export interface StreamClient {
  /** Sends bytes. A client that is too slow loses its connection. Without effect after the end. */
  write(bytes: Uint8Array): void
  end(): void
  /** Called once, after the end, whichever side caused it. */
  onEnd: () => void
}

/** Deflated bytes, or text in UTF-8. */
export type BodyPart = PackedPart | string

/** A body in parts. The encoder makes gzip or plain bytes of them. */
export interface PackedBody {
  readonly parts: readonly BodyPart[]
}

/** A reply in the coding that its client accepts. */
export type ReadyReply = Reply & { readonly body: Uint8Array | FilePart | StreamPart | undefined }

/** For a reply that is not sent in the tick in which it was made: its body may be in memory that answers share. */
export function withOwnBody(reply: ReadyReply): ReadyReply {
  const { body } = reply
  return body instanceof Uint8Array ? { ...reply, body: new Uint8Array(body) } : reply
}

/** Conditions for the reuse of an answer for the same path and query. */
export interface Reuse {
  readonly validators: Validators
  /** Whether the answer is still valid after a change of the store. Absent: any change makes it invalid. */
  readonly isCurrent?: () => boolean
  /** Makes `isCurrent` for an answer that is kept. Most are not, so work for it belongs here. */
  readonly watch?: () => () => boolean
  /** Whether the answer contains absolute URLs of the API: it then serves only requests to the same host. */
  readonly namesHost?: boolean
  /** End of validity, in milliseconds since 1970. */
  readonly goodUntilMs?: number
}

const JSON_TYPE = headerLines({ 'Content-Type': 'application/json' })
const NOT_MODIFIED: ReadyReply = { status: 304, headers: '', body: undefined }
const PRECONDITION_FAILED: ReadyReply = {
  status: 412,
  headers: headerLines({ 'Content-Type': 'text/html; charset=UTF-8' }),
  body: new Uint8Array(),
}

/**
 * Header lines for a Reply, in the order of the object. Throws for a line break in a value, to prevent header
 * injection.
 */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = ''
  for (const [name, value] of Object.entries(headers)) {
    if (/[\r\n]/.test(value)) throw new Error(`line break in the value of ${name}`)
    lines += `\r\n${name}: ${value}`
  }
  return lines
}

/** A 200 with JSON: ready bytes, or a value to encode. `headers` are lines of `headerLines`. */
export function json(body: object, validators: Validators, headers = ''): Reply {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
  return { status: 200, headers: JSON_TYPE + validatorLines(validators) + headers, body: bytes }
}

const HTML_TYPE = '\r\nContent-Type: text/html;'

export const isHtml = ({ headers }: Reply): boolean => headers.includes(HTML_TYPE)

/** Marks an answer as reusable. The cache does the preparation, and only when it keeps the answer. */
export function reusable(reply: Reply, reuse: Reuse): Reply {
  const { status, headers, body } = reply
  return { status, headers, body, reuse }
}

/** The headers with which a client requests a part of a file. */
interface RangeHeaders {
  readonly range: string
  readonly ifRange: string
}

/**
 * A 200 with an open file, a 206 with the requested part, or a 416 when the file has no such part. The sender closes
 * the file; for a 416 this function does.
 */
export async function openFile(
  file: FileHandle,
  validators: Validators,
  headers: string,
  { range, ifRange }: RangeHeaders,
): Promise<Reply> {
  const { size } = await file.stat()
  const part = rangeApplies(ifRange, validators) ? readRange(range, size) : undefined
  const lines = validatorLines(validators) + headers
  if (part === undefined) return { status: 200, headers: lines, body: { file, start: 0, length: size } }
  if (part === 'unsatisfiable') {
    await file.close()
    return {
      status: 416,
      headers: headerLines({ 'Content-Range': `bytes */${size}` }),
      body: new Uint8Array(),
    }
  }
  const { start, end } = part
  const place = headerLines({ 'Content-Range': `bytes ${start}-${end - 1}/${size}` })
  return { status: 206, headers: lines + place, body: { file, start, length: end - start } }
}

/** A temporary redirect to another URL. */
export function redirect(url: string): Reply {
  return {
    status: 302,
    headers: headerLines({ Location: url, 'Cache-Control': 'max-age=60' }),
    body: new Uint8Array(),
  }
}

/**
 * Evaluates the request's conditions, and calls `work` unless the answer is 304 or 412. A handler calls this as soon as
 * it knows the validators. Errors that it throws earlier take precedence over the conditions.
 */
export function conditionally<Work extends Reply | Promise<Reply>>(
  conditions: Conditions,
  validators: Validators,
  work: () => Work,
): Work | ReadyReply {
  switch (judgeConditions(conditions, validators)) {
    case 'proceed':
      return work()
    case 'not-modified':
      return NOT_MODIFIED
    case 'precondition-failed':
      return PRECONDITION_FAILED
  }
}

/** The 412 for a condition on a nonexistent resource. */
export function preconditionFailed(): ReadyReply {
  return PRECONDITION_FAILED
}

export function errorReply(error: HttpError): ReadyReply {
  return {
    status: error.status,
    headers: JSON_TYPE + headerLines(error.extras.headers ?? {}),
    body: errorBody(error),
    ...(error.extras.closesConnection === true && { closesConnection: true }),
  }
}

/** Answers OPTIONS: 204 with the methods of the path. The list is empty for an unknown path. */
export function optionsReply(allowed: readonly string[]): Reply {
  const headers = headerLines({
    'Access-Control-Allow-Methods': allowed.join(', '),
    'Access-Control-Allow-Headers': ALLOWED_REQUEST_HEADERS,
  })
  return { status: 204, headers, body: undefined }
}

/** MediaWiki's exact list, with its misspelt If-Match: clients compare answers. */
const ALLOWED_REQUEST_HEADERS =
  'Accept, Accept-Language, Content-Language, Content-Type, Accept-Encoding, DNT, Origin, User-Agent, ' +
  'Api-User-Agent, Access-Control-Max-Age, Authorization, If-Mach, If-None-Match, If-Modified-Since'

/** ETag and Last-Modified. The server makes these values itself, so they need no check for line breaks. */
export function validatorLines({ etag, lastModified }: Validators): string {
  const tagLine = etag === undefined ? '' : `\r\nETag: ${etag}`
  return lastModified === undefined ? tagLine : `${tagLine}\r\nLast-Modified: ${httpDate(lastModified)}`
}
