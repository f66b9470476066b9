/** Lines of the access log. They are printable ASCII whatever clients send, to prevent log injection. */
import { MONTHS } from '../../domain/timestamp.js'
import { BoundedCache } from '../../runtime/boundedCache.js'

/** Facts that are the same whenever a ready answer goes out. */
export interface Served {
  /** Name of the wiki; absent for the only one, and for the server itself. */
  readonly wiki?: string | undefined
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  readonly status: number
  /** Bytes of the body sent. */
  readonly bytes: number
}

/** The facts of one request that a log line shows. */
export interface Visit extends Served {
  /** Arrival of the request, in milliseconds since 1970. */
  readonly timeMs: number
  /** Text, or its bytes. */
  readonly requestId: string | LinePart
  readonly client: string
  readonly ms: number
  readonly referer: string
  readonly userAgent: string
}

/** A request without the facts of its answer. */
export type Arrival = Omit<Visit, 'method' | 'url' | 'status' | 'bytes'>

export type LineFormat = 'json' | 'combined'

/** Longer values are cut, so that a line stays shorter than an atomic write to a pipe. */
const MAX_URL = 1500
const MAX_HEADER = 300
/** Names of parameters whose values are passwords, tokens or other secrets. */
const SECRET_NAME = /token|password|passwd|retype|secret|auth|signature|session|api_?key/i
const HIDDEN = '***'
/** Memory for the cached parts of one kind. */
const PARTS_BYTES = 2 ** 19
/** More digits than a duration in milliseconds has. */
const MAX_DURATION = 24
const POINT = 46
const ZERO = 48

/** A part of lines, as bytes: to copy bytes takes a third of the time of encoding text. */
export type LinePart = Uint8Array

/**
 * Formats log lines, each out of parts that other lines share:
 *
 *     JSON       time, request id, client, answer, duration, referer, user agent
 *     combined   client, time, answer, referer, user agent
 */
export class AccessLines {
  readonly #format: LineFormat
  readonly #clients: TextParts
  readonly #referers: TextParts
  readonly #userAgents: TextParts
  #timeMs = NaN
  #time: LinePart = new Uint8Array()
  #second = NaN
  /** `2026-11-22T16:52:07` */
  #secondText = ''

  constructor(format: LineFormat) {
    this.#format = format
    const show = format === 'json' ? inJson : (text: string): string => inQuotes(text) || '-'
    const [beforeClient, afterClient] = format === 'json' ? ['","client":"', ''] : ['', ' - [']
    const [beforeReferer, afterReferer] = format === 'json' ? [',"referer":', ''] : ['', '" "']
    const [beforeAgent, afterAgent] = format === 'json' ? [',"userAgent":', '}\n'] : ['', '"\n']
    this.#clients = new TextParts((client) => beforeClient + client + afterClient)
    this.#referers = new TextParts(
      (referer) => beforeReferer + show(cut(withoutSecrets(referer), MAX_HEADER)) + afterReferer,
    )
    this.#userAgents = new TextParts(
      (userAgent) => beforeAgent + show(cut(userAgent, MAX_HEADER)) + afterAgent,
    )
  }

  /** The part of a line that shows an answer. */
  served({ wiki, method, url, status, bytes }: Served): LinePart {
    const shownMethod = cut(method, MAX_HEADER)
    const shownUrl = cut(withoutSecrets(url), MAX_URL)
    return asciiBytes(
      this.#format === 'json'
        ? `"${wiki === undefined ? '' : `,"wiki":${inJson(wiki)}`},"method":${inJson(shownMethod)},"url":${inJson(shownUrl)},"status":${status},"bytes":${bytes},"ms":`
        : `"${inQuotes(shownMethod)} ${inQuotes(shownUrl)} HTTP/1.1" ${status} ${bytes} "`,
    )
  }

  /**
   * Writes one line with its line break into `target` from `at`. `served` is what `served` returned for the answer.
   * Returns the end of the line, or -1 without writing anything if there is not enough room.
   */
  write(target: Uint8Array, at: number, visit: Arrival, served: LinePart): number {
    const isJson = this.#format === 'json'
    // The second field of the combined format is free: it has the wiki.
    const client = this.#clients.of(isJson ? visit.client : `${visit.client} ${visit.wiki ?? '-'}`)
    const time = this.#timePart(visit.timeMs)
    const referer = this.#referers.of(visit.referer)
    const userAgent = this.#userAgents.of(visit.userAgent)
    const ofSender = client.length + referer.length + userAgent.length
    const length = ofSender + time.length + served.length + visit.requestId.length + MAX_DURATION
    if (at + length > target.length) return -1
    let end = isJson ? at : put(target, at, client)
    end = put(target, end, time)
    if (isJson) end = put(target, putId(target, end, visit.requestId), client)
    end = put(target, end, served)
    if (isJson) end = putDuration(target, end, visit.ms)
    return put(target, put(target, end, referer), userAgent)
  }

  #timePart(exactMs: number): LinePart {
    const timeMs = Math.round(exactMs)
    if (timeMs === this.#timeMs) return this.#time
    this.#timeMs = timeMs
    const second = Math.floor(timeMs / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#secondText = new Date(timeMs).toISOString().slice(0, 19)
    }
    const millis = String(timeMs % 1000).padStart(3, '0')
    this.#time = asciiBytes(
      this.#format === 'json'
        ? `{"time":"${this.#secondText}.${millis}Z","requestId":"`
        : `${combinedTime(this.#secondText)}] `,
    )
    return this.#time
  }
}

