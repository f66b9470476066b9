/**
 * Requests that test where a request and its body end, by RFC 9112, with what a strict server makes of them. All are harmless: the
 * worst that a fault of the server could do is to answer `/hidden`, which stands in bodies only.
 */
import type { NativeRequest, NativeResponse } from '../../../src/http/socket/driver.js'

/** A server's handler that answers with what it understood. */
export function echo(response: NativeResponse, request: NativeRequest): void {
  const query = request.getQuery()
  const line = `${request.getCaseSensitiveMethod()} ${request.getUrl()}${query === undefined ? '' : ` ?${query}`}`
  const parts = [line, `host=${request.getHeader('host')}`, `x=${request.getHeader('x')}`]
  let body = ''
  const answer = (): void => {
    response.writeStatus('200 OK')
    response.end([...parts, `body=${body}`].join('|'))
  }
  const hasBody =
    Number(request.getHeader('content-length')) > 0 || request.getHeader('transfer-encoding') !== ''
  if (!hasBody) return answer()
  response.onAborted(() => undefined)
  response.onData((chunk, isLast) => {
    body += Buffer.from(chunk).toString('latin1')
    if (isLast) answer()
  })
}

/** What a client sees in bytes from the server: bodies of 200, other statuses. A 100 is left out. */
export function readAnswers(sent: string): string[] {
  const seen: string[] = []
  for (let rest = sent; rest !== '';) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    // uWebSockets.js refuses requests without stating a length.
    const untilNext = rest.indexOf('HTTP/1.1 ', head.length) - head.length - 4
    const length = Number(
      /Content-Length: (\d+)/i.exec(head)?.[1] ?? (untilNext < 0 ? rest.length : untilNext),
    )
    const body = rest.slice(head.length + 4, head.length + 4 + length)
    const status = head.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)
    if (status !== '100') seen.push(status === '200' ? Buffer.from(body, 'latin1').toString() : status)
    rest = rest.slice(head.length + 4 + length)
  }
  return seen
}

export const NEXT = 'GET /next HTTP/1.1\r\nHost: h\r\n\r\n'
/** A request in a body. */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n'
export const NEXT_SEEN = 'GET /next|host=h|x=|body='
export const get = (lines: string, target = '/'): string =>
  `GET ${target} HTTP/1.1\r\nHost: h\r\n${lines}\r\n`
export const post = (lines: string, body: string): string =>
  `POST / HTTP/1.1\r\nHost: h\r\n${lines}\r\n${body}`
const posted = (body: string): string => `POST /|host=h|x=|body=${body}`

