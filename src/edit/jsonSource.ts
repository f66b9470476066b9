/** Lays out the source of JSON pages with tabs, token by token. Numbers, order and duplicate keys stay as written. */
import { normaliseText } from './normaliseText.js'

/** PHP's limit for nested values. */
const MAX_DEPTH = 512
const LINE_STARTS = Array.from({ length: MAX_DEPTH + 1 }, (_, depth) => `\n${'\t'.repeat(depth)}`)

export type JsonLayout =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'syntax' | 'depth' | 'size' }

/**
 * The same value with a line for each member and a tab for each level; empty objects and arrays are `{}` and `[]`.
 * Escapes in strings become plain characters where JSON and the stored form of texts allow that. `size`: the result
 * would be longer than `maxLength` UTF-16 units. The operation is idempotent.
 */
export function layOutJson(source: string, maxLength: number): JsonLayout {
  if (!isJson(source)) return { ok: false, problem: 'syntax' }
  const output: string[] = []
  let length = 0
  let depth = 0
  const write = (piece: string) => {
    output.push(piece)
    length += piece.length
  }
  const line = () => write(LINE_STARTS[depth] ?? '')

  for (let at = skipBlanks(source, 0); at < source.length;) {
    const end = tokenEnd(source, at)
    const token = source.slice(at, end)
    at = skipBlanks(source, end)
    if (token === '{' || token === '[') {
      write(token)
      if (++depth > MAX_DEPTH) return { ok: false, problem: 'depth' }
      if (!isCloser(source[at])) line()
    } else if (isCloser(token)) {
      depth--
      if (!isOpener(output.at(-1))) line()
      write(token)
    } else if (token === ',') {
      write(token)
      line()
    } else {
      write(token === ':' ? ': ' : token.startsWith('"') ? plainString(token) : token)
    }
    if (length > maxLength) return { ok: false, problem: 'size' }
  }
  return { ok: true, text: output.join('') }
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source)
    return true
  } catch {
    return false
  }
}

function isOpener(token: string | undefined): boolean {
  return token === '{' || token === '['
}

function isCloser(token: string | undefined): boolean {
  return token === '}' || token === ']'
}

/** The string without needless escapes. It stays as written if its characters could not be stored unescaped. */
function plainString(token: string): string {
  if (!token.includes('\\')) return token
  const plain = JSON.stringify(JSON.parse(token))
  return plain === token || normaliseText(plain) === plain ? plain : token
}

const PUNCTUATION = '{}[],:'
const LITERAL = /[^{}[\],: \t\n\r"]+/y

function tokenEnd(source: string, start: number): number {
  const first = source.charAt(start)
  if (PUNCTUATION.includes(first)) return start + 1
  if (first === '"') return stringEnd(source, start)
  LITERAL.lastIndex = start
  LITERAL.test(source)
  return LITERAL.lastIndex
}

/** Index after the next quote with an even number of backslashes before it. */
function stringEnd(source: string, start: number): number {
  for (let quote = source.indexOf('"', start + 1); ; quote = source.indexOf('"', quote + 1)) {
    let slashes = 0
    while (source[quote - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
  }
}

function skipBlanks(source: string, start: number): number {
  let at = start
  while (isBlank(source.charCodeAt(at))) at++
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d
}
