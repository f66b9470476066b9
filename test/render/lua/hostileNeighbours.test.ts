/**
 * Hostile modules that want to be seen by other calls and other pages, or to see them: each call finds a world of its own, whatever
 * an earlier one has changed, kept or broken.
 */
// @module-tag hostile
import { describe, expect, test } from 'vitest'
import { expandOn } from '../preprocessor/memoryWiki.js'
import { errorIn, luaRuntime } from './luaWiki.js'
import { expectSound, hostileRuntime, run } from './hostileWiki.js'

/** What a call sees of what others may have changed. */
const LOOK = `
  local text = {}
  local function add(value) text[#text + 1] = tostring(value) end
  local data = mw.loadData('Module:Data')
  add(data.list[1]) add(data.list[2]) add(data[1]) add(data.text) add(rawget(data, 'text'))
  add(secret) add(string.secret) add(mw.secret) add(mw.text.secret) add(package.loaded.secret) add(frame.secret)
  add(mw.html.create('b')) add(mw.title.new('Help:A').nsText) add(mw.site.namespaces.Help.name) add(('x'):rep(2))
  add(mw.getContentLanguage().code) add(require('libraryUtil').secret) add(require('bit32').band(3, 6))
  add(tostring(getmetatable(_G))) add(frame.args[1]) add(frame:getParent():getTitle()) add(mw.ustring.len('äö'))
  add(#mw.text.split('a,b', ',')) add(mw.message.new('and'):plain()) add(pcall(error)) add(select('#', 1, 2))
  return table.concat(text, ' ')`

const PAGES = { 'Module:Data': "return {list = {'one'}, text = 'data'}" }
const SEEN = run(luaRuntime(), LOOK, '{{#invoke:Test|main|arg}}', PAGES)

/** The same look after another call, on the same page, and on the next one. */
function expectUnseen(body: string): void {
  const runtime = luaRuntime()
  const hostile = `local p = {}\nfunction p.main(frame)\n${body}\nend\nreturn p`
  const pages = { ...PAGES, 'Module:Hostile': hostile }
  const after = run(
    runtime,
    LOOK,
    '{{#invoke:Hostile|main}}<!-- -->\u2003{{#invoke:Test|main|arg}}\u2003{{#invoke:Hostile|main}}',
    pages,
  )
  expect(after.split('\u2003')[1]).toBe(SEEN)
  expect(run(runtime, LOOK, '{{#invoke:Test|main|arg}}', PAGES)).toBe(SEEN)
}

describe('what a call changes, the next does not see', () => {
  test('and the look shows what is to be seen', () => {
    expect(SEEN).toMatch(/^one nil nil data nil nil .*<b><\/b> Help Help xx en/)
  })

  test.each([
    ['globals', "secret = 1 _G.secret = 1 rawset(_G, 'secret', 1)"],
    ['all globals taken away', 'for k in pairs(_G) do if k ~= "_G" then rawset(_G, k, nil) end end'],
    [
      'the metatable of globals',
      'setmetatable(_G, {__index = function () return 1 end, __newindex = error})',
    ],
    ['strict globals', "require('strict')"],
    ['functions of strings', "string.rep, string.secret = function () return 'bad' end, 1"],
    ['functions of tables', "table.concat = function () return 'bad' end"],
    ['functions of mw', 'mw.secret, mw.loadData, mw.text = 1, error, {secret = 1}'],
    ['the metatable of mw', "setmetatable(mw, {__index = function () return 'bad' end})"],
    ['functions of libraries', 'mw.text.secret, mw.text.split, mw.ustring.len = 1, error, error'],
    [
      'loaded packages',
      'package.loaded.secret, package.loaded.libraryUtil, package.loaded.bit32 = 1, {secret = 1}, {}',
    ],
    ['packages to load', "package.preload['Module:Data'] = function () return {list = {'bad'}} end"],
    [
      'loaders',
      'package.loaders[2] = function () return function () return {} end end package.loaders[1] = nil',
    ],
    [
      'a loaded package that is false',
      "package.loaded['Module:Data'] = false require('libraryUtil').secret = 1",
    ],
    ['methods of elements', "getmetatable(mw.html.create('b')).__tostring = function () return 'bad' end"],
    ['methods of titles', "getmetatable(mw.title.new('A')).__index = function () return 'bad' end"],
    [
      'methods of messages',
      "getmetatable(mw.message.new('and')).__index.plain = function () return 'bad' end",
    ],
    ['a language', "mw.getContentLanguage().code = 'bad'"],
    ['namespaces', "mw.site.namespaces.Help.name = 'bad' mw.site.namespaces[12] = nil"],
    [
      'a frame',
      "frame.secret, frame.args = 1, {'bad'} frame:getParent().getTitle = function () return 'bad' end",
    ],
    ['the metatable of arguments', "getmetatable(frame.args).__index = function () return 'bad' end"],
    ['bits', "require('bit32').band = function () return 'bad' end"],
    ['errors', "error, pcall = print, function () return 'bad' end"],
    ['counts', "select = function () return 'bad' end tostring = select"],
  ])('%s', (_name, body) => expectUnseen(body))
})

