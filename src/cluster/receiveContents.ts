/** Writes contents that another node sends. They get their final name once they are whole, proved and durable. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { placeContents, withArrivingPath, writeAll } from '../files/arriving.js'
import { PeerError } from './peer.js'

export interface WantedContents {
  /** Of a file that has them, for messages. */
  readonly name: string
  /** In hex. */
  readonly sha256: string
  readonly sizeBytes: number
}

/** Throws a PeerError for other contents than those wanted, and an error of the system, as on a full disk. */
export async function receiveContents(
  dataDir: string,
  wanted: WantedContents,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  await withArrivingPath(dataDir, async (path) => {
    await write(path, wanted, bytes)
    await placeContents(path, dataDir, wanted.sha256)
  })
}

async function write(
  path: string,
  { sha256, sizeBytes }: WantedContents,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx')
  try {
    const hash = createHash('sha256')
    let received = 0
    for await (const chunk of bytes) {
      received += chunk.length
      if (received > sizeBytes) throw new PeerError(`sent more than the ${sizeBytes} bytes of ${sha256}`)
      hash.update(chunk)
      await writeAll(file, chunk)
    }
    if (received < sizeBytes) throw new PeerError(`sent ${received} of the ${sizeBytes} bytes of ${sha256}`)
    if (hash.digest('hex') !== sha256) throw new PeerError(`sent other contents than ${sha256}`)
    await file.sync()
  } finally {
    await file.close()
  }
}
