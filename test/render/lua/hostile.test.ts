/**
 * Hostile modules: each ends within its limit, whatever it catches, and the next page finds everything as before. Further ones:
 * `hostileTexts.test.ts`, `hostileNeighbours.test.ts`.
 */
// @module-tag hostile
import { describe, expect, test } from 'vitest'
import { expandOn } from '../preprocessor/memoryWiki.js'
import { errorIn, luaRuntime } from './luaWiki.js'
import { expectSound, hostileRuntime, MEMORY, run, TIME_OVER } from './hostileWiki.js'

describe('endless modules end by time, and nothing catches it', () => {
  test.each([
    ['a loop', 'while true do end'],
    ['a loop of caught errors', 'while true do pcall(error) end'],
    [
      'a loop within pcall, again and again',
      'for i = 1, 5 do pcall(function () while true do end end) end return "free"',
    ],
    [
      'a loop within xpcall with a handler that loops',
      'xpcall(function () while true do end end, function () while true do end end) return "free"',
    ],
    [
      'pcall nested',
      'local function f(n) if n == 0 then while true do end end pcall(f, n - 1) while true do end end f(50)',
    ],
    [
      'a loop in a metamethod',
      'local t = setmetatable({}, {__index = function (t, k) while true do end end}) return pcall(function () return t.x end), t.x',
    ],
    ['a loop in a callback of gsub', "return ('x'):rep(1000):gsub('x', function () while true do end end)"],
    ['places far below a list', 'pcall(table.insert, {1, 2}, -2 ^ 31, 3) return "free"'],
    ['a loop in a callback of sort', 'local t = {3, 2, 1} table.sort(t, function () while true do end end)'],
    [
      'a loop in __tostring of the result',
      'return setmetatable({}, {__tostring = function () while true do end end})',
    ],
    [
      'a loop in __pairs',
      'for k in pairs(setmetatable({}, {__pairs = function () while true do end end})) do end',
    ],
    ['a loop in a module that is loaded as data', "pcall(mw.loadData, 'Module:Endless') while true do end"],
    ['a loop in an inner call', "return frame:preprocess('{{#invoke:Endless|f}}') .. 'free'"],
    ['an endless pattern over characters', "return mw.ustring.find(('ä'):rep(300), ('ä?'):rep(300) .. 'b')"],
    [
      'many patterns over characters',
      "while true do pcall(mw.ustring.match, ('ä'):rep(2000), '(.-)(.-)(.-)b') end",
    ],
    ['a thousand inner texts, each with a loop', "while true do frame:preprocess('{{lc:X}}') end"],
  ])('%s', (_name, body) => {
    const runtime = hostileRuntime()
    const more = { 'Module:Endless': 'while true do end' }
    const wikitext = run(runtime, body, '{{#invoke:Test|main}} and {{#invoke:Test|main}}', more)
    expect(wikitext).not.toContain('free')
    expect(wikitext.split(TIME_OVER)).toHaveLength(3)
    expectSound(runtime)
  })
})

test('repetitions of an empty text take no time, whatever their number', () => {
  const runtime = luaRuntime()
  // Counted through, these take a minute.
  const body = `local length = 0
    for i = 1, 30 do length = length + #(''):rep(1e9) + #string.rep('', 2 ^ 53) end
    local _, fault = pcall(string.rep, '', 'x')
    return length .. '/' .. ('ab'):rep(2) .. ('ab'):rep(-1) .. ('ab'):rep('2') .. string.rep(5, 2) .. '/' .. fault`
  const wanted = "0/ababababab55/bad argument #2 to '?' (number expected, got string)".replace(
    'ababababab',
    'abababab',
  )
  expect(run(runtime, body)).toBe(wanted)
  expectSound(runtime)
})

