/** Checking the syntax of a module before it is saved. */
import { describe, expect, test } from 'vitest'
import { expandWith, luaRuntime } from './luaWiki.js'

const runtime = luaRuntime()
const check = (source: string, name = 'Module:My_page') => runtime.checkSyntax(name, source)
const at = (line: number, text: string) => ({ text, place: { name: 'Module:My_page', line } })

describe('a source', () => {
  test.each([
    ['empty', ''],
    ['a comment alone', '-- nothing'],
    ['a table', 'return {1, 2, a = function (x, ...) return x, ... end}'],
    ['one that fails when it runs', "error('no')"],
    ['one that never ends', 'while true do end'],
    ['one with globals that do not exist here', 'goto = io.open(x)'],
    ['one of 2 MB', `return {${'{"some text", 1.5, true},\n'.repeat(80_000)}}`],
  ])('is good: %s', (_case, source) => {
    expect(check(source)).toBeUndefined()
  })

  test.each([
    ['return =', at(1, "unexpected symbol near '='")],
    ['local a = 1\nfoo', at(2, "'=' expected near '<eof>'")],
    ['\n\nreturn "a\n', at(3, "unfinished string near '\"a'")],
    ['return "a', at(1, "unfinished string near '<eof>'")],
    ['function f(\nend', at(2, "<name> or '...' expected near 'end'")],
    ['if x then\n\n\n', at(4, "'end' expected (to close 'if' at line 1) near '<eof>'")],
    ['x = "ä" ö', at(1, "unexpected symbol near '\ufffd'")],
    ['--[[ open', at(1, "unfinished long comment near '<eof>'")],
    ['goto continue', at(1, "'=' expected near 'continue'")],
    ['return 1 // 2', at(1, "unexpected symbol near '/'")],
    ['\x1bLua', at(1, "unexpected symbol near '\\27'")],
    [`return ${'('.repeat(300)}1${')'.repeat(300)}`, at(1, 'chunk has too many syntax levels')],
    ['return "a\\\nb\n', { text: "Module:My_page:2: unfinished string near '\"a\nb'", place: undefined }],
  ])('is refused with its place: %j', (source, fault) => {
    expect(check(source)).toEqual(fault)
  })

  test('is named by its page in the message', () => {
    expect(check('x', 'Modul:Ä b')?.place?.name).toBe('Modul:Ä b')
  })
})

describe('the limits of a check', () => {
  test('memory', () => {
    const small = luaRuntime({ limits: { memoryBytes: 2_000_000 } })
    const source = `return {${Array.from({ length: 100_000 }, (_, n) => `"t${n}"`).join(',')}}`
    expect(small.checkSyntax('Module:Large', source)).toEqual({ text: 'not enough memory', place: undefined })
    expect(small.checkSyntax('Module:Small', 'return {}')).toBeUndefined()
  })

  test('time, which is looked at between pieces of the source', () => {
    let nowMs = 0
    const clock = { wallMs: () => (nowMs += 100), processorMs: () => undefined }
    const slow = luaRuntime({ clock })
    const fault = slow.checkSyntax('Module:Long', 'x = 1\n'.repeat(50_000))
    expect(fault).toEqual({ text: 'the source takes too long to compile', place: undefined })
    expect(slow.checkSyntax('Module:Short', 'x = 1')).toBeUndefined()
  })
})

test('a check between the modules of pages leaves both as they are', () => {
  const pages = { 'Module:A': 'return {f = function () return "a" end}' }
  const options = { modules: runtime }
  expect(expandWith('{{#invoke:A|f}}', { pages, options }).wikitext).toBe('a')
  expect(check('return =')).toBeDefined()
  expect(expandWith('{{#invoke:A|f}}', { pages, options }).wikitext).toBe('a')
})