describe('data that calls share stays as it is', () => {
  test.each([
    ['an assignment', "mw.loadData('Module:Data').text = 'bad'"],
    ['an assignment within', "mw.loadData('Module:Data').list[1] = 'bad'"],
    ['rawset', "local d = mw.loadData('Module:Data') rawset(d, 'text', 'bad') rawset(d.list, 1, 'bad')"],
    [
      'table.insert',
      "local d = mw.loadData('Module:Data') table.insert(d, 'bad') table.insert(d.list, 'bad')",
    ],
    ['table.remove', "local d = mw.loadData('Module:Data') table.remove(d.list) table.remove(d)"],
    ['table.sort', "local d = mw.loadData('Module:Data') table.sort(d.list) d.list[2] = 1"],
    [
      'a metatable that is changed',
      "getmetatable(mw.loadData('Module:Data')).__newindex = rawset mw.loadData('Module:Data').text = 'bad'",
    ],
    ['a metatable that is taken away', "setmetatable(mw.loadData('Module:Data'), nil).text = 'bad'"],
    [
      'the source of a reader',
      "local i, t = pairs(mw.loadData('Module:Data')) if t then t.text = 'bad' rawset(t, 1, 'bad') end",
    ],
    [
      'the items of a reader',
      "for k, v in pairs(mw.loadData('Module:Data')) do if type(v) == 'table' then rawset(v, 1, 'bad') end end",
    ],
    ['a copy', "mw.clone(mw.loadData('Module:Data')).text = 'bad'"],
    ['the module itself, required', "local d = require('Module:Data') d.text = 'bad' d.list[1] = 'bad'"],
    [
      'a preloaded module',
      "package.preload['Module:Data'] = function () return {text = 'bad', list = {}} end mw.loadData('Module:Data')",
    ],
    [
      'a loader',
      "package.loaders = {function () return function () return {text = 'bad'} end end} mw.loadData('Module:Data')",
    ],
    ['tostring', "tostring = function () return 'bad' end mw.loadData('Module:Data')"],
  ])('%s', (_name, body) => expectUnseen(body))

  test('also when the first load fails in the middle, or nothing is left of memory', () => {
    const runtime = hostileRuntime()
    const body = `
      local hog = {}
      pcall(function () for i = 1, 1e9 do hog[i] = ('x'):rep(1000) .. i end end)
      pcall(mw.loadData, 'Module:Data') pcall(mw.title.new, 'Help:A') pcall(function () return mw.site.namespaces end)
      return 'done'`
    const pages = { ...PAGES, 'Module:Hog': `return {main = function (frame) ${body} end}` }
    const wikitext = run(runtime, LOOK, '{{#invoke:Hog|main}}|{{#invoke:Test|main|arg}}', pages)
    expect(wikitext).toBe(`${wikitext.split('|')[0]}|${SEEN}`)
  })

  test('a module that is data sees the page, and not the call', () => {
    const pages = {
      'Module:Nosy': `
        local frame = mw.getCurrentFrame()
        return {title = frame:getTitle(), arg = frame.args[1] or 'none', parent = tostring(frame:getParent())}`,
    }
    const body = "local d = mw.loadData('Module:Nosy') return d.title .. d.arg .. d.parent"
    expect(run(luaRuntime(), body, '{{#invoke:Test|main|secret}}', pages)).toBe('Sample pagenonenil')
  })
})