/** Parts of lines by the text that they show. Clients send the same few texts again and again. */
class TextParts {
  readonly #show: (text: string) => string
  readonly #parts = new BoundedCache<LinePart>(PARTS_BYTES, (text, part) => text.length + part.length)
  #lastText: string | undefined
  #lastPart: LinePart = new Uint8Array()

  constructor(show: (text: string) => string) {
    this.#show = show
  }

  of(text: string): LinePart {
    if (text === this.#lastText) return this.#lastPart
    let part = this.#parts.get(text)
    if (part === undefined) {
      part = asciiBytes(this.#show(text))
      this.#parts.set(text, part)
    }
    this.#lastText = text
    this.#lastPart = part
    return part
  }
}

const asciiBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

function put(target: Uint8Array, at: number, part: LinePart): number {
  target.set(part, at)
  return at + part.length
}

const putId = (target: Uint8Array, at: number, id: string | LinePart): number =>
  typeof id === 'string' ? putText(target, at, id) : put(target, at, id)

/** Puts in a short ASCII text. */
function putText(target: Uint8Array, at: number, text: string): number {
  for (let n = 0; n < text.length; n++) target[at + n] = text.charCodeAt(n)
  return at + text.length
}

/** Puts in milliseconds with three digits behind the point. */
function putDuration(target: Uint8Array, at: number, ms: number): number {
  const micros = Math.round(ms * 1000)
  const whole = String(Math.floor(micros / 1000))
  const point = putText(target, at, whole)
  const rest = micros % 1000
  target[point] = POINT
  target[point + 1] = ZERO + Math.floor(rest / 100)
  target[point + 2] = ZERO + (Math.floor(rest / 10) % 10)
  target[point + 3] = ZERO + (rest % 10)
  return point + 4
}

/** A URL without its secrets: values of parameters with a secret's name, and credentials before the host. */
export function withoutSecrets(url: string): string {
  const start = url.indexOf('?')
  const address = start < 0 ? url : url.slice(0, start)
  const anonymous = address.includes('@') ? address.replace(/^(\w+:\/\/)[^/]*@/, '$1') : address
  if (start < 0) return anonymous
  const parameters = url
    .slice(start + 1)
    .split('&')
    .map((parameter) => {
      const end = parameter.indexOf('=')
      const name = parameter.slice(0, end)
      return end > 0 && SECRET_NAME.test(unescapedName(name)) ? `${name}=${HIDDEN}` : parameter
    })
  return `${anonymous}?${parameters.join('&')}`
}

/** Decodes escapes that hide a name, such as `lg%74oken`. Malformed escapes stay. */
const unescapedName = (name: string): string =>
  name.replace(/%([0-9a-f]{2})/gi, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)))

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}...` : text

const SPECIAL = /[^\x20-\x7e]|["\\]/
const UNPRINTABLES = /[^\x20-\x7e]/g

/** A JSON string of printable ASCII. */
function inJson(text: string): string {
  if (!SPECIAL.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    UNPRINTABLES,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** nginx's escaping: quotation marks, backslashes and all bytes outside printable ASCII become `\xHH`. */
function inQuotes(text: string): string {
  if (!SPECIAL.test(text)) return text
  const byte = (value: number): string => `\\x${value.toString(16).toUpperCase().padStart(2, '0')}`
  return [...Buffer.from(text)]
    .map((value) =>
      value < 0x20 || value > 0x7e || value === 0x22 || value === 0x5c
        ? byte(value)
        : String.fromCharCode(value),
    )
    .join('')
}

/** Converts `2026-11-22T16:52:07` to `22/Nov/2026:16:52:07 +0000`. */
function combinedTime(second: string): string {
  const month = MONTHS[Number(second.slice(5, 7)) - 1]
  return `${second.slice(8, 10)}/${month}/${second.slice(0, 4)}:${second.slice(11)} +0000`
}