export const TAKEN: readonly (readonly [name: string, bytes: string, seen: string])[] = [
  ['a plain request', get(''), 'GET /|host=h|x=|body='],
  ['a query', get('', '/a?b=c'), 'GET /a ?b=c|host=h|x=|body='],
  ['an empty query', get('', '/a?'), 'GET /a ?|host=h|x=|body='],
  [
    'an absolute target, whose host counts',
    get('', 'http://other:80/a?b'),
    'GET /a ?b|host=other:80|x=|body=',
  ],
  ['an absolute target without a path', get('', 'http://other'), 'GET /|host=other|x=|body='],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n', 'OPTIONS *|host=h|x=|body='],
  ['empty lines before it', `\r\n\r\n${get('')}`, 'GET /|host=h|x=|body='],
  ['blanks around a value', get('X: \t a b \t\r\n'), 'GET /|host=h|x=a b|body='],
  ['an empty value', get('X:\r\n'), 'GET /|host=h|x=|body='],
  ['lines of the same name', get('X: a\r\nx: b\r\nX: c\r\n'), 'GET /|host=h|x=a, b, c|body='],
  ['UTF-8 in a value', get('X: \xc3\xa9\r\n'), 'GET /|host=h|x=é|body='],
  ['a body with a length', post('Content-Length: 3\r\n', 'abc'), posted('abc')],
  ['a body that looks like a request', post(`Content-Length: ${NEXT.length}\r\n`, NEXT), posted(NEXT)],
  ['a body of no bytes', post('Content-Length: 0\r\n', ''), posted('')],
  [
    'chunks',
    post('Transfer-Encoding: chunked\r\n', '3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n'),
    posted('abc0123456789'),
  ],
  ['no chunks', post('Transfer-Encoding: chunked\r\n', '0\r\n\r\n'), posted('')],
  [
    'a chunk with zeros before its size',
    post('Transfer-Encoding: Chunked\r\n', '0003\r\nabc\r\n000\r\n\r\n'),
    posted('abc'),
  ],
  [
    'extensions of chunks',
    post('Transfer-Encoding: chunked\r\n', '3;a=b;c="d"\r\nabc\r\n0;e\r\n\r\n'),
    posted('abc'),
  ],
  ['trailers', post('Transfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\nX: y\r\nZ: w\r\n\r\n'), posted('a')],
  ['Connection: keep-alive', get('Connection: keep-alive\r\n'), 'GET /|host=h|x=|body='],
  [
    'a chunk size in capitals',
    post('Transfer-Encoding: chunked\r\n', 'A\r\n0123456789\r\n0\r\n\r\n'),
    posted('0123456789'),
  ],
  [
    'trailers that name a length',
    post('Transfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\nContent-Length: 50\r\n\r\n'),
    posted('a'),
  ],
  [
    'trailers that name a coding',
    post('Transfer-Encoding: chunked\r\n', '0\r\nTransfer-Encoding: chunked\r\n\r\n'),
    posted(''),
  ],
  [
    'chunks that look like a request',
    post('Transfer-Encoding: chunked\r\n', `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`),
    posted(HIDDEN),
  ],
  [
    'an extension that looks like a chunk',
    post('Transfer-Encoding: chunked\r\n', '1;0\r\na\r\n0\r\n\r\n'),
    posted('a'),
  ],
  [
    'an empty line behind chunks',
    post('Transfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\n\r\n\r\n'),
    posted('a'),
  ],
  ['an empty line behind a body', post('Content-Length: 1\r\n', 'a\r\n'), posted('a')],
  ['zeros before a length', post('Content-Length: 0003\r\n', 'abc'), posted('abc')],
  ['blanks around a length', post('Content-Length: \t3 \t\r\n', 'abc'), posted('abc')],
  [
    'a GET with a body',
    get(`Content-Length: ${HIDDEN.length}\r\n`) + HIDDEN,
    `GET /|host=h|x=|body=${HIDDEN}`,
  ],
  [
    'a GET with chunks',
    `${get('Transfer-Encoding: chunked\r\n')}1\r\na\r\n0\r\n\r\n`,
    'GET /|host=h|x=|body=a',
  ],
  [
    'a DELETE with a body',
    `DELETE / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na`,
    'DELETE /|host=h|x=|body=a',
  ],
  [
    'a length that Connection names',
    post(`Connection: Content-Length\r\nContent-Length: ${HIDDEN.length}\r\n`, HIDDEN),
    posted(HIDDEN),
  ],
  [
    'a coding that Connection names',
    post('Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\n\r\n'),
    posted('a'),
  ],
  ['a body that is expected', post('Expect: 100-continue\r\nContent-Length: 1\r\n', 'a'), posted('a')],
  [
    'chunks that are expected',
    post('Expect: 100-Continue\r\nTransfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\nX: y\r\n\r\n'),
    posted('a'),
  ],
  ['a length with an underscore', post('Content_Length: 50\r\nContent-Length: 1\r\n', 'a'), posted('a')],
  [
    'a coding with an underscore',
    post('Transfer_Encoding: chunked\r\nContent-Length: 1\r\n', 'a'),
    posted('a'),
  ],
  [
    'an upgrade that nobody speaks',
    get(
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
    ),
    'GET /|host=h|x=|body=',
  ],
  ['two slashes', get('', '//h/a'), 'GET //h/a|host=h|x=|body='],
  ['an encoded line end', get('', '/a%0d%0aX:%20y'), 'GET /a%0d%0aX:%20y|host=h|x=|body='],
]

