/**
 * Hostile modules that hand huge texts, or many, to the functions that run outside of Lua: these have limits of their own, and look
 * at the clock as often as Lua does.
 */
// @module-tag hostile
import { describe, expect, test } from 'vitest'
import { expandOn } from '../preprocessor/memoryWiki.js'
import { errorIn, luaRuntime } from './luaWiki.js'
import { CountingClock, expand, expectSound, hostileRuntime, MEMORY, run, TIME_OVER } from './hostileWiki.js'

describe('texts that are too long', () => {
  test.each([
    ['nowiki', "return #mw.text.nowiki(('['):rep(6e6))"],
    ['decode', "return #mw.text.decode(('&lt;'):rep(2e6))"],
    ['killMarkers', "return #mw.text.killMarkers(('x'):rep(6e6))"],
    ['upper case', "return #mw.ustring.upper(('ß'):rep(3e6))"],
    ['lower case with a language', "return #mw.getLanguage('tr'):lc(('x'):rep(6e6))"],
    ['a JSON string of control characters', "return #mw.text.jsonEncode(('\\1'):rep(6e6))"],
    ['a hash', "return mw.hash.hashValue('fnv164', ('x'):rep(6e6))"],
    ['a text to expand', "return #frame:preprocess(('x'):rep(6e6))"],
    [
      'arguments of a template, each the same text',
      "local a, s = {}, ('x'):rep(1e6) for i = 1, 3000 do a[i] = s end return frame:expandTemplate{title = 'T', args = a}",
    ],
    [
      'arguments of a function, each the same text',
      "local a, s = {}, ('x'):rep(1e6) for i = 1, 3000 do a[i] = s end return frame:callParserFunction('lc', a)",
    ],
    ['an extension tag', "return frame:extensionTag('ref', ('x'):rep(6e6))"],
    [
      'frames that are kept, each with a long argument',
      "local f, s = {}, ('x'):rep(1e6) for i = 1, 1e5 do f[#f % 9 + 1] = frame:newChild{args = {s}} end",
    ],
    ['frames without number', 'local f = frame while true do f = frame:newChild{} end'],
    ['a replacement of characters', "return mw.ustring.gsub(('ä'):rep(1e5), 'ä', ('%0'):rep(1000))"],
    ['JSON that becomes tables', "return #mw.text.jsonDecode('[' .. ('[],'):rep(5e5) .. '[]]')"],
    ['a warning', "mw.addWarning(('x'):rep(6e6))"],
    ['pages that were read', "for i = 1, 30 do mw.title.new('Long ' .. i):getContent() end"],
  ])('%s', (_name, body) => {
    const runtime = luaRuntime({ limits: { memoryBytes: 16 * MEMORY } })
    const long = Array.from({ length: 30 }, (_, n) => [`Long ${n + 1}`, 'x'.repeat(MEMORY)])
    const wikitext = run(runtime, body, undefined, {
      'Template:T': '{{{1}}}',
      ...(Object.fromEntries(long) as Readonly<Record<string, string>>),
    })
    expect(errorIn(wikitext)).toContain('not enough memory')
    expect(runtime.memoryBytes).toBeLessThan(100 * MEMORY)
    expectSound(runtime)
  })

  test.each([
    ['a date', "return os.date(('%c'):rep(1e6), 0)", 'format is too long'],
    [
      'a date of a language',
      "return mw.getContentLanguage():formatDate(('F'):rep(1e6), '2001-02-03')",
      'format is too long',
    ],
    ['JSON', "return mw.text.jsonDecode(('[1,'):rep(1e6))", 'more than 2097152 bytes'],
    ['JSON in JSON', "return mw.text.jsonDecode(('['):rep(1e5) .. (']'):rep(1e5))", 'nested too deeply'],
    [
      'a pattern of characters',
      "return mw.ustring.find('ä', ('a'):rep(10001))",
      'pattern is longer than 10000 bytes',
    ],
    [
      'characters',
      "return mw.ustring.find(('ä'):rep(2 ^ 20 + 1), 'x')",
      'string is longer than 2097152 bytes',
    ],
    ['a wide number', "return string.format('%400000000d', 2 ^ 40)", 'invalid format'],
    ['a precise number', "return string.format('%.400000000d', 2 ^ 40)", 'invalid format'],
    ['a template that is no title', "return frame:expandTemplate{title = ('x'):rep(1e6)}", 'invalid title'],
    ['an expression', "return mw.ext.ParserFunctions.expr(('1+'):rep(1e5) .. '1')", 'Stack exhausted'],
    ['a title', "return tostring(mw.title.new(('x'):rep(1e6)))", 'nil'],
    ['a title of parts', "return tostring(mw.title.makeTitle(0, ('x'):rep(256)))", 'nil'],
    [
      'a title of parts on another wiki',
      "return tostring(mw.title.makeTitle(0, 'de:' .. ('x'):rep(1e6)))",
      'nil',
    ],
    ['a module', "return select(2, pcall(require, 'Module:' .. ('x'):rep(1e5)))", 'not found'],
    ['a message', "return mw.message.new(('x'):rep(1e3)):plain()", '⧼xxx'],
    ['a namespace', 'local n = mw.site.stats.pagesInNamespace return n(1e308) .. n(0 / 0) .. n(5001)', '000'],
    [
      'an id',
      'local t = mw.title.new return tostring(t(0 / 0)) .. tostring(t(-1)) .. tostring(t(1e308)) .. tostring(t(1.5))',
      'nilnilnilnil',
    ],
    [
      'values of a call that already has many',
      "return select('#', mw.ustring.codepoint(('ä'):rep(6000), 1, 6000, unpack({}, 1, 6000)))",
      'stack overflow',
    ],
  ])('%s, and what it says', (_name, body, message) => {
    const runtime = luaRuntime({ limits: { memoryBytes: 32 * MEMORY } })
    expect(run(runtime, body)).toContain(message)
    expectSound(runtime)
  })

  test.each([
    ['an error of ten million characters', "error(('x'):rep(1e7))"],
    ['an error that looks like many places', "error((':1: '):rep(1e6) .. '\\n', 0)"],
    [
      'a traceback in a traceback',
      "local t = '' for i = 1, 2000 do t = debug.traceback(t) end error(t .. ('y'):rep(1e6), 0)",
    ],
    ['an error with markers', "error(frame:preprocess('<nowiki>' .. ('x'):rep(1e6) .. '</nowiki>'):rep(10))"],
  ])('%s is cut', (_name, body) => {
    const runtime = luaRuntime()
    const wikitext = run(runtime, body)
    expect(errorIn(wikitext)).toMatch(/^Lua error/)
    expect(wikitext.length).toBeLessThan(100_000)
    expectSound(runtime)
  })

  test.each([
    [
      'strings of JSON that are not closed',
      "mw.text.jsonDecode(('\\\\\"'):rep(5e5), mw.text.JSON_TRY_FIXING)",
    ],
    ['blanks behind commas', "mw.text.jsonDecode((', '):rep(5e5), mw.text.JSON_TRY_FIXING)"],
    ['zeros of a format', "string.format('%' .. ('0'):rep(1e6), 2 ^ 40)"],
    ['references that are not closed', "mw.text.decode(('&#1'):rep(5e5), true)"],
    ['markers that are not closed', "mw.text.killMarkers(('\\127\\'\"`UNIQ--x'):rep(1e5))"],
    ['addresses', "mw.text.nowiki(('http:'):rep(3e5))"],
    ['signs', "mw.text.nowiki(('\\n-'):rep(5e5) .. ('_'):rep(1e6))"],
    ['anchors', "mw.uri.anchorEncode(('%'):rep(1e5))"],
    ['numbers', "mw.getContentLanguage():parseFormattedNumber(('1,'):rep(1e5))"],
    ['times', "mw.getContentLanguage():formatDate('Y', ('1 day '):rep(1e5))"],
  ])('%s take no time with their square', (_name, body) => {
    const runtime = luaRuntime({ limits: { timeMs: 60_000 } })
    const startMs = process.cpuUsage().user / 1000
    run(runtime, `pcall(function () ${body} end)`)
    // A square of a million steps takes a quarter of an hour.
    expect(process.cpuUsage().user / 1000 - startMs).toBeLessThan(10_000)
    expectSound(runtime)
  })
})