test('a place far below a list takes what is there', () => {
  const body = `local list = {'a', 'b', [0] = 'c', [-600] = 'd', [-601] = 'e'}
    table.insert(list, -600, 'new')
    table.insert(list, '-700', 'far')
    local _, fault = pcall(table.insert, 'x', -600, 1)
    local _, count = pcall(table.insert, {}, -600, 1, 2)
    local found = {}
    for _, place in ipairs{-701, -700, -601, -600, -599, -598, -1, 0, 1, 2, 3, 4, 5} do
      found[#found + 1] = place .. '=' .. tostring(list[place])
    end
    return table.concat(found, ' ') .. fault .. count`
  expect(run(luaRuntime(), body)).toBe(
    '-701=nil -700=far -601=nil -600=e -599=new -598=d -1=nil 0=nil 1=nil 2=c 3=a 4=b 5=nil' +
      "bad argument #1 to '?' (table expected, got string)wrong number of arguments to 'insert'",
  )
})

describe('modules that want more memory than there is', () => {
  test.each([
    ['one huge string', "return #('x'):rep(2 ^ 28)"],
    ['a string that doubles', "local s = 'x' while true do s = s .. s end"],
    ['a table that grows', 'local t = {} for i = 1, 1e9 do t[i] = i end'],
    ['tables in tables', 'local t = {} while true do t = {t} end'],
    ['a huge string, caught', "for i = 1, 3 do pcall(string.rep, 'x', 2 ^ 28) end return ('x'):rep(2 ^ 28)"],
    ['closures', 'local t = {} while true do t[#t + 1] = function () return t end end'],
    [
      'a long concatenation',
      "local t = {} for i = 1, 1e5 do t[i] = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' end return #table.concat(t)",
    ],
    ['a text of the host', "return #mw.text.nowiki(('['):rep(2 ^ 21))"],
    ['globals of many calls', "_G[frame] = ('x'):rep(2 ^ 23)"],
  ])('%s', (_name, body) => {
    const runtime = luaRuntime({ limits: { memoryBytes: 2 * MEMORY } })
    expect(errorIn(run(runtime, body))).toContain('not enough memory')
    const { memoryBytes } = runtime
    for (let round = 0; round < 5; round++) run(runtime, body)
    expect(runtime.memoryBytes).toBeLessThanOrEqual(memoryBytes + 4 * MEMORY)
    expectSound(runtime)
  })
})

describe('modules that go too deep', () => {
  test.each([
    ['calls', 'local function f() return 1 + f() end return f()', 'stack overflow'],
    [
      'metamethods',
      'local t = setmetatable({}, {}) getmetatable(t).__index = function (s, k) return s[k] end return t.x',
      'C stack overflow',
    ],
    ['gsub in gsub', "local function f() return (('x'):gsub('x', f)) end return f()", 'C stack overflow'],
    ['pcall in pcall', 'local function f() pcall(f) error("deep") end f()', 'deep'],
    [
      'brackets in source',
      "return frame:preprocess('{{#invoke:Brackets|f}}')",
      'chunk has too many syntax levels',
    ],
    ['arguments', 'return (unpack({}, 1, 1e7))', 'too many results to unpack'],
    ['captures', "return ('x'):find(('()'):rep(40))", 'too many captures'],
    [
      'a table that holds itself, as JSON',
      'local t = {} t[1] = t return mw.text.jsonEncode(t)',
      'Cannot use recursive tables',
    ],
  ])('%s', (_name, body, message) => {
    const runtime = hostileRuntime()
    const more = { 'Module:Brackets': `return ${'('.repeat(300)}1${')'.repeat(300)}` }
    expect(run(runtime, body, undefined, more)).toContain(message)
    expectSound(runtime)
  })

  test('a call within a call within a call, without end', () => {
    const runtime = hostileRuntime()
    const wikitext = run(
      runtime,
      "return (frame.args[1] or '') .. frame:preprocess('{{#invoke:Test|main|a}}')",
    )
    expect(wikitext).toMatch(/Expansion depth limit exceeded|stack overflow/)
    expectSound(runtime)
  })
})

