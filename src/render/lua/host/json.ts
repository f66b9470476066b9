/** JSON as PHP writes and reads it. */
import { LuaError, type LuaValue } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import { decodeSubject } from '../ustring/subject.js'
import type { HostArguments, HostTable } from './arguments.js'

const LINE_SEPARATORS = /[\u2028\u2029]/g
const INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/
const TRAILING_COMMA = /("(?:[^"\\]|\\.)*")|,(\s*[\]}])/gs
const MAX_WHOLE = 1e15

export const JSON_FUNCTIONS: HostTable = {
  values: {
    jsonText,
    jsonNumber: (args) => numberText(args.number(1)),
    jsonDecode: (args) => decode(args.text(1), args.boolean(2), args.boolean(3)),
    jsonPage,
  },
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

/** Whole numbers of up to 15 digits have no fraction; larger ones have an exponent. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) <= MAX_WHOLE)
    return Object.is(value, -0) ? '-0.0' : String(value)
  const text = String(value)
  const [digits = '', exponent] = (Number.isInteger(value) ? value.toExponential() : text).split('e')
  if (exponent === undefined) return text
  return `${digits.includes('.') ? digits : `${digits}.0`}e${exponent}`
}

function decode(text: string, keepsKeys: boolean, fixes: boolean): LuaValue {
  let value: unknown
  try {
    const source = fixes
      ? text.replace(TRAILING_COMMA, (_whole, string?: string, end?: string) => string ?? end ?? '')
      : text
    value = JSON.parse(source)
  } catch (error) {
    if (error instanceof SyntaxError) throw new LuaError('mw.text.jsonDecode: Syntax error')
    throw error
  }
  return luaValue(value, keepsKeys)
}

/** Lists begin at 1, including objects with the keys 0, 1, 2 and so on. */
function luaValue(value: unknown, keepsKeys: boolean): LuaValue {
  if (typeof value !== 'object' || value === null) return value as LuaValue
  if (Array.isArray(value)) {
    const items = value.map((item) => luaValue(item, keepsKeys))
    return keepsKeys ? new Map(items.map((item, index) => [index, item])) : items
  }
  const entries = Object.entries(value).map(([key, item]): [string | number, LuaValue] => [
    INTEGER.test(key) ? Number(key) : key,
    luaValue(item, keepsKeys),
  ])
  const isList = !keepsKeys && entries.length > 0 && entries.every(([key], index) => key === index)
  return isList ? entries.map(([, item]) => item) : new Map(entries)
}

/** The value of a page with the content model JSON; undefined for any other page. */
function jsonPage(args: HostArguments, page: LuaSession): LuaValue {
  const { titles, source, report } = page.expander
  const title = titles.parse(args.text(1))
  if (title === undefined) return undefined
  report.addPage(title)
  const found = source.readPage(title)
  if (found?.contentModel !== 'json') return undefined
  try {
    return luaValue(JSON.parse(found.text), false)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