describe('long work within one instruction', () => {
  /** Strings that are there already take no memory. */
  const COUNT = 'local count = 0 local function serial() count = count + 1 return count end'
  const OPERATIONS = [
    ['a search', "long:find('b', 1, true)"],
    ['a match', "long:match('b')"],
    ['a replacement', "long:gsub('b', 'c')"],
    ['a concatenation', 'local s = long .. serial()'],
    ['a repetition', "local s = ('xy'):rep(6e5 + serial())"],
    ['capitals', 'long:upper()'],
    ['a join', 'table.concat(list)'],
    ['a sort', 'table.sort(list)'],
    ['a place in front', 'table.insert(list, 1, 1)'],
    ['an item from the front', 'table.remove(list, 1)'],
    ['the largest key', 'table.maxn(list)'],
    ['a search for characters', "mw.ustring.find('ä', 'b')"],
    ['a hash', "mw.hash.hashValue('md5', 'x')"],
    ['a title', "mw.title.new('x')"],
  ] as const

  test.each(OPERATIONS)('%s is followed by a look at the clock', (_name, operation) => {
    const clock = new CountingClock()
    const runtime = luaRuntime({ clock, limits: { timeMs: 100_000 } })
    const prepare = `${COUNT} local long, list = ('a'):rep(2 ^ 20 + 1), {} for i = 1, 5e4 do list[i] = 100000 + i end`
    const looksOf = (times: number): number => {
      const before = clock.looks
      expect(run(runtime, `${prepare} for i = 1, ${times} do ${operation} end return 'done'`)).toBe('done')
      return clock.looks - before
    }
    expect(looksOf(20) - looksOf(0)).toBeGreaterThanOrEqual(20)
  })

  test.each(OPERATIONS)('%s again and again ends by time', (_name, operation) => {
    const runtime = luaRuntime({ clock: new CountingClock(), limits: { timeMs: 60 } })
    const body = `${COUNT}
      local long, list = ('a'):rep(2 ^ 20 + 1), {}
      for i = 1, 2e4 do list[i] = 100000 + i end
      while true do pcall(function () ${operation} end) end`
    expect(run(runtime, body)).toContain(TIME_OVER)
    expectSound(runtime)
  })

  test('keeps the place and the text of its errors', () => {
    const runtime = luaRuntime()
    const body = "local ok, why = pcall(function () return ('x'):find({}) end) return why"
    expect(run(runtime, body)).toBe("Module:Test:3: bad argument #1 to 'find' (string expected, got table)")
    expect(run(runtime, 'return select(2, pcall(table.insert, 5, 1))')).toBe(
      "bad argument #1 to '?' (table expected, got number)",
    )
  })
})

