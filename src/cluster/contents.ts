/** Contents of files that are missing here: another node has them. */
import { existsSync } from 'node:fs'
import { Originals, originalPath } from '../files/originals.js'
import type { Store } from '../storage/store.js'
import { type Peer, PeerError } from './peer.js'

export interface WantedContents {
  readonly name: string
  readonly sha256: string
  readonly sizeBytes: number
}

/** The contents that the wiki's files should have here and have not. Looks at each file of the wiki. */
export function missingContents(store: Store, dataDir: string): WantedContents[] {
  const missing = new Map<string, WantedContents>()
  for (const { dbkey, facts } of store.listFiles()) {
    const { sha256, sizeBytes } = facts
    if (sha256 !== null && !existsSync(originalPath(dataDir, sha256)))
      missing.set(sha256, { name: dbkey, sha256, sizeBytes })
  }
  return [...missing.values()]
}

/** Gets contents from the first peer that has them, and proves them by their hash. False if none has. */
export async function fetchContents(
  { sha256, sizeBytes }: WantedContents,
  peers: readonly Peer[],
  dataDir: string,
): Promise<boolean> {
  const originals = new Originals(dataDir)
  for (const peer of peers) {
    try {
      const found = await peer.contents(sha256)
      if (found === undefined) continue
      const receiver = originals.receive(sizeBytes)
      for await (const chunk of found.bytes) receiver.write(chunk as Buffer)
      const received = receiver.finish()
      if (received.sha256 === sha256) {
        originals.keep(received)
        return true
      }
      originals.discard(received)
    } catch (error) {
      if (!(error instanceof PeerError)) throw error
    }
  }
  return false
}
