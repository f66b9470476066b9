/**
 * Finds the targets of links in the bytes of a text, without strings. The text is the inside of a JSON string in UTF-8,
 * as `JSON.stringify` writes it. Most prefixes consist of letters and hyphens.
 */

const COLON = 0x3a
const OPEN = 0x5b
const BACKSLASH = 0x5c
const CLOSE = 0x5d
const BAR = 0x7c
const LETTER_N = 0x6e

/** By byte: a letter in lower case or a hyphen, and 0 for all others. */
const LETTERS = new Uint8Array(256)
for (const sign of 'abcdefghijklmnopqrstuvwxyz-') {
  const byte = sign.charCodeAt(0)
  LETTERS[byte] = byte
  LETTERS[sign.toUpperCase().charCodeAt(0)] = byte
}

/** By byte: what it means in a target. */
const IN_TARGET = 0
const END = 1
/** The beginning of an escape, or a colon. */
const UNCLEAR = 2
const MEANING = new Uint8Array(256)
for (const sign of '[]|{}<>') MEANING[sign.charCodeAt(0)] = END
for (const sign of ':%&\\') MEANING[sign.charCodeAt(0)] = UNCLEAR

/** Adds a letter to the hash of a prefix, which is 0 at first. */
const added = (hash: number, letter: number): number => (Math.imul(hash, 31) + letter) | 0

/** The hash of a prefix of letters and hyphens, in any case. Other prefixes may have the same. */
export const prefixHash = (prefix: string): number =>
  Buffer.from(prefix).reduce((hash, byte) => added(hash, LETTERS[byte]!), 0)

/** The hash of the letters and hyphens from a byte on. */
export function wordHash(source: Uint8Array, from: number): number {
  let hash = 0
  for (let at = from; LETTERS[source[at]!]! > 0; at++) hash = added(hash, LETTERS[source[at]!]!)
  return hash
}

/** How the prefix of a target ends. */
export const NO_PREFIX = 0
/** A colon follows letters and hyphens, or nothing. */
export const LETTERS_AND_COLON = 1
/** A colon follows other signs. */
export const OTHERS_AND_COLON = 2
/** An escape comes before any colon, so the prefix may be any. */
export const ESCAPE = 3

/** Walks from target to target. Its fields tell about the present one. */
export class LinkTargets {
  /** Where the target begins, after `[[`. */
  start = 0
  /** Where its prefix ends: at its colon, at an escape, or at the end of a target without prefix. */
  end = 0
  /** Of a prefix of letters and hyphens. */
  hash = 0
  kind = NO_PREFIX

  /** Goes to the first target of a link that begins at or after `from`. False if there is none. */
  find(source: Uint8Array, from: number): boolean {
    // Two brackets take up every other byte.
    for (let at = from + 1; at < source.length; at += 2) {
      if (source[at] !== OPEN) continue
      if (source[at - 1] === OPEN) return this.#read(source, at + 1)
      if (source[at + 1] === OPEN) return this.#read(source, at + 2)
    }
    return false
  }

  #read(source: Uint8Array, start: number): true {
    let at = start
    let hash = 0
    for (let letter = LETTERS[source[at]!]!; letter > 0; letter = LETTERS[source[at]!]!) {
      hash = added(hash, letter)
      at++
    }
    this.start = start
    this.hash = hash
    if (source[at] === COLON) this.kind = LETTERS_AND_COLON
    else {
      while (MEANING[source[at]!] === IN_TARGET) at++
      this.kind = kindAt(source, at)
    }
    this.end = at
    return true
  }
}

/** `at` is where a target goes on after signs without a meaning. */
function kindAt(source: Uint8Array, at: number): number {
  const byte = source[at]
  if (byte === COLON) return OTHERS_AND_COLON
  const isEscape = byte !== undefined && MEANING[byte] === UNCLEAR && !isNewline(source, at)
  return isEscape ? ESCAPE : NO_PREFIX
}

/** Whether the JSON escape of a line break stands at a byte. It ends a target. */
const isNewline = (source: Uint8Array, at: number): boolean =>
  source[at] === BACKSLASH && source[at + 1] === LETTER_N

/** Where a target ends that goes on at `from`. */
export function targetEnd(source: Uint8Array, from: number): number {
  let at = from
  while (at < source.length && MEANING[source[at]!] !== END && !isNewline(source, at))
    at += source[at] === BACKSLASH ? 2 : 1
  return at
}

/** Whether a link's target ends at `end`, with the link or before a label. `lastLinkEnd`: the last `]]`, or -1. */
export function isClosed(source: Uint8Array, end: number, lastLinkEnd: number): boolean {
  if (source[end] === CLOSE) return source[end + 1] === CLOSE
  return source[end] === BAR && end < lastLinkEnd
}

/** The text of the inside of a JSON string, or of a part that cuts no escape. */
export const textOf = (source: Buffer): string => JSON.parse(`"${source.toString()}"`) as string