describe('things without number', () => {
  test.each([
    ['patterns', "for i = 1, 1e9 do mw.ustring.find('ä', ('a'):rep(9000) .. i) end"],
    [
      'languages',
      "for i = 1, 1e9 do pcall(mw.getLanguage(('x'):rep(1e5) .. i).getDir, mw.getLanguage('x')) end",
    ],
    ['titles', "for i = 1, 1e9 do mw.title.new('Title ' .. i) end"],
    ['messages', "for i = 1, 1e9 do mw.message.new('message ' .. i):exists() end"],
    ['warnings', "for i = 1, 1e9 do mw.addWarning(('x'):rep(1e5) .. i) end"],
    ['modules that are not there', "for i = 1, 1e9 do pcall(require, 'Module:N' .. i) end"],
    ['formats of dates', "for i = 1, 1e9 do mw.getContentLanguage():formatDate('F' .. i, '2001-02-03') end"],
    ['names of languages', "for i = 1, 1e9 do mw.language.fetchLanguageName('en', 'd' .. i) end"],
    ['nodes', "local h = mw.html.create('b') for i = 1, 1e9 do h:tag('i'):wikitext(i) end"],
    [
      'nodes within nodes',
      "local h = mw.html.create('b') for i = 1, 1e5 do h = h:tag('i') end mw.log(tostring(h:allDone()))",
    ],
    ['tags', "for i = 1, 1e9 do frame:extensionTag('ref', ('x'):rep(1e5)) end"],
    ['pieces of a text', "for i = 1, 1e9 do mw.text.split(('x,'):rep(1e5), ',') end"],
  ])('%s end by a limit', (_name, body) => {
    const runtime = hostileRuntime(300)
    expect(run(runtime, `${body} return 'free'`)).toMatch(/expired|not enough memory|stack overflow/)
    expectSound(runtime)
  })

  test('pages that are only looked at count as calls', () => {
    const runtime = luaRuntime()
    const body = "for i = 1, 1e6 do mw.title.new('Page ' .. i):getContent() end"
    const { wikitext, report } = expandOn('a {{#invoke:Test|main}} b', {
      pages: { 'Module:Test': `return {main = function (frame) ${body} end}` },
      options: { modules: runtime, limits: { calls: 3000 } },
    })
    expect(wikitext).toMatch(/^a <strong class="error">Expansion limit reached in .* b$/)
    expect(report.pages.length).toBeLessThanOrEqual(3001)
    expectSound(runtime)
  })

  test('warnings are few and short', () => {
    const { report } = expand(luaRuntime(), "for i = 1, 500 do mw.addWarning(('x'):rep(5000) .. i) end")
    const characters = report.warnings.reduce((sum, text) => sum + text.length, 0)
    expect(characters).toBeLessThanOrEqual(100_000)
  })

  test('a nowiki that comes back a thousand times stays within what a page may have', () => {
    const runtime = luaRuntime()
    const body = `
      local marker = frame:preprocess('<nowiki>' .. ('x'):rep(1e6) .. '</nowiki>')
      return #mw.text.unstripNoWiki(marker:rep(1e4))`
    expect(Number(run(runtime, body))).toBeLessThan(5e6)
    expectSound(runtime)
  })

  test('a marker that is given back a thousand times stays within what a page may have', () => {
    const runtime = luaRuntime()
    const body = "return frame:extensionTag('ref', ('x'):rep(1e5)):rep(1000)"
    expect(run(runtime, body).length).toBeLessThan(5e6)
    expectSound(runtime)
  })
})
