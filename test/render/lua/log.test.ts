/** What modules write with `mw.log`, kept for those who debug them. */
import { describe, expect, test } from 'vitest'
import type { LuaPage } from '../../../src/render/lua/page.js'
import type { Expander } from '../../../src/render/preprocessor/expander.js'
import { expandWith, luaRuntime } from './luaWiki.js'

const runtime = luaRuntime()

/** The log of a page with these calls of functions of `Module:Log`, and what it shows. */
function logOf(source: string, calls: string): { readonly lines: readonly string[]; readonly text: string } {
  let opened: LuaPage | undefined
  const modules = { open: (expander: Expander) => (opened = runtime.open(expander)) }
  const { wikitext } = expandWith(calls, { pages: { 'Module:Log': source }, options: { modules } })
  return { lines: opened?.log.lines ?? [], text: wikitext }
}

describe('the log of a page', () => {
  test('has the lines of all its calls, and the page shows none', () => {
    const source = `return {
      f = function (frame)
        mw.log(frame.args[1], nil, 3, true)
        mw.log()
        mw.logObject({a = {1}}, 'table')
        mw.logObject('x')
        return 'shown'
      end,
    }`
    const { lines, text } = logOf(source, '{{#invoke:Log|f|ä}} {{#invoke:Log|f|b}}')
    const dump = 'table = table#1 {\n    ["a"] = table#2 {\n        1,\n    },\n}'
    expect(lines).toEqual(['ä\tnil\t3\ttrue', '', dump, '"x"', 'b\tnil\t3\ttrue', '', dump, '"x"'])
    expect(text).toBe('shown shown')
  })

  test('keeps what was written before an error', () => {
    const { lines } = logOf("return {f = function () mw.log('here') error('x') end}", '{{#invoke:Log|f}}')
    expect(lines).toEqual(['here'])
  })

  test.each([
    ['long lines', "for _ = 1, 10 do mw.log(('x'):rep(300000)) end", 4],
    ['very many lines', 'for _ = 1, 100000 do mw.log() end', 20_001],
  ])('ends at its bound, and says so: %s', (_case, body, count) => {
    const { lines, text } = logOf(`return {f = function () ${body} return 'done' end}`, '{{#invoke:Log|f}}')
    expect(lines).toHaveLength(count)
    expect(lines.at(-1)).toBe('The log is full: a page keeps 1,000,000 characters.')
    expect(text).toBe('done')
  })
})
