/** Compression formats, recognised by the first bytes of the input and not by a file name. */
import { DumpError } from './dumpError.js'

export type Compression = 'none' | 'gzip' | 'bzip2' | 'zstd' | 'xz' | '7z'

/** Bytes that `detectCompression` needs, unless the input is shorter. */
export const MAGIC_BYTES = 6

const READABLE: readonly (readonly [magic: string, compression: Compression])[] = [
  ['1f8b', 'gzip'],
  ['425a68', 'bzip2'],
  ['28b52ffd', 'zstd'],
  ['fd377a585a00', 'xz'],
  ['377abcaf271c', '7z'],
]
const ZIP = '504b0304'

/** Throws a DumpError for zip archives, which this server cannot read. Treats everything unknown as plain XML. */
export function detectCompression(head: Buffer): Compression {
  const hex = head.toString('hex', 0, MAGIC_BYTES)
  if (hex.startsWith(ZIP)) {
    throw new DumpError('is packed with zip: unpack it and import the XML, or pipe the XML in with "-"')
  }
  return READABLE.find(([magic]) => hex.startsWith(magic))?.[1] ?? 'none'
}
