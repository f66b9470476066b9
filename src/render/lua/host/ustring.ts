/** `mw.ustring`: strings by code points. Lua's own functions handle ASCII strings. */
import { LuaError, type LuaState, type LuaValue, Values, TYPE, TYPE_NAMES } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import { Matcher } from '../ustring/matcher.js'
import { compilePattern, type Pattern } from '../ustring/pattern.js'
import { ByteBuilder, addReplacement, replacementOf } from '../ustring/replacement.js'
import { decodeSubject, type Subject } from '../ustring/subject.js'
import { HostArguments, type HostTable } from './arguments.js'
import { numberText } from './numbers.js'

// Arguments of `mw.ustring`: texts as code points, and places in them.

const MAX_STRING_BYTES = 2_097_152

/** Accepts numbers, and puts their texts into their places. */
function checkText(state: LuaState, index: number, name: string): void {
  const type = state.type(index)
  if (type === TYPE.string) return
  if (type === TYPE.number) {
    state.push(numberText(state.number(index)))
    state.machine.lua.lua_replace(state.address, index)
    return
  }
  if (type === TYPE.none) throw new LuaError(`too few arguments to mw.ustring.${name}`)
  const got = TYPE_NAMES.get(type) ?? 'userdata'
  throw new LuaError(`bad argument #${index} to '${name}' (string expected, got ${got})`)
}

/** Undefined when the string is not UTF-8. Caches the last long string, since loops read its characters one by one. */
function subjectOf(state: LuaState, index: number, name: string, page: LuaSession): Subject | undefined {
  checkText(state, index, name)
  const { start, end } = state.span(index)
  if (end - start > MAX_STRING_BYTES)
    throw new LuaError(
      `bad argument #${index} to '${name}' (string is longer than ${MAX_STRING_BYTES} bytes)`,
    )
  return page.subjects.get(state.machine.memory, start, end)
}

function requireSubject(state: LuaState, name: string, page: LuaSession): Subject {
  const subject = subjectOf(state, 1, name, page)
  if (subject === undefined) throw new LuaError(`bad argument #1 to '${name}' (string is not UTF-8)`)
  return subject
}

/** A whole number, rounded down; one that is not a number counts as zero. */
function wholeOf(state: LuaState, index: number, name: string, preset: number): number {
  const type = state.type(index)
  if (type <= TYPE.nil) return preset
  if (type !== TYPE.number) {
    const got = TYPE_NAMES.get(type) ?? 'userdata'
    throw new LuaError(`bad argument #${index} to '${name}' (number expected, got ${got})`)
  }
  const value = state.number(index)
  return Number.isNaN(value) ? 0 : Math.floor(value)
}

/** A place from 1, of one that may count from the end. */
function placeOf(index: number, length: number): number {
  return index < 0 ? length + index + 1 : index
}

function pushSlice(state: LuaState, { offsets }: Subject, from: number, to: number): void {
  const { start } = state.span(1)
  state.pushSpan(start + (offsets[from] ?? 0), start + (offsets[to] ?? 0))
}

const MAX_PATTERN_BYTES = 10_000
/** Compiled patterns that are kept: a long one takes a megabyte. */
const MAX_PATTERNS = 100
/** Numbers of a replacement that takes longer than the search for its place. */
const MANY_PIECES = 300
const MAX_CODE = 0x10ffff
/** A number as PHP reads it from a text. */
const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?\s*$/
const MAX_VALUES = 7000
/** An end from here on is before every text in MediaWiki, whose integers have 64 bits. */
const TOO_LARGE = 2 ** 63

export const USTRING_FUNCTIONS: HostTable = {
  values: {
    isutf8: (args, page) => subjectOf(args.state, 1, 'isutf8', page) !== undefined,
    lower: (args) => caseOf(args, 'lc', lowerCase),
    upper: (args) => caseOf(args, 'uc', (text) => text.toUpperCase()),
    ulen: (args, page) => subjectOf(args.state, 1, 'len', page)?.length,
    uchar,
    ucodepoint,
    byteoffset,
    normalize,
    plainPattern: (args, page) => patternOf(args.state, 2, args.text(1), page).plain,
  },
  raw: {
    ufind: (state, page) => find(state, page, 'find'),
    umatch: (state, page) => find(state, page, 'match'),
    ugsub,
    umatches,
    usub,
    usplit,
  },
}

function patternOf(state: LuaState, index: number, name: string, page: LuaSession): Pattern {
  checkText(state, index, name)
  const { start, end } = state.span(index)
  if (end - start > MAX_PATTERN_BYTES)
    throw new LuaError(
      `bad argument #${index} to '${name}' (pattern is longer than ${MAX_PATTERN_BYTES} bytes)`,
    )
  const { memory } = state.machine
  const key = memory.toString('latin1', start, end)
  const known = page.patterns.get(key)
  if (known !== undefined) return known
  const pattern = compilePattern(memory.subarray(start, end))
  if (pattern === undefined) throw new LuaError(`bad argument #${index} to '${name}' (string is not UTF-8)`)
  if (page.patterns.size >= MAX_PATTERNS) page.patterns.clear()
  page.patterns.set(key, pattern)
  return pattern
}