describe('calls within calls see nothing of each other', () => {
  test.each([
    ['globals', "secret = 'outer'", 'return tostring(secret)', 'nil'],
    ['arguments', '', 'return tostring(frame.args[1]) .. tostring(frame.args.secret)', 'nilnil'],
    [
      'frames of the outer call',
      'keep = frame',
      'return tostring(keep) .. mw.getCurrentFrame():getTitle()',
      'nilModule:Inner',
    ],
    ['the same module', "package.loaded['Module:Inner'] = {main = error}", "return 'inner'", 'inner'],
    ['a changed preprocess', 'frame.preprocess = nil', "return frame:preprocess('{{lc:X}}')", 'x'],
  ])('%s', (_name, outer, inner, result) => {
    const body = `local run = frame.preprocess ${outer} return run(frame, '{{#invoke:Inner|main}}')`
    const pages = { 'Module:Inner': `return {main = function (frame) ${inner} end}` }
    const text = '{{#invoke:Test|main|x|secret=y}}'
    expect(run(luaRuntime(), body, text, pages)).toBe(result)
  })

  test('an inner error is a text, and the outer call goes on', () => {
    const body = "return (frame:preprocess('{{#invoke:Inner|main}}'):gsub('<.->', '')) .. ' and on'"
    const pages = { 'Module:Inner': "return {main = function () error('inner') end}" }
    expect(run(luaRuntime(), body, undefined, pages)).toBe(
      'Lua error in Module:Inner at line 1: inner. and on',
    )
  })

  test('frames of a call that has ended are of no use', () => {
    const runtime = luaRuntime()
    const body = `
      local inner = frame:newChild{args = {'secret'}}
      frame:preprocess('{{#invoke:Inner|main}}')
      return inner.args[1] .. inner:getTitle()`
    const pages = {
      'Module:Inner': "return {main = function (frame) return frame:newChild{args = {'x'}}.args[1] end}",
    }
    expect(run(runtime, body, undefined, pages)).toBe('secretModule:Test')
  })
})

describe('loading goes round in circles and ends', () => {
  test.each([
    [
      'require of itself',
      { 'Module:A': "return require('Module:A')" },
      "return require('Module:A')",
      'loop or previous error',
    ],
    [
      'require of three',
      {
        'Module:A': "return require('Module:B')",
        'Module:B': "return require('Module:C')",
        'Module:C': "return require('Module:A')",
      },
      "return require('Module:A')",
      'loop or previous error',
    ],
    [
      'data of itself',
      { 'Module:A': "return mw.loadData('Module:A')" },
      "return mw.loadData('Module:A')",
      'not enough memory',
    ],
    [
      'data of each other',
      { 'Module:A': "return {mw.loadData('Module:B')}", 'Module:B': "return {mw.loadData('Module:A')}" },
      "return mw.loadData('Module:A')",
      'not enough memory',
    ],
    [
      'a module that invokes itself while it is loaded',
      { 'Module:A': "return {f = mw.getCurrentFrame():preprocess('{{#invoke:A|f}}')}" },
      "return frame:preprocess('{{#invoke:A|f}}')",
      'is not a function',
    ],
    [
      'a template that invokes itself',
      { 'Template:A': '{{#invoke:Test|main}}' },
      "return frame:expandTemplate{title = 'A'}",
      'template loop detected',
    ],
    [
      'a template in a text that invokes itself',
      { 'Template:A': '{{#invoke:Test|main}}' },
      "return frame:preprocess('{{A}}')",
      'Template loop detected',
    ],
    [
      'a function that invokes itself',
      {},
      "return frame:callParserFunction('#invoke', 'Test', 'main')",
      'overflow',
    ],
    [
      'a redirect to itself',
      { 'Template:A': '#REDIRECT [[Template:A]]' },
      "return frame:expandTemplate{title = 'A'}",
      'A',
    ],
    [
      'a title whose redirect is itself',
      { A: '#REDIRECT [[A]]' },
      "local t = mw.title.new('A') for i = 1, 100 do t = t.redirectTarget end return t.text",
      'A',
    ],
  ])('%s', (_name, pages: Readonly<Record<string, string>>, body, message) => {
    const runtime = hostileRuntime(100_000)
    expect(run(runtime, body, undefined, pages)).toContain(message)
    expectSound(runtime)
  })
})

