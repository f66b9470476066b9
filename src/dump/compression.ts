/** Compression formats, recognised by the first bytes of the input and not by a file name. */
import { DumpError } from './dumpError.js'

export type Compression = 'none' | 'gzip' | 'bzip2'

/** Bytes that `detectCompression` needs, unless the input is shorter. */
export const MAGIC_BYTES = 6

const READABLE: readonly (readonly [magic: string, compression: Compression])[] = [
  ['1f8b', 'gzip'],
  ['425a68', 'bzip2'],
]
const FOREIGN: readonly (readonly [magic: string, name: string])[] = [
  ['377abcaf271c', '7z'],
  ['fd377a585a00', 'xz'],
  ['28b52ffd', 'Zstandard'],
  ['504b0304', 'zip'],
]

/** Throws a DumpError for known compressions that this server cannot read. Treats everything unknown as plain XML. */
export function detectCompression(head: Buffer): Compression {
  const hex = head.toString('hex', 0, MAGIC_BYTES)
  const foreign = FOREIGN.find(([magic]) => hex.startsWith(magic))
  if (foreign !== undefined) {
    throw new DumpError(
      `is packed with ${foreign[1]}: unpack it and import the XML, or pipe the XML in with "-"`,
    )
  }
  return READABLE.find(([magic]) => hex.startsWith(magic))?.[1] ?? 'none'
}
