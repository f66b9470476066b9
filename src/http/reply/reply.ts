/** What a handler gives back: status, headers and bytes. Made here, written by server.ts. */
import { httpDate } from '../../domain/timestamp.js'
import type { FileHandle } from 'node:fs/promises'
import { rangeApplies, readRange } from './byteRange.js'
import type { Conditions, Validators } from './conditional.js'
import { judgeConditions } from './conditional.js'
import { errorBody, type HttpError } from './errors.js'
import type { FilePart } from '../socket/fileSender.js'

export interface Reply {
  readonly status: number
  /** Header lines, each with a line break before it, so that one native call writes them all. */
  readonly headers: string
  /** Undefined: an answer that has no body by its status (204, 304). Bytes may be good in the same tick only. */
  readonly body: Uint8Array | FilePart | undefined
  /** Whether the connection ends with this answer, as when the rest of a request's body is not wanted. */
  readonly closesConnection?: boolean
  /** Present: the answer may be kept for others who ask for the same path and query. */
  readonly reuse?: Reuse
}

/** When an answer is good for further requests of the same path and query. */
export interface Reuse {
  readonly validators: Validators
  /** Whether it is still what would be made now, though the store has changed since. Absent: it has to be made anew. */
  readonly isCurrent?: () => boolean
  /** Whether it has absolute URLs of the API in it, so that it is good only for requests by the same host. */
  readonly namesHost?: boolean
  /** Milliseconds since 1970. */
  readonly goodUntilMs?: number
}

const JSON_TYPE = headerLines({ 'Content-Type': 'application/json' })
const NOT_MODIFIED: Reply = { status: 304, headers: '', body: undefined }
const PRECONDITION_FAILED: Reply = {
  status: 412,
  headers: headerLines({ 'Content-Type': 'text/html; charset=UTF-8' }),
  body: new Uint8Array(),
}

/**
 * Header lines for a Reply, in the order of the object. Throws for a line break in a value: nothing that comes from
 * outside may begin a line of its own.
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

/** An answer that may be kept for others: see Reuse. What makes it ready for that is done when it is kept. */
export function reusable(reply: Reply, reuse: Reuse): Reply {
  const { status, headers, body } = reply
  return { status, headers, body, reuse }
}

/** What a client asks for of a file. */
export interface RangeHeaders {
  readonly range: string
  readonly ifRange: string
}

/**
 * A 200 with an open file, a 206 with the part that the client asks for, or a 416 when there is no such part. The file
 * is closed by whoever sends it, or here.
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

/** Leads to another URL, for now. */
export function redirect(url: string): Reply {
  return {
    status: 302,
    headers: headerLines({ Location: url, 'Cache-Control': 'max-age=60' }),
    body: new Uint8Array(),
  }
}

/**
 * Judges the request's conditions, then does the work if an answer with a body is due: otherwise 304 or 412.
 * A handler calls it as soon as it knows the validators; what it throws before that comes before the conditions.
 */
export function conditionally<Work extends Reply | Promise<Reply>>(
  conditions: Conditions,
  validators: Validators,
  work: () => Work,
): Work | Reply {
  switch (judgeConditions(conditions, validators)) {
    case 'proceed':
      return work()
    case 'not-modified':
      return NOT_MODIFIED
    case 'precondition-failed':
      return PRECONDITION_FAILED
  }
}

/** The 412 for a condition on something that does not exist. */
export function preconditionFailed(): Reply {
  return PRECONDITION_FAILED
}

export function errorReply(error: HttpError): Reply {
  return {
    status: error.status,
    headers: JSON_TYPE + headerLines(error.extras.headers ?? {}),
    body: errorBody(error),
    ...(error.extras.closesConnection === true && { closesConnection: true }),
  }
}

/** Answers OPTIONS: 204 with the methods of the path, none on an unknown one. */
export function optionsReply(allowed: readonly string[]): Reply {
  const headers = headerLines({
    'Access-Control-Allow-Methods': allowed.join(', '),
    'Access-Control-Allow-Headers': ALLOWED_REQUEST_HEADERS,
  })
  return { status: 204, headers, body: undefined }
}

/** MediaWiki's list to the letter, its misspelt If-Match included: clients compare answers. */
const ALLOWED_REQUEST_HEADERS =
  'Accept, Accept-Language, Content-Language, Content-Type, Accept-Encoding, DNT, Origin, User-Agent, ' +
  'Api-User-Agent, Access-Control-Max-Age, Authorization, If-Mach, If-None-Match, If-Modified-Since'

/** ETag and Last-Modified. The values are digits, letters and signs of our own making: they need no check. */
export function validatorLines({ etag, lastModified }: Validators): string {
  const tagLine = etag === undefined ? '' : `\r\nETag: ${etag}`
  return lastModified === undefined ? tagLine : `${tagLine}\r\nLast-Modified: ${httpDate(lastModified)}`
}
