/** Unpacks bzip2 with several decoders at a time. Each gets a group of blocks, and the output keeps their order. */
import { Readable } from 'node:stream'
import { ReadAhead } from './readAhead.js'
import { splitBlocks } from './splitBlocks.js'

/** Blocks for one start of a decoder. They unpack to 3.6 MB, and starting takes a thirtieth of the time. */
const GROUP_BLOCKS = 4
/** Output of a decoder that may wait for its turn. Only hostile blocks unpack to more. */
const MAX_WAITING_BYTES = 8 * 2 ** 20

/** Unpacks a stream of bzip2, and returns a complaint if it is damaged. */
export type Decode = (input: AsyncIterable<Buffer>) => AsyncGenerator<Buffer, string | undefined>

/**
 * Yields the unpacked data, up to a fault. Returns a complaint if they are damaged. `atOnce` decoders work at the same
 * time, and hold at most MAX_WAITING_BYTES each.
 */
export async function* unpackBlocks(
  input: AsyncIterable<Buffer>,
  decode: Decode,
  atOnce: number,
): AsyncGenerator<Buffer, string | undefined> {
  const running: ReadAhead<string | undefined>[] = []
  try {
    for await (const group of groups(splitBlocks(input))) {
      running.push(new ReadAhead(decode(Readable.from([group])), MAX_WAITING_BYTES))
      if (running.length <= atOnce) continue
      const complaint = yield* running[0]!.read()
      if (complaint !== undefined) return complaint
      running.shift()
    }
    for (; running.length > 0; running.shift()) {
      const complaint = yield* running[0]!.read()
      if (complaint !== undefined) return complaint
    }
    return undefined
  } finally {
    await Promise.all(running.map((decoder) => decoder.stop()))
  }
}

async function* groups(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let group: Uint8Array[] = []
  for await (const block of blocks) {
    group.push(block)
    if (group.length < GROUP_BLOCKS) continue
    yield Buffer.concat(group)
    group = []
  }
  if (group.length > 0) yield Buffer.concat(group)
}
