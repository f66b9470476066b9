/** HAProxy in front of the nodes, or turns among those that answer. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findProgram } from '../support/machine.js'
import { freePort } from '../support/ports.js'
import type { Sandbox } from '../support/sandbox.js'
import type { Node } from './node.js'

export interface Proxy {
  readonly description: string
  /** Where to send the next request. */
  readonly origin: () => string
}

/** `places` has the nodes that may join later too. */
export async function startProxy(
  sandbox: Sandbox,
  folder: string,
  places: readonly { readonly host: string; readonly port: number }[],
  nodes: readonly Node[],
): Promise<Proxy> {
  const program = findProgram('haproxy')
  if (program === undefined) return inTurn(nodes)
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, places))
  await sandbox.start(program, ['-f', file], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  while (!(await answers(origin))) await delay(50)
  return { description: 'HAProxy', origin: () => origin }
}

function inTurn(nodes: readonly Node[]): Proxy {
  let turn = 0
  const origin = (): string => {
    const ready = nodes.filter(({ isReady }) => isReady)
    const chosen = ready.length > 0 ? ready : nodes
    return chosen[turn++ % chosen.length]!.origin
  }
  return { description: 'none (haproxy is not installed): clients take nodes in turn', origin }
}

const answers = (origin: string): Promise<boolean> =>
  fetch(`${origin}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Asks another node only where no byte has been sent: a repeated edit would hide what happened to the first. */
function configuration(port: number, places: readonly { host: string; port: number }[]): string {
  const servers = places.map(
    ({ host, port: at }, n) => `  server node${n + 1} ${host}:${at} check inter 500 fall 2 rise 1`,
  )
  return [
    'defaults',
    '  mode http',
    '  timeout connect 1s',
    '  timeout client 90s',
    '  timeout server 90s',
    '  timeout check 2s',
    '  option redispatch 1',
    '  retries 3',
    '  retry-on conn-failure',
    'frontend wiki',
    `  bind 127.0.0.1:${port}`,
    '  default_backend nodes',
    'backend nodes',
    '  balance roundrobin',
    '  option httpchk',
    '  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host palimpsest',
    '  default-server on-marked-down shutdown-sessions',
    ...servers,
    '',
  ].join('\n')
}
