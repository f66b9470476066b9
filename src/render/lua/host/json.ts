/** JSON as PHP writes and reads it. */
import { LuaError, type LuaState, type LuaValue } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import { decodeSubject } from '../ustring/subject.js'
import type { HostArguments, HostTable } from './arguments.js'

const LINE_SEPARATORS = /[\u2028\u2029]/g
const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/
/** Strings pass, whole or not: none is looked through twice. */
const TRAILING_COMMA = /("(?:[^"\\]+|\\.)*"?)|,(\s*[\]}])/gs
/** As much as a page can have. */
const MAX_TEXT_BYTES = 2_097_152
const MAX_DEPTH = 100
/** A table, a key and a value. */
const VALUES_OF_A_LEVEL = 3
/** Numbers beyond have an exponent. */
const MIN_EXPONENT = -4
const MAX_EXPONENT = 16

export const JSON_FUNCTIONS: HostTable = {
  values: {
    jsonText,
    jsonNumber: (args) => numberText(args.number(1)),
  },
  raw: { jsonDecode, jsonPage },
}

function jsonText(args: HostArguments): string {
  const bytes = args.bytes(1)
  if (decodeSubject(bytes, 0, bytes.length) === undefined)
    throw new LuaError('mw.text.jsonEncode: Unable to encode value')
  return JSON.stringify(bytes.toString()).replace(
    LINE_SEPARATORS,
    (sign) => `\\u${sign.charCodeAt(0).toString(16)}`,
  )
}

/** The shortest digits that read back as the number; with an exponent where more than 17 digits would stand. */
function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  if (Number(exponent) >= MIN_EXPONENT && Number(exponent) <= MAX_EXPONENT) return String(value)
  return `${digits.includes('.') ? digits : `${digits}.0`}e${exponent}`
}

/** Text, whether keys stay as they are, whether commas before a closing bracket are forgiven. */
function jsonDecode(state: LuaState): number {
  const { start, end } = state.span(1)
  if (end - start > MAX_TEXT_BYTES)
    throw new LuaError(`mw.text.jsonDecode: more than ${MAX_TEXT_BYTES} bytes`)
  const text = state.text(1)
  const value = parsed(state.boolean(3) ? text.replace(TRAILING_COMMA, fixed) : text)
  if (value instanceof SyntaxError) throw new LuaError('mw.text.jsonDecode: Syntax error')
  pushJson(state, value, state.boolean(2), 0)
  return 1
}

function fixed(_whole: string, string?: string, end?: string): string {
  return string ?? end ?? ''
}

/** What JSON holds, or why it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

/** Pushes a value. Lists begin at 1, including objects with the keys 0, 1, 2 and so on. */
function pushJson(state: LuaState, value: unknown, keepsKeys: boolean, depth: number): void {
  if (typeof value !== 'object' || value === null) return state.push(value === 0 ? 0 : (value as LuaValue))
  if (depth > MAX_DEPTH) throw new LuaError('mw.text.jsonDecode: nested too deeply')
  state.reserve(VALUES_OF_A_LEVEL)
  const isArray = Array.isArray(value)
  const keys = Object.keys(value)
  const isList = !keepsKeys && keys.every((key, index) => key === String(index))
  const shift = isList ? 1 : 0
  state.pushTable(isArray || isList ? keys.length : 0, isArray || isList ? 0 : keys.length)
  for (const key of keys) {
    const item = (value as Readonly<Record<string, unknown>>)[key]
    const isNumber = isArray || (INTEGER.test(key) && Number.isSafeInteger(Number(key)))
    state.push(isNumber ? Number(key) + shift : key)
    pushJson(state, item, keepsKeys, depth + 1)
    state.setRaw()
  }
}

/** The value of a page of the content model JSON; nil for any other. */
function jsonPage(state: LuaState, page: LuaSession): number {
  const { titles } = page.expander
  const title = titles.parse(state.text(1))
  const found = title && page.readPage(title)
  const value = found?.contentModel === 'json' ? parsed(found.text) : undefined
  if (value === undefined || value instanceof SyntaxError) state.push(null)
  else pushJson(state, value, false, 0)
  return 1
}
