/** Addresses of logs in JetStream. */
import { readEngineAddress } from '../engineAddress.js'
import { UnusableEngineError } from '../logEngine.js'
import type { Access } from './connector.js'

export interface JetStreamAddress {
  readonly access: Access
  readonly stream: string
  readonly retentionMs: number
  /** Undefined: three on a cluster, one on a single server. */
  readonly replicas?: number
  /** URLs of the servers' monitoring ports. */
  readonly monitors: readonly string[]
}

const LONGEST = 4096
const MOST_HOSTS = 16
const FORM = 'nats://[USER:PASSWORD@]HOST:4222,HOST:4222?log=NAME'
/** Scheme, login, hosts and query. No part can match what follows it, so this takes linear time. */
const ADDRESS = /^(nats|tls):\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/?(?:\?([^#]*))?$/
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/
/** The server takes odd and even numbers up to five. */
const REPLICAS = /^[1-5]$/
const PARAMETERS = ['replicas', 'monitor']

/** Throws an UnusableEngineError, which never quotes a password. */
export function parseJetStreamAddress(text: string): JetStreamAddress {
  const [, scheme, login, hostList = '', query = ''] = (text.length <= LONGEST && ADDRESS.exec(text)) || []
  if (scheme === undefined) throw new UnusableEngineError(`not an address of NATS: write ${FORM}`)
  // A URL has one host.
  const { url, log, retentionMs } = readEngineAddress(new URL(`${scheme}://host?${query}`))
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name)) throw new UnusableEngineError(`NATS has no parameter "${name}"`)
  }
  const replicas = url.searchParams.get('replicas')
  if (replicas !== null && !REPLICAS.test(replicas)) {
    throw new UnusableEngineError(`replicas=${replicas}: write a number from 1 to 5`)
  }
  return {
    access: { hosts: parseHosts(hostList), isEncrypted: scheme === 'tls', ...parseLogin(login) },
    stream: log,
    retentionMs,
    ...(replicas !== null && { replicas: Number(replicas) }),
    monitors: parseMonitors(url.searchParams.get('monitor')),
  }
}

function parseHosts(list: string): string[] {
  const hosts = list.split(',')
  const wrong = hosts.find((host) => !HOST.test(host))
  if (wrong !== undefined) throw new UnusableEngineError(`"${wrong}" is not a host of NATS: write ${FORM}`)
  if (hosts.length > MOST_HOSTS) throw new UnusableEngineError(`at most ${MOST_HOSTS} hosts can be named`)
  return hosts
}

/** `USER:PASSWORD`, or a token. Letters with a meaning in addresses are written as `%40`. */
function parseLogin(login: string | undefined): { token?: string; user?: string; password?: string } {
  if (login === undefined) return {}
  let parts: string[]
  try {
    parts = login.split(':').map(decodeURIComponent)
  } catch {
    throw new UnusableEngineError('the password in the address has a wrong "%": write "%25"')
  }
  const [user = '', password] = parts
  if (parts.length > 2) throw new UnusableEngineError('the password in the address has a ":": write "%3A"')
  return password === undefined ? { token: user } : { user, password }
}

function parseMonitors(list: string | null): string[] {
  const monitors = list === null ? [] : list.split(',')
  for (const monitor of monitors) {
    const { protocol } = URL.canParse(monitor) ? new URL(monitor) : { protocol: '' }
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new UnusableEngineError(`monitor=${monitor}: write http://HOST:8222`)
    }
  }
  return monitors
}
