/** Sends bursts of bytes over raw sockets and reads what comes back. */
import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly body: string
}

export type Ending =
  /** The answer to the last request of the burst came. */
  | 'answered'
  /** The server closed the connection before that. */
  | 'closed'
  /** Nothing more came in time. */
  | 'hung'

/** Closes its connection. An answer to it shows that the server has read everything before. */
const LAST = 'GET /healthz HTTP/1.1\r\nHost: fuzz\r\n\r\n'
const LAST_ANSWER = '{"status":"alive"}'

/** Sends requests together on one connection, then one that is sound. */
export function sendBurst(
  port: number,
  requests: readonly Buffer[],
  timeoutMs: number,
): Promise<{ ending: Ending; answers: RawAnswer[] }> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1')
    const finish = (ending: Ending): void => {
      socket.destroy()
      resolve({ ending, answers: readAnswers(received) })
    }
    socket.setEncoding('latin1').setTimeout(timeoutMs, () => finish('hung'))
    socket.on('data', (text: string) => {
      received += text
      if (received.endsWith(LAST_ANSWER)) finish('answered')
    })
    socket.on('close', () => finish('closed'))
    socket.on('error', () => undefined)
    socket.write(Buffer.concat([...requests, Buffer.from(LAST)]))
  })
}

/** Sends a part of a request and goes away. */
export function abandon(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, () => socket.destroy())
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}

/** The whole answers at the start of `text`. An answer to HEAD has a length and no body. */
function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n\r\n', at)
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text.slice(at, at + 12))?.[1]
    if (end < 0 || status === undefined) return answers
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(at, end))?.[1] ?? 0)
    const start = end + 4
    at = text.startsWith('HTTP/1.1 ', start) ? start : start + length
    answers.push({ status: Number(status), body: text.slice(start, at) })
  }
}