function matcherOf(pattern: Pattern, subject: Subject, page: LuaSession): Matcher {
  return new Matcher(pattern, subject, () => page.checkTime())
}

function caseOf(args: HostArguments, name: string, change: (text: string) => string): string {
  const type = args.typeName(1)
  if (type !== 'string') throw new LuaError(`bad argument #1 to '${name}' (string expected, got ${type})`)
  return change(args.text(1))
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

/** A sigma stays the same letter at the end of a word. */
function lowerCase(text: string): string {
  return text.replaceAll('Σ', 'σ').toLowerCase()
}

function uchar(args: HostArguments): string {
  let text = ''
  for (let index = 1; index <= args.count; index++) {
    const code = args.number(index)
    const kind = args.typeName(index)
    if (kind !== 'number' && !(kind === 'string' && DECIMAL.test(args.text(index))))
      throw new LuaError(`bad argument #${index} to 'char' (number expected, got ${kind})`)
    if (!(code >= 0 && code <= MAX_CODE))
      throw new LuaError(`bad argument #${index} to 'char' (value out of range)`)
    const whole = Math.trunc(code)
    text += isSurrogate(whole) ? '?' : String.fromCodePoint(whole)
  }
  return text
}

/** Resolves two Lua indexes to a range from 0 that excludes its end. */
function rangeOf(length: number, start: number, end: number): [number, number] {
  const from = Math.max(1, placeOf(start, length))
  return [from - 1, Math.max(from - 1, Math.min(length, placeOf(end, length)))]
}

function usub(state: LuaState, page: LuaSession): number {
  const subject = requireSubject(state, 'sub', page)
  const start = wholeOf(state, 2, 'sub', 1)
  const end = wholeOf(state, 3, 'sub', -1)
  const [from, to] = rangeOf(subject.length, start, end < TOO_LARGE ? end : 0)
  pushSlice(state, subject, Math.min(from, subject.length), Math.min(to, subject.length))
  return 1
}

function ucodepoint(args: HostArguments, page: LuaSession): Values {
  const { state } = args
  const subject = requireSubject(state, 'codepoint', page)
  const first = Math.max(1, placeOf(wholeOf(state, 2, 'codepoint', 1), subject.length))
  const [from, to] = rangeOf(subject.length, first, wholeOf(state, 3, 'codepoint', first))
  if (to - from > MAX_VALUES) throw new LuaError('string slice too long')
  state.reserve(to - from)
  return new Values(...subject.codes.subarray(from, to))
}

/** Position, in bytes from 1, of the character at a distance in characters from a given byte. */
function byteoffset(args: HostArguments, page: LuaSession): LuaValue {
  const { state } = args
  const { offsets, length } = requireSubject(state, 'byteoffset', page)
  const bytes = offsets[length] ?? 0
  const steps = wholeOf(state, 2, 'byteoffset', 1)
  const byte = placeOf(wholeOf(state, 3, 'byteoffset', 1), bytes)
  if (byte < 1 || byte > bytes) return undefined
  let character = offsets.findIndex(
    (offset, index) => offset <= byte - 1 && (offsets[index + 1] ?? Infinity) > byte - 1,
  )
  const isAtStart = offsets[character] === byte - 1
  if (steps > 0) character += isAtStart ? steps - 1 : steps
  else character += steps
  return character < 0 || character >= length ? undefined : (offsets[character] ?? 0) + 1
}

/** Undefined when the string is not UTF-8. */
function normalize(args: HostArguments, page: LuaSession): LuaValue {
  const form = args.text(2) as 'NFC' | 'NFD' | 'NFKC' | 'NFKD'
  if (subjectOf(args.state, 1, `to${form}`, page) === undefined) return undefined
  return args.text(1).normalize(form)
}

/** Pushes the captures of the pattern; without captures, the whole match. */
function pushCaptures(
  state: LuaState,
  subject: Subject,
  matcher: Matcher,
  pattern: Pattern,
  from: number,
  ifNone: boolean,
): number {
  if (pattern.captures === 0 && ifNone) {
    pushSlice(state, subject, from, matcher.end)
    return 1
  }
  state.reserve(pattern.captures)
  for (let capture = 0; capture < pattern.captures; capture++) {
    const start = matcher.starts[capture] ?? 0
    if (matcher.isPosition(capture)) state.push(start + 1)
    else pushSlice(state, subject, start, matcher.ends[capture] ?? 0)
  }
  return pattern.captures
}

function find(state: LuaState, page: LuaSession, name: 'find' | 'match'): number {
  const subject = requireSubject(state, name, page)
  const initial = placeOf(wholeOf(state, 3, name, 1), subject.length)
  const start = Math.min(Math.max(initial, 1), subject.length + 1) - 1
  if (name === 'find' && state.boolean(4)) return findPlain(state, subject, start)
  const pattern = patternOf(state, 2, name, page)
  const matcher = matcherOf(pattern, subject, page)
  const at = matcher.find(start)
  if (at < 0) {
    state.push(null)
    return 1
  }
  if (name === 'match') return pushCaptures(state, subject, matcher, pattern, at, true)
  state.push(at + 1)
  state.push(matcher.end)
  return 2 + pushCaptures(state, subject, matcher, pattern, at, false)
}

function findPlain(state: LuaState, { codes, length, offsets }: Subject, start: number): number {
  checkText(state, 2, 'find')
  const wanted = state.bytes(2)
  const { start: base, end } = state.span(1)
  const byte = state.machine.memory.subarray(base, end).indexOf(wanted, offsets[start] ?? 0)
  if (byte < 0) {
    state.push(null)
    return 1
  }
  let at = start
  while (at < length && (offsets[at] ?? 0) < byte) at++
  const needle = decodeSubject(wanted, 0, wanted.length)
  state.push(at + 1)
  state.push(at + (needle?.length ?? Math.min(wanted.length, codes.length)))
  return 2
}

/** Lists all matches: first byte from 1, last byte, number of captures, and the captures. */
function umatches(state: LuaState, page: LuaSession): number {
  const name = state.text(4)
  const subject = requireSubject(state, name, page)
  const pattern = patternOf(state, 2, name, page)
  const most = wholeOf(state, 3, name, Infinity)
  const matcher = matcherOf(pattern, subject, page)
  const { lua } = state.machine
  lua.lua_createtable(state.address, 0, 0)
  const list = state.top
  let size = 0
  const add = (): void => lua.lua_rawseti(state.address, list, ++size)
  eachMatch(matcher, pattern, subject, most, name === 'gsub' && pattern.isLazy, (from, to) => {
    for (const value of [
      (subject.offsets[from] ?? 0) + 1,
      subject.offsets[to] ?? 0,
      Math.max(1, pattern.captures),
    ]) {
      state.push(value)
      add()
    }
    size += pushCaptures(state, subject, matcher, pattern, from, true)
    for (let index = size; state.top > list; index--) lua.lua_rawseti(state.address, list, index)
  })
  return 1
}

/**
 * Calls `use` for each match in turn, and returns the number of matches. After an empty one, `takesLonger` looks for a
 * longer one at the same place.
 */
function eachMatch(
  matcher: Matcher,
  pattern: Pattern,
  subject: Subject,
  most: number,
  takesLonger: boolean,
  use: (from: number, to: number) => void,
): number {
  let count = 0
  let at = 0
  while (count < most) {
    const from = matcher.find(at)
    if (from < 0) break
    count++
    let to = matcher.end
    use(from, to)
    if (to === from && takesLonger && count < most && matcher.findLonger(from)) {
      count++
      to = matcher.end
      use(from, to)
    }
    at = to > from ? to : from + 1
    if (at > subject.length || pattern.isAnchored) break
  }
  return count
}

/** `gsub` with a text as replacement. */
function ugsub(state: LuaState, page: LuaSession): number {
  const subject = requireSubject(state, 'gsub', page)
  const pattern = patternOf(state, 2, 'gsub', page)
  const most = wholeOf(state, 4, 'gsub', Infinity)
  const replacement = replacementOf(new HostArguments(state).bytes(3))
  const matcher = matcherOf(pattern, subject, page)
  const source = state.bytes(1)
  const result = new ByteBuilder(page.thread.limits.memoryBytes)
  const addSlice = (from: number, to: number): void =>
    result.add(source, subject.offsets[from] ?? 0, subject.offsets[to] ?? 0)
  let done = 0
  const count = eachMatch(matcher, pattern, subject, most, pattern.isLazy, (from, to) => {
    if (replacement.pieces.length > MANY_PIECES) page.checkTime()
    addSlice(done, from)
    addReplacement(result, replacement, (capture) => {
      const index = capture - 1
      if (capture > Math.max(1, pattern.captures))
        throw new LuaError(`invalid capture index %${capture} in replacement string`)
      const start = matcher.starts[index] ?? 0
      if (index < 0 || pattern.captures === 0) addSlice(from, to)
      else if (matcher.isPosition(index)) result.addText(String(start + 1))
      else addSlice(start, matcher.ends[index] ?? 0)
    })
    done = to
  })
  addSlice(done, subject.length)
  state.push(result.bytes())
  state.push(count)
  return 2
}

/** The pieces between the matches, as a list; between characters where a match is empty. */
function usplit(state: LuaState, page: LuaSession): number {
  const subject = requireSubject(state, 'len', page)
  const pattern = patternOf(state, 2, 'find', page)
  const matcher = matcherOf(pattern, subject, page)
  const { lua } = state.machine
  lua.lua_createtable(state.address, 0, 0)
  let count = 0
  const add = (from: number, to: number): void => {
    pushSlice(state, subject, from, to)
    lua.lua_rawseti(state.address, -2, ++count)
  }
  let at = 0
  for (;;) {
    const from = matcher.find(at)
    if (from < 0) {
      add(at, subject.length)
      return 1
    }
    if (matcher.end > from) {
      add(at, from)
      at = matcher.end
    } else {
      add(at, Math.min(from + 1, subject.length))
      if (from >= subject.length - 1) return 1
      at = from + 1
    }
  }
}
