/** The configurations of deploy/, run as they are but for ports and folders. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { temporaryFolder } from '../conformance/garden.js'
import { expect } from 'vitest'
import { afterFile } from '../support/cleanUp.js'
import { freePort } from '../support/ports.js'

const DEPLOY = join(import.meta.dirname, '../../deploy')

export const PROXIES = ['nginx', 'haproxy'] as const
export type Proxy = (typeof PROXIES)[number]

/** Where programs of the system's administrator are, which not everybody has on the path. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`

export const isInstalled = (proxy: Proxy): boolean =>
  spawnSync(proxy, ['-v'], { env: { PATH } }).error === undefined

/** TLS as an administrator adds it: a port of its own, key and certificate in one PEM file. */
export interface AddedTls {
  readonly port: number
  readonly pemFile: string
}

export interface ProxyOptions {
  readonly tls?: AddedTls
  /** Limits of requests are raised for tests that send many. */
  readonly limits?: 'raised' | 'as shipped'
  /** How long clients may wait between parts of a request; undefined: as shipped. */
  readonly clientSeconds?: number
}

/** Starts a proxy in front of two ports, and returns its own port. */
export async function startProxy(
  proxy: Proxy,
  servers: readonly [number, number],
  { tls, limits = 'raised', clientSeconds }: ProxyOptions = {},
): Promise<number> {
  const port = await freePort()
  const folder = temporaryFolder()
  const file = proxy === 'nginx' ? 'nginx.conf' : 'haproxy.cfg'
  const text = readFileSync(join(DEPLOY, file), 'utf8')
    .replace(/(?:listen|bind) 127\.0\.0\.1:8080;?/, (line) => line + (tls ? TLS_LINES[proxy](tls) : ''))
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${servers[0]}`)
    .replace('127.0.0.1:8082', `127.0.0.1:${servers[1]}`)
    .replace(/rate=\d+r\/s|burst=\d+|gt \d+/g, (limit) =>
      limits === 'raised' ? limit.replace(/\d+/, '1000000') : limit,
    )
    .replace(/timeout (?:client|http-request) \d+s|access_log off;/g, (line) =>
      clientSeconds === undefined ? line : limitClients(line, clientSeconds),
    )
  const path = join(folder, file)
  writeFileSync(path, text)
  mkdirSync(join(folder, 'logs'))
  const args =
    proxy === 'nginx'
      ? ['-p', folder, '-c', path, '-e', 'stderr', '-g', `daemon off; user ${processUser()};`]
      : ['-f', path]
  const child = spawn(proxy, args, { env: { PATH }, stdio: 'ignore' })
  afterFile(() => stop(child))
  await answering(port)
  return port
}

/** A line of HAProxy's limits with another time, or nginx's line with limits added. */
function limitClients(line: string, seconds: number): string {
  if (line.startsWith('timeout')) return line.replace(/\d+/, String(seconds))
  return `${line} client_header_timeout ${seconds}s; client_body_timeout ${seconds}s;`
}

const TLS_LINES: Readonly<Record<Proxy, (tls: AddedTls) => string>> = {
  nginx: ({ port, pemFile }) =>
    `\nlisten 127.0.0.1:${port} ssl;\nssl_certificate ${pemFile};\nssl_certificate_key ${pemFile};`,
  haproxy: ({ port, pemFile }) => `\nbind 127.0.0.1:${port} ssl crt ${pemFile}`,
}

/** nginx changes to another user when root starts it, who could not write into the folder. */
function processUser(): string {
  return spawnSync('id', ['-un'], { encoding: 'utf8' }).stdout.trim()
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Waits until a page comes through. */
async function answering(port: number): Promise<void> {
  const status = (): Promise<number | undefined> =>
    fetch(`http://127.0.0.1:${port}/v1/page/Compost`).then(
      (answer) => answer.status,
      () => undefined,
    )
  await expect.poll(status).toBe(200)
}
