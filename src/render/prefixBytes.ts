/** Prefixes of links in the bytes of a text, without strings. Most consist of letters and hyphens. */

/** By byte: a letter in lower case or a hyphen, and 0 for all others. */
export const PREFIX = new Uint8Array(256)
for (const sign of 'abcdefghijklmnopqrstuvwxyz-') {
  const byte = sign.charCodeAt(0)
  PREFIX[byte] = byte
  PREFIX[sign.toUpperCase().charCodeAt(0)] = byte
}

/** Adds a byte of `PREFIX` to the hash of a prefix, which is 0 at first. */
export const added = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) | 0

/** The hash of a prefix of letters and hyphens, in any case. Other prefixes may have the same. */
export const prefixHash = (prefix: string): number =>
  Buffer.from(prefix).reduce((hash, byte) => added(hash, PREFIX[byte]!), 0)
