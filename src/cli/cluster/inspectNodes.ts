/** Compares nodes of a cluster with each other. */
import { Peer, PeerError, type PeerStatus } from '../../cluster/peer.js'
import type { Config } from '../../config/config.js'
import { CommandError } from '../commandError.js'
import { printTable } from '../storeAccess.js'
import { requireSecret } from './shared.js'

interface Node {
  readonly peer: Peer
  readonly status: PeerStatus
}

export async function inspectNodes(
  config: Pick<Config, 'clusterTokenFile'>,
  urls: readonly URL[],
): Promise<void> {
  const secret = requireSecret(config)
  const nodes: Node[] = []
  const silent: string[] = []
  for (const url of urls) {
    const peer = new Peer(url, secret)
    try {
      nodes.push({ peer, status: await peer.status() })
    } catch (error) {
      if (!(error instanceof PeerError)) throw error
      silent.push(error.message)
    }
  }
  printTable([['node', 'epoch', 'position', 'digest', 'state'], ...nodes.map(rowOf)])
  const faults = await faultsOf(nodes)
  for (const line of [...silent, ...faults]) process.stdout.write(`${line}\n`)
  if (faults.length > 0 || silent.length > 0)
    throw new CommandError(
      faults.length > 0 ? 'the nodes do not have the same history' : 'not all nodes answer',
    )
  process.stdout.write('the nodes have the same history, as far as each has applied it\n')
}

const rowOf = ({ peer, status }: Node): string[] => [
  peer.url.host,
  status.epoch?.slice(0, 8) ?? 'none',
  String(status.position),
  status.digest.slice(0, 16),
  status.state ?? '',
]

/** What shows that nodes do not have the beginning of the same log. */
async function faultsOf(nodes: readonly Node[]): Promise<string[]> {
  const furthest = nodes.toSorted((a, b) => b.status.position - a.status.position)[0]
  if (furthest === undefined) return []
  const faults: string[] = []
  for (const { peer, status } of nodes) {
    if (status.epoch !== furthest.status.epoch) {
      faults.push(`${peer.url.host} and ${furthest.peer.url.host} belong to different logs`)
      continue
    }
    const { at } = await furthest.peer.status(status.position)
    if (at === null)
      faults.push(`${peer.url.host} is too far behind ${furthest.peer.url.host} to be compared with it`)
    else if (at !== status.digest)
      faults.push(
        `${peer.url.host} and ${furthest.peer.url.host} differ up to entry ${status.position}: ` +
          'choose a side, and make the others anew from it ("palimpsest cluster join")',
      )
  }
  return faults
}
