/** Requests that no sound client sends, made by rule out of the table of routes. */
import { routes as apiRoutes } from '../../src/http/endpoints/index.js'
import { actionForm } from './actionForms.js'
import { postReaderForm, readerRoutes } from '../../src/http/reader/routes.js'

type Random = () => number

/** Every second request is for the pages for readers, which have few routes and many pages. */
const PAGES = [...readerRoutes, postReaderForm]
/** A stream of changes never ends, so nothing behind it on its connection is answered. */
const API = apiRoutes.filter(({ path }) => !path.startsWith('/v2/stream/'))

const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'OPTIONS',
  'PUT',
  'POST',
  'DELETE',
  'PATCH',
  'get',
  'BREW',
]
const VALUES = [
  'Compost',
  'Main_Page',
  'Talk:Compost',
  '1',
  '101',
  '102',
  '-1',
  '0',
  '4294967296',
  '9223372036854775807',
  '99999999999999999999999',
  '1e3',
  'NaN',
  '',
  '%',
  '%00',
  '%2F',
  '%C3%28',
  '%F0%9F%98%80',
  '..',
  '%2e%2e%2fetc',
  'a'.repeat(300),
  'e' + '%CC%81'.repeat(200),
  '%E2%80%AE',
  '<script>',
  '\'"`;--',
  'edits',
  'editors',
  'minor',
  'anonymous',
  'File:Rose.png',
  'preview',
  '\xff\xfe',
  'Special:Search',
  'Special:AllPages/x',
  'Special:RecentChanges',
  'Special:Random/Talk',
  'Special:UserLogin',
  'special:user_logout',
  'history',
  'edit',
  'submit',
  'raw',
  'prev',
  'next',
  'cur',
]
const QUERIES = [
  'older_than',
  'newer_than',
  'filter',
  'from',
  'to',
  'q',
  'limit',
  'redirect',
  'action',
  'action',
  'action',
  'diff',
  'oldid',
  'search',
  'go',
  'offset',
  'namespace',
  'returnto',
  'x',
  'filter[]',
  '',
]
const HEADERS = [
  ['If-None-Match', ['*', '""', '"x"', 'W/"x', ',,,,', '"'.repeat(500)]],
  ['If-Match', ['*', '"x"', '\t']],
  ['If-Modified-Since', ['yesterday', 'Fri, 31 Feb 2100 25:61:61 GMT', '-1', '9'.repeat(400)]],
  ['Range', ['bytes=0-', 'bytes=-1', 'bytes=5-2,9999999999999-']],
  [
    'Content-Type',
    [
      'application/json',
      'application/json; charset=utf-7',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain',
      '/',
      ';;;',
    ],
  ],
  ['Sec-Fetch-Site', ['same-origin', 'cross-site', 'x']],
  ['Authorization', ['Bearer ', 'Bearer x.y.z', 'Basic Og==', 'Negotiate', '\\']],
  ['Cookie', ['a=b; a=c', '=', ';'.repeat(300), 'session=%00']],
  ['Accept-Encoding', ['gzip, br, *;q=0']],
  ['X-Forwarded-For', ['1.2.3.4, ::1, x']],
  ['X-Request-Id', ['a b', 'x'.repeat(200), '$(id)']],
  ['Expect', ['100-continue']],
  ['Host', ['', 'a b', '[::1', 'x'.repeat(255)]],
  ['X-Long', ['y'.repeat(3000), 'y'.repeat(6000)]],
] as const satisfies readonly (readonly [string, readonly string[]])[]
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{"source":"a","title":"Fuzz","comment":null,"token":"+\\\\"}',
  '{"source":"{{subst:Fuzz}}~~~~","comment":"","latest":{"id":101},"token":"+\\\\"}',
  '{"source":1,"title":{},"comment":[],"latest":7}',
  `{"source":"${'[[a|'.repeat(500)}","title":"Fuzz ${'x'.repeat(300)}","comment":null,"token":"+\\\\"}`,
  'wpTextbox1=%5B%5B&wpEditToken=x&parentRevId=-1&wpPreview=1',
  'wpName=%00&wpPassword=x&wpLoginToken=&returnto=//x',
  '[['.repeat(2000),
  '{"a":'.repeat(500),
  '"\\ud800"',
  '\xff\xfe\x00',
]

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!