export const REFUSED: readonly (readonly [name: string, bytes: string, status: number])[] = [
  ['a bare LF at the end of the line', 'GET / HTTP/1.1\nHost: h\r\n\r\n', 400],
  ['a bare CR in the line', 'GET /\r HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a bare LF in a header', get('X: a\nY: b\r\n'), 400],
  ['a bare CR in a header', get('X: a\rY: b\r\n'), 400],
  ['a NUL in a header', get('X: a\0b\r\n'), 400],
  ['a control character in the target', get('', '/a\x01'), 400],
  ['a blank in the target', get('', '/a b'), 400],
  ['a tab for a blank', 'GET\t/\tHTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['two blanks', 'GET  / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a blank before the method', ' GET / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a method with a bracket', 'G(T / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
  ['a target without a slash', get('', 'a'), 400],
  ['another scheme', get('', 'ftp://other/'), 400],
  ['no version', 'GET /\r\n\r\n', 400],
  ['a version in lower case', 'GET / http/1.1\r\nHost: h\r\n\r\n', 400],
  ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: h\r\n\r\n', 505],
  ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: h\r\n\r\n', 505],
  ['CONNECT', 'CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n', 405],
  ['no Host', 'GET / HTTP/1.1\r\nX: a\r\n\r\n', 400],
  ['two Hosts', get('Host: h\r\n'), 400],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: h/a\r\n\r\n', 400],
  ['a blank before a colon', get('X : a\r\n'), 400],
  ['a folded line', get('X: a\r\n b\r\n'), 400],
  ['a blank before the first header', 'GET / HTTP/1.1\r\n Host: h\r\n\r\n', 400],
  ['a line without a colon', get('X\r\n'), 400],
  ['a name of no characters', get(': a\r\n'), 400],
  ['two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'), 400],
  ['the same length twice', post('Content-Length: 1\r\nContent-Length: 1\r\n', 'a'), 400],
  ['a list of lengths', post('Content-Length: 1, 1\r\n', 'a'), 400],
  ['a length with a sign', post('Content-Length: +1\r\n', 'a'), 400],
  ['a negative length', post('Content-Length: -1\r\n', 'a'), 400],
  ['a length in hexadecimal', post('Content-Length: 0x1\r\n', 'a'), 400],
  ['a length without digits', post('Content-Length:\r\n', ''), 400],
  ['a length beyond all bounds', post('Content-Length: 9999999999999999\r\n', 'a'), 400],
  ['a length and chunks', post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['chunks twice', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'), 501],
  [
    'chunks in two lines',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    501,
  ],
  ['another coding and chunks', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 501],
  ['chunks that are not last', post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'), 400],
  ['no coding', post('Transfer-Encoding: identity\r\n', ''), 400],
  ['a coding with a vertical tab', post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'), 400],
  ['a coding in quotes', post('Transfer-Encoding: "chunked"\r\n', '0\r\n\r\n'), 400],
  ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['a chunk without a size', post('Transfer-Encoding: chunked\r\n', '\r\nabc\r\n0\r\n\r\n'), 400],
  ['a size that is no number', post('Transfer-Encoding: chunked\r\n', 'g\r\n'), 400],
  ['a size with a prefix', post('Transfer-Encoding: chunked\r\n', '0x1\r\na\r\n'), 400],
  ['a size with a sign', post('Transfer-Encoding: chunked\r\n', '+1\r\na\r\n'), 400],
  ['a size with a blank', post('Transfer-Encoding: chunked\r\n', '1 \r\na\r\n'), 400],
  ['a size beyond all bounds', post('Transfer-Encoding: chunked\r\n', 'fffffffffffffff\r\n'), 400],
  ['a size that ends with LF', post('Transfer-Encoding: chunked\r\n', '1\na\r\n'), 400],
  ['an extension with LF', post('Transfer-Encoding: chunked\r\n', '1;a\nb\r\na\r\n'), 400],
  ['a chunk longer than its size', post('Transfer-Encoding: chunked\r\n', '1\r\nab\r\n0\r\n\r\n'), 400],
  ['a chunk that ends with LF', post('Transfer-Encoding: chunked\r\n', '1\r\na\n0\r\n\r\n'), 400],
  ['a trailer with LF', post('Transfer-Encoding: chunked\r\n', '0\r\nX: a\nY: b\r\n\r\n'), 400],
  ['a blank after the version', 'GET / HTTP/1.1 \r\nHost: h\r\n\r\n', 400],
  ['a letter after the version', 'GET / HTTP/1.1x\r\nHost: h\r\n\r\n', 400],
  ['a version of two digits', 'GET / HTTP/1.10\r\nHost: h\r\n\r\n', 400],
  ['a version with a zero', 'GET / HTTP/01.1\r\nHost: h\r\n\r\n', 400],
  ['two CRs', 'GET / HTTP/1.1\r\r\nHost: h\r\n\r\n', 400],
  ['two CRs behind a header', get('X: a\r\r\n'), 400],
  ['a head that ends with LF', `GET / HTTP/1.1\r\nHost: h\r\nX: a\n\n${HIDDEN}`, 400],
  ['a head that ends with LF after CRLF', `GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n\n${HIDDEN}`, 400],
  ['a line of a blank', `GET / HTTP/1.1\r\nHost: h\r\n \r\n${HIDDEN}`, 400],
  ['a NUL in a name', get('X\0: a\r\n'), 400],
  ['a name in brackets', get('(X): a\r\n'), 400],
  ['a name beyond ASCII', get('\xc3\xa9: a\r\n'), 400],
  ['a length with a blank before its colon', post(`Content-Length : ${HIDDEN.length}\r\n`, HIDDEN), 400],
  ['a folded length', post(`X: a\r\n Content-Length: ${HIDDEN.length}\r\n`, HIDDEN), 400],
  ['a length in two parts', post('Content-Length: 1 0\r\n', 'a'), 400],
  ['a length with an exponent', post('Content-Length: 1e1\r\n', '0123456789'), 400],
  ['a length with an underscore in it', post('Content-Length: 1_0\r\n', '0123456789'), 400],
  ['a length in other digits', post('Content-Length: \xef\xbc\x91\r\n', 'a'), 400],
  ['a length with a fraction', post('Content-Length: 1.0\r\n', 'a'), 400],
  ['an empty length beside one', post('Content-Length: \r\nContent-Length: 1\r\n', 'a'), 400],
  [
    'chunks, and a length that hides a request',
    post(`Transfer-Encoding: chunked\r\nContent-Length: ${HIDDEN.length + 5}\r\n`, `0\r\n\r\n${HIDDEN}`),
    400,
  ],
  [
    'a length of nothing and chunks',
    post('Content-Length: 0\r\nTransfer-Encoding: chunked\r\n', `1\r\na\r\n0\r\n\r\n${HIDDEN}`),
    400,
  ],
  [
    'a coding with a blank before its colon',
    post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${HIDDEN}`),
    400,
  ],
  ['a folded coding', post('X: a\r\n Transfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['a coding on the next line', post('Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'), 400],
  ['a coding with a parameter', post('Transfer-Encoding: chunked;a=b\r\n', '0\r\n\r\n'), 400],
  ['a coding with an empty element', post('Transfer-Encoding: ,chunked\r\n', '0\r\n\r\n'), 501],
  ['a coding with a NUL', post('Transfer-Encoding: chunked\0\r\n', '0\r\n\r\n'), 400],
  ['a coding with a letter before it', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
  ['an empty coding', post('Transfer-Encoding:\r\n', ''), 400],
  [
    'chunks, then no coding',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'),
    400,
  ],
  ['a length and no coding', post('Transfer-Encoding: identity\r\nContent-Length: 1\r\n', 'a'), 400],
  ['a size with a blank before it', post('Transfer-Encoding: chunked\r\n', ' 1\r\na\r\n0\r\n\r\n'), 400],
  ['a negative size', post('Transfer-Encoding: chunked\r\n', '-1\r\na\r\n0\r\n\r\n'), 400],
  ['a size in two parts', post('Transfer-Encoding: chunked\r\n', '1 1\r\na\r\n0\r\n\r\n'), 400],
  ['a size that ends with CR', post('Transfer-Encoding: chunked\r\n', '1\ra\r\n0\r\n\r\n'), 400],
  ['a size that ends with two CRs', post('Transfer-Encoding: chunked\r\n', '1\r\r\na\r\n0\r\n\r\n'), 400],
  ['a chunk that ends with CR', post('Transfer-Encoding: chunked\r\n', '1\r\na\r0\r\n\r\n'), 400],
  ['a chunk without an end', post('Transfer-Encoding: chunked\r\n', '1\r\na0\r\n\r\n'), 400],
  ['a last chunk that ends with LF', post('Transfer-Encoding: chunked\r\n', `0\n\n${HIDDEN}`), 400],
  ['an extension with a NUL', post('Transfer-Encoding: chunked\r\n', '1;\0\r\na\r\n0\r\n\r\n'), 400],
  ['trailers that end with LF', post('Transfer-Encoding: chunked\r\n', `0\r\nX: a\r\n\n${HIDDEN}`), 400],
  ['another expectation', get('Expect: tea\r\n'), 417],
]