describe('modules find no way out', () => {
  test.each([
    [
      'no files, code or threads',
      'return tostring(io) .. tostring(load) .. tostring(loadstring) .. tostring(dofile) .. tostring(coroutine) .. tostring(string.dump)',
      'nilnilnilnilnilnil',
    ],
    [
      'no environments',
      'return tostring(getfenv) .. tostring(setfenv) .. tostring(newproxy) .. tostring(collectgarbage)',
      'nilnilnilnil',
    ],
    [
      'no debugging',
      'local n = 0 for k in pairs(debug) do n = n + 1 end return n .. tostring(debug.getregistry)',
      '1nil',
    ],
    [
      'no operating system',
      'return tostring(os.execute) .. tostring(os.getenv) .. tostring(os.exit) .. tostring(os.remove)',
      'nilnilnilnil',
    ],
    ['no metatable of strings', "return tostring(getmetatable('')) .. tostring(getmetatable(mw))", 'nilnil'],
    ['no metatable behind a loaded library', 'return tostring(getmetatable(package.loaded))', 'nil'],
    [
      'no host',
      "return tostring(host) .. tostring(rawget(_G, 'host')) .. tostring(package.loaded.host)",
      'nilnilnil',
    ],
    ['no loader of C', 'return tostring(package.loadlib) .. tostring(package.cpath)', 'nilnil'],
    [
      'no library under another name',
      "return tostring(pcall(require, 'io')) .. tostring(pcall(require, 'debug.getregistry'))",
      'falsefalse',
    ],
    ['no page as a library', "return tostring(pcall(require, 'Template:Test'))", 'false'],
  ])('%s', (_name, body, result) => {
    expect(run(hostileRuntime(), body)).toBe(result)
  })

  test('what one page leaves is not seen by the next', () => {
    const runtime = hostileRuntime()
    const leave = `
      secret = 'page one'
      string.secret = secret
      mw.secret = secret
      package.loaded['Module:Secret'] = secret
      getmetatable(frame.args).__index = function () return secret end
      getmetatable(mw.html.create('b')).__index.secret = secret
      math.randomseed(1)`
    run(runtime, leave)
    const look = `
      local found, lib = pcall(require, 'Module:Secret')
      return tostring(secret) .. tostring(string.secret) .. tostring(mw.secret) .. tostring(found)
        .. tostring(frame.args.x) .. tostring(mw.html.create('b').secret)`
    expect(run(runtime, look)).toBe('nilnilnilfalsenilnil')
  })

  test('changed functions do not reach the libraries', () => {
    const body = `
      string.format, string.find, string.gsub = nil, nil, nil
      table.concat, ipairs, pairs, type, tostring, error = nil, nil, nil, nil, nil, nil
      return mw.html.create('b'):wikitext('x'):done():allDone():css('a', 'b')`
    expect(run(hostileRuntime(), body)).toBe('<b style="a:b">x</b>')
  })
})

test('a hundred thousand calls end by the limits of the page, and the text around them stays', () => {
  const runtime = hostileRuntime()
  const wikitext = run(runtime, "return 'x'", `begin ${'{{#invoke:Test|main}}'.repeat(100_000)} end`)
  expect(wikitext.startsWith('begin x')).toBe(true)
  expect(wikitext.endsWith(' end')).toBe(true)
  expectSound(runtime)
})

test('a limit of the page that a module reaches is not caught by it', () => {
  const runtime = hostileRuntime()
  const body = "for i = 1, 1e4 do pcall(frame.preprocess, frame, ('{{lc:X}}'):rep(1000)) end return 'free'"
  const pages = { 'Module:Test': `return {main = function (frame) ${body} end}` }
  const limits = { calls: 5000 }
  const { wikitext, report } = expandOn('a {{#invoke:Test|main}} b', {
    pages,
    options: { modules: runtime, limits },
  })
  expect(wikitext).toMatch(/^a <strong class="error">Expansion limit reached in .* b$/)
  expect(report.isWhole).toBe(false)
  expectSound(runtime)
})