/** Requests of this wiki's clients that are asked again: an answer may be kept then, and is given again. */
const MOST_ASKED_AGAIN = 20

/** Makes requests, some of which come again. */
export class RandomRequests {
  readonly #random: Random
  readonly #asked: string[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** One request as bytes; one in fifty is no HTTP at all, or not as HTTP has it. */
  next(): Buffer {
    const random = this.#random
    if (random() < 0.25 && this.#asked.length > 0) return this.#again(pick(random, this.#asked))
    if (random() < 0.3) return this.#action()
    const target = randomTarget(random)
    this.#remember(target)
    const sound = `${pick(random, METHODS)} ${target} HTTP/1.1\r\n${randomHeaders(random)}`
    const body = random() < 0.2 ? pick(random, BODIES) : undefined
    return Buffer.from(random() < 0.02 ? mangled(random, sound) : sound + framed(random, body), 'latin1')
  }

  /** Three times at once: the second is kept, and the third is given what was kept. */
  #again(target: string): Buffer {
    return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: fuzz\r\n\r\n`.repeat(3), 'latin1')
  }

  #action(): Buffer {
    const random = this.#random
    const { form, isPost } = actionForm(random, () => pick(random, VALUES).replaceAll(' ', '+'))
    const target = `/api.php${isPost ? '' : `?${form}`}`
    if (!isPost) this.#remember(target)
    const type = 'Content-Type: application/x-www-form-urlencoded\r\n'
    const end = isPost ? `${type}Content-Length: ${Buffer.byteLength(form, 'latin1')}\r\n\r\n${form}` : '\r\n'
    return Buffer.from(
      `${isPost ? 'POST' : 'GET'} ${target} HTTP/1.1\r\n${randomHeaders(random)}${end}`,
      'latin1',
    )
  }

  #remember(target: string): void {
    this.#asked.push(target)
    if (this.#asked.length > MOST_ASKED_AGAIN) this.#asked.shift()
  }
}

function randomTarget(random: Random): string {
  const { root, path } = pick(random, random() < 0.5 ? PAGES : API)
  const filled = path.replace(/\{\w+(?:\.\.\.)?\}/g, () => pick(random, VALUES))
  const suffix = random() < 0.1 ? pick(random, ['/', '//', '/bare', '/..', '/history/counts/', '#x']) : ''
  const fields = Array.from(
    { length: random() < 0.4 ? Math.floor(random() * 4) : 0 },
    () => `${pick(random, QUERIES)}${pick(random, ['=', '', '=='])}${pick(random, VALUES)}`,
  )
  const target = `${root === 'v1' ? '/v1' : ''}${filled}${suffix}${fields.length > 0 ? `?${fields.join('&')}` : ''}`
  // Blanks end a target; what comes after would not be one.
  return target.replaceAll(' ', '+')
}

function randomHeaders(random: Random): string {
  const count = random() < 0.3 ? Math.floor(random() * 5) : 0
  const lines = Array.from({ length: count }, () => {
    const [name, values] = pick(random, HEADERS)
    return `${name}: ${pick<string>(random, values)}\r\n`
  })
  return `Host: fuzz\r\n${lines.join('')}`
}

/** The end of the headers and the body, framed in one of the ways of HTTP; some frames lie. */
function framed(random: Random, body: string | undefined): string {
  if (body === undefined) return '\r\n'
  const length = random() < 0.01 ? Math.floor(random() * 20) : body.length
  if (random() < 0.2)
    return `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  return `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
}

function mangled(random: Random, request: string): string {
  const at = Math.floor(random() * request.length)
  const ways = [
    `${request.slice(0, at)}\0${request.slice(at)}\r\n`,
    `${request.slice(0, at)}\r\n\r\n`,
    `${request.replace('HTTP/1.1', pick(random, ['HTTP/1.0', 'HTTP/2', 'HTTP/9.9', '']))}\r\n`,
    `${request.replaceAll('\r\n', '\n')}\n`,
    `${request}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `${request}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]
  return pick(random, ways)
}