describe('results of every type are texts', () => {
  test.each([
    ['a table', 'return {}', 'table'],
    ['a function', 'return function () end', 'function'],
    ['a table with a text', "return setmetatable({}, {__tostring = function () return 'x' end})", 'x'],
    ['numbers that are none', 'return 0 / 0, 1 / 0, -1 / 0', 'naninf-inf'],
    ['NUL bytes', "return 'a\\0b'", 'a\0b'],
    ['bytes that are no text', "return 'a\\255b\\128'", 'a\ufffdb\ufffd'],
    ['half a character', "return ('ä'):sub(1, 1) .. 'x'", '\ufffdx'],
    ['a surrogate', "return '\\237\\160\\128'", '\ufffd\ufffd\ufffd'],
    ['nothing', 'return', ''],
    ['two hundred values', "local t = {} for i = 1, 200 do t[i] = 'x' end return unpack(t)", 'x'.repeat(200)],
  ])('%s', (_name, body, result) => {
    const runtime = luaRuntime()
    expect(run(runtime, body).replace('-nan', 'nan')).toBe(result)
    expectSound(runtime)
  })

  test.each([
    ['nil', 'error(nil)'],
    ['a table', 'error({})'],
    ['a table with a text', "error(setmetatable({}, {__tostring = function () return 'x' end}))"],
    ['a function', 'error(error)'],
    ['a boolean', 'error(false)'],
    ['a text whose making fails', 'return setmetatable({}, {__tostring = function () error({}) end})'],
  ])('an error that is %s has no text', (_name, body) => {
    const runtime = luaRuntime()
    expect(errorIn(run(runtime, body))).toBe('Lua error: unknown error.')
    expectSound(runtime)
  })

  test.each([
    ['a table that is no text', 'return setmetatable({}, {__tostring = function () return {} end})'],
    ['a handler of errors that fails', 'return select(2, xpcall(error, function () error() end))'],
    ['an error in a comparison', 'table.sort({1, 2, 3}, function () error("x") end)'],
    [
      'an order that is none',
      'local t = {} for i = 1, 100 do t[i] = i % 7 end table.sort(t, function () return true end)',
    ],
    ['an index that fails', 'return frame.args[setmetatable({}, {__index = error})].x'],
    ['too many results', 'return unpack({}, 1, 8000)'],
    [
      'a function that changes what it reads',
      "return ('abc'):gsub('.', function () string.gsub = nil frame.args = nil end)",
    ],
  ])('%s leaves the engine whole', (_name, body) => {
    const runtime = luaRuntime()
    run(runtime, body)
    expectSound(runtime)
  })
})

describe('markers of extension tags', () => {
  const MARKER = '\\127\'"`UNIQ--ref-00000000-QINU`"\'\\127'

  test('of another page mean nothing', () => {
    const runtime = luaRuntime()
    expect(run(runtime, "return ''", '<ref>secret</ref>{{#invoke:Test|main}}')).toContain('secret')
    expect(run(runtime, `return "${MARKER.replaceAll('"', '\\"')}"`)).not.toContain('secret')
  })

  test('that are made up are shown, or are nothing', () => {
    const runtime = luaRuntime()
    const body = `return "a${MARKER.replaceAll('"', '\\"').replace('00000000', 'FFFFFFFF')}b"`
    expect(run(runtime, body)).toMatch(/^a.*b$/s)
    expectSound(runtime)
  })

  test('that are cut in two, or put into attributes, break nothing', () => {
    const runtime = luaRuntime()
    const body = `
      local marker = frame:preprocess('<ref>note</ref>')
      local half = marker:sub(1, #marker / 2)
      return half .. tostring(mw.html.create('b'):attr('title', half .. marker):wikitext(marker)) .. mw.text.killMarkers(half)`
    expect(run(runtime, body)).toContain('<ref>note</ref></b>')
    expectSound(runtime)
  })
})

test('memory of a call that has ended is there for the next one', () => {
  const runtime = hostileRuntime(100_000)
  // The table takes 4 of 8 MB, and moves from 2 MB of them.
  const body = 'local t = {} for i = 1, 2 ^ 17 + 1 do t[i] = i end return #t'
  const text = '{{#invoke:Test|main}} '.repeat(20).trim()
  expect(run(runtime, body, text)).toBe('131073 '.repeat(20).trim())
})

test('an error in one call leaves the others of the page, and the text', () => {
  const pages = {
    'Module:Hog': 'return {f = function () local t = {} while true do t[#t + 1] = {} end end}',
    'Module:Deep': 'local function f() return f() + 1 end return {f = f}',
    'Module:Fine': "return {f = function () return 'fine' end}",
  }
  const { wikitext } = expandOn(
    '{{#invoke:Hog|f}}, {{#invoke:Fine|f}}, {{#invoke:Deep|f}}, {{#invoke:Fine|f}}',
    {
      pages,
      options: { modules: hostileRuntime(100_000) },
    },
  )
  expect(wikitext).toMatch(/not enough memory.*, fine, .*stack overflow.*, fine$/s)
})
