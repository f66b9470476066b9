/** Tokens of SQL statements, for the heads of statements. Rows have a faster reader of their own: rowReader.ts. */

export const QUOTE = 0x27
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const OPEN = 0x28
export const CLOSE = 0x29
export const SEMICOLON = 0x3b
const BACKTICK = 0x60
export const DOUBLE_QUOTE = 0x22
const HASH = 0x23
const DASH = 0x2d
const SLASH = 0x2f
const STAR = 0x2a
const LINE_BREAK = 10

/** `end` is the position after the token. */
export interface Token {
  /** `name`: between backticks or double quotes. `string`: between single quotes. `sign`: one other character. */
  readonly kind: 'word' | 'name' | 'string' | 'sign'
  /** As written, without quotes; empty for a string. A string of CREATE TABLE may be in double quotes, too. */
  readonly text: string
  readonly end: number
}

export const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13)

/** The position after spaces and comments; -1 when the bytes end inside of a comment that may go on. */
export function skipBlanks(bytes: Buffer, from: number, isLast: boolean): number {
  let at = from
  for (;;) {
    while (at < bytes.length && isSpace(bytes[at]!)) at++
    const end = commentEnd(bytes, at)
    if (end === at) return at
    if (end < 0) return isLast && bytes[at] !== SLASH ? bytes.length : -1
    at = end
  }
}

/** The position after the comment at `at`. It is `at` without a comment, and -1 if the comment's end may be missing. */
function commentEnd(bytes: Buffer, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1]]
  if ((first === SLASH || first === DASH) && second === undefined) return -1
  if (first === SLASH && second === STAR) {
    const end = bytes.indexOf('*/', at + 2)
    return end < 0 ? -1 : end + 2
  }
  if (first !== HASH && !(first === DASH && second === DASH)) return at
  const end = bytes.indexOf(LINE_BREAK, at)
  return end < 0 ? -1 : end + 1
}

/** The next token; undefined when the bytes end before it does. At the end of a file, `isLast` is true. */
export function readToken(bytes: Buffer, from: number, isLast: boolean): Token | undefined {
  const at = skipBlanks(bytes, from, isLast)
  if (at < 0 || at >= bytes.length) return undefined
  const first = bytes[at]!
  if (first === QUOTE || first === DOUBLE_QUOTE || first === BACKTICK) return readQuoted(bytes, at, first)
  let end = at
  while (end < bytes.length && isWordByte(bytes[end]!)) end++
  if (end >= bytes.length && !isLast) return undefined
  return end === at
    ? { kind: 'sign', text: String.fromCharCode(first), end: at + 1 }
    : { kind: 'word', text: bytes.toString('utf8', at, end), end }
}

function readQuoted(bytes: Buffer, at: number, quote: number): Token | undefined {
  let end = at + 1
  while (end < bytes.length && bytes[end] !== quote)
    end += bytes[end] === BACKSLASH && quote !== BACKTICK ? 2 : 1
  if (end >= bytes.length) return undefined
  return quote === QUOTE
    ? { kind: 'string', text: '', end: end + 1 }
    : { kind: 'name', text: bytes.toString('utf8', at + 1, end), end: end + 1 }
}

/** Letters, digits, `_`, `$`, `@`, and bytes of other scripts. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 97 && byte <= 122) ||
    (byte >= 64 && byte <= 90) ||
    (byte >= 48 && byte <= 57) ||
    byte === 95 ||
    byte === 36 ||
    byte >= 128
  )
}

/** Tells whether a token is this word, given in capitals. */
export const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'word' && token.text.toUpperCase() === word
