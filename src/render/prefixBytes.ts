/** Targets of links in the bytes of a text, without strings. Most prefixes consist of letters and hyphens. */

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

/** By byte: what it means in a target, within a JSON string. */
export const IN_TARGET = 0
export const END = 1
/** A colon, or the beginning of an escape. */
export const UNCLEAR = 2
export const TARGET = new Uint8Array(256)
for (const sign of '[]|{}<>') TARGET[sign.charCodeAt(0)] = END
for (const sign of ':%&\\') TARGET[sign.charCodeAt(0)] = UNCLEAR

const BACKSLASH = 0x5c
const LETTER_N = 0x6e

/** Whether the JSON escape of a line break stands at a byte. */
export const isNewline = (source: Uint8Array, at: number): boolean =>
  source[at] === BACKSLASH && source[at + 1] === LETTER_N
