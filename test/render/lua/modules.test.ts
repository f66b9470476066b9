/** Input and output of modules, on a small generated wiki. */
import { describe, expect, test } from 'vitest'
import { errorIn, expandWith, runLua } from './luaWiki.js'

describe('a call of a module', () => {
  test('gives the texts that the function returns, up to the first nil', () => {
    expect(runLua("return 12, 'b', true, nil, 3")).toBe('12btrue')
    expect(runLua('return')).toBe('')
    expect(runLua("return '{{lc:A}}'")).toBe('&#123;&#123;lc:A}}')
  })

  test('puts a newline before a list', () => {
    const pages = { 'Module:List': "return {f = function () return '* a' end}" }
    expect(expandWith('x{{#invoke:List|f}}', { pages }).wikitext).toBe('x\n* a')
  })

  test('sees nothing of an earlier call', () => {
    const pages = {
      'Module:Traces': `
        local count = 0
        return {
          leave = function ()
            count = count + 1
            seen = true
            string.shout = function () end
            mw.text.trim = nil
            package.loaded.mine = 1
            table.insert(mw.site.contentNamespaces, 'x')
            return count
          end,
          look = function ()
            return tostring(seen) .. tostring(string.shout) .. type(mw.text.trim) .. tostring(package.loaded.mine)
              .. #mw.site.contentNamespaces
          end,
        }`,
    }
    const { wikitext } = expandWith(
      '{{#invoke:Traces|leave}} {{#invoke:Traces|leave}} {{#invoke:Traces|look}}',
      { pages },
    )
    expect(wikitext).toBe('1 1 nilnilfunctionnil0')
  })

  test('sees nothing that an earlier call changed in libraries, their objects or metatables', () => {
    const pages = {
      'Module:Libraries': `
        local function all()
          local title, element = mw.title.new('Foo'), mw.html.create('b')
          return {
            mw.html, getmetatable(element), getmetatable(element).__index, mw.title, getmetatable(title),
            mw.language, mw.getContentLanguage(), mw.text, mw.ustring, mw.uri, getmetatable(mw.uri.new()), mw.message,
            getmetatable(mw.message.new('and')), mw.site, mw.site.namespaces, mw.site.namespaces[10],
            mw.site.namespaces[10].aliases, mw.site.contentNamespaces, mw.site.stats, mw.hash, require('libraryUtil'),
          }
        end
        return {
          spoil = function ()
            for _, list in ipairs(all()) do
              for key in pairs(list) do rawset(list, key, 'spoilt') end
              rawset(list, 'mine', 'spoilt')
            end
          end,
          look = function ()
            local seen = 0
            for index, list in ipairs(all()) do
              for key, value in pairs(list) do
                if value == 'spoilt' then error(index .. ': ' .. tostring(key)) end
              end
              seen = seen + 1
            end
            local element = mw.html.create('b'):attr('a', '<'):wikitext('c')
            return seen .. tostring(element) .. mw.title.new('Foo').text .. mw.text.trim(' x ') ..
              mw.text.tag('i', {a = '&'}, mw.ustring.upper('ä')) .. mw.getContentLanguage():formatNum(1234) ..
              mw.site.namespaces.Template.name
          end,
        }`,
    }
    const { wikitext } = expandWith(
      '{{#invoke:Libraries|look}}{{#invoke:Libraries|spoil}}{{#invoke:Libraries|look}}',
      {
        pages,
      },
    )
    const unspoilt = '21<b a="&lt;">c</b>Foox<i a="&amp;">Ä</i>1,234Template'
    expect(wikitext).toBe(unspoilt + unspoilt)
  })

  test('can be within another of the same module, while that is still being loaded', () => {
    const pages = {
      'Module:Nest': `
        local inner = mw.getCurrentFrame().args.deep and '' or mw.getCurrentFrame():preprocess('{{#invoke:Nest|f|deep=1}}')
        return {f = function (frame) return '(' .. inner .. (frame.args.deep or 'outer') .. ')' end}`,
    }
    expect(expandWith('{{#invoke:Nest|f}}', { pages }).wikitext).toBe('((1)outer)')
  })

  test.each([
    ['{{#invoke:Nowhere|f}}', 'Script error: No such module &quot;Nowhere&quot;.'],
    [
      '{{#invoke:Number|f}}',
      'Script error: The module returned a number value. It is supposed to return an export table.',
    ],
    ['{{#invoke:Empty|f}}', 'Script error: The function &quot;f&quot; does not exist.'],
    ['{{#invoke:Value|f}}', 'Script error: &quot;f&quot; is not a function.'],
    ['{{#invoke:Broken|f}}', "Lua error in Module:Broken at line 2: '=' expected near '&lt;eof&gt;'."],
    ['{{#invoke:Fails|f}}', 'Lua error in Module:Fails at line 2: &quot;no&quot;.'],
    ['{{#invoke:Fails|table}}', 'Lua error: unknown error.'],
    ['{{#invoke:Bytes|f}}', 'Lua error in Module:Bytes at line 1: unexpected symbol near'],
  ])('%s shows why it gives nothing', (text, message) => {
    const pages = {
      'Module:Number': 'return 5',
      'Module:Empty': 'return {}',
      'Module:Value': 'return {f = 1}',
      'Module:Broken': 'local a = 1\nfoo',
      'Module:Fails': `return {f = function ()\nerror('"no"') end, table = function () error({}) end}`,
      'Module:Bytes': '\x1bLua',
    }
    const { wikitext, categories } = expandWith(text, { pages })
    expect(errorIn(wikitext)?.replaceAll('&#039;', "'")).toContain(message)
    expect(categories).toEqual(['Pages with script errors'])
  })

  test('numbers the errors of a page, and #iferror sees them', () => {
    const pages = { 'Module:Fails': "return {f = function () error('x') end}" }
    const { wikitext } = expandWith('{{#iferror:{{#invoke:Fails|f}}|caught}} {{#invoke:Fails|f}}', { pages })
    expect(wikitext).toMatch(/^caught .*id="mw-scribunto-error-1"/)
  })
})

describe('a frame', () => {
  test('reads arguments by number or text, also as pairs', () => {
    const args = '|a| x = b |01=c'
    expect(
      runLua("return frame.args[1] .. frame.args['1'] .. frame.args.x .. frame.args['01']", { args }),
    ).toBe('aabc')
    const listed = `local list = {}
      for key, value in pairs(frame.args) do list[#list + 1] = type(key) .. key .. '=' .. value end
      table.sort(list) return table.concat(list, ' ')`
    expect(runLua(listed, { args })).toBe('number1=a string01=c stringx=b')
  })

  test('finds each argument among many that are missing', () => {
    const body = `local list = {}
      for index = 1, 20 do list[#list + 1] = frame.args[index] end
      for index = 1, 20 do list[#list + 1] = frame.args['list' .. index] end
      return table.concat(list, ' ') .. tostring(frame.args.none)`
    expect(runLua(body, { args: '|a|9=b|list2=c|list19=d|20=e' })).toBe('a b e c dnil')
  })

  test('leads to the template around it, and its arguments', () => {
    const pages = { 'Template:Around': '{{#invoke:Test|main}}' }
    const source =
      'return {main = function (frame) local p = frame:getParent() return p:getTitle() .. p.args[1] .. tostring(p:getParent()) end}'
    expect(expandWith('{{Around|z}}', { pages: { ...pages, 'Module:Test': source } }).wikitext).toBe(
      'Template:Aroundznil',
    )
  })

  test('expands texts, templates, functions and tags', () => {
    const pages = { 'Template:Greet': 'Hello, {{{1|you}}}{{{mark|!}}}' }
    expect(runLua("return frame:preprocess('{{lc:ABC}} {{{1}}}')", { args: '|x' })).toBe('abc x')
    expect(
      runLua("return frame:expandTemplate{title = 'Greet', args = {'a|b', mark = '?'}}", { pages }),
    ).toBe('Hello, a|b?')
    expect(runLua("return frame:callParserFunction('#if', '', 'yes', 'no')")).toBe('no')
    expect(runLua("return frame:extensionTag('ref', 'a', {name = 'b'})")).toBe('<ref name="b">a</ref>')
    expect(runLua("return frame:newChild{title = 'Foo', args = {k = ' v '}}:preprocess('{{{k}}}')")).toBe('v')
  })

  test('ends a template that calls itself through a module', () => {
    const pages = { 'Template:Loop': '{{#invoke:Test|main}}' }
    const source = "return {main = function (frame) return frame:expandTemplate{title = 'Loop'} end}"
    const { wikitext } = expandWith('{{Loop}}', { pages: { ...pages, 'Module:Test': source } })
    expect(errorIn(wikitext)).toBe('Lua error: expandTemplate: template loop detected.')
  })

  test('gives its errors the place of the caller', () => {
    expect(errorIn(runLua('local x = frame.getTitle()\nreturn x'))).toMatch(
      /^Lua error in Module:Test at line 3: frame:getTitle: invalid frame object\. Did you call getTitle with a dot/,
    )
  })
})

describe('loaded modules', () => {
  const pages = {
    'Module:Lib': 'hits = (hits or 0) + 1\nreturn {name = ..., hits = hits}',
    'Module:Data': 'return {list = {1, 2}, text = "t"}',
    'Module:Bad data': 'return {f = function () end}',
    'Module:Circle': "return require('Module:Circle')",
  }

  test('run once in a call', () => {
    expect(runLua("return require('Module:Lib').name .. require('Module:Lib').hits", { pages })).toBe(
      'Module:Lib1',
    )
  })

  test('give data that nobody can change', () => {
    const read =
      "local d = mw.loadData('Module:Data') local s = d.text for i, v in ipairs(d.list) do s = s .. v end return s"
    expect(runLua(read, { pages })).toBe('t12')
    expect(errorIn(runLua("local d = mw.loadData('Module:Data')\nd.list.x = 1", { pages }))).toContain(
      'is read-only',
    )
    expect(errorIn(runLua("return mw.loadData('Module:Bad data')", { pages }))).toContain(
      'type &#039;function&#039;',
    )
  })

  test('report a loop and what does not exist', () => {
    expect(errorIn(runLua("return require('Module:Circle')", { pages }))).toContain(
      'loop or previous error loading module',
    )
    expect(runLua("return tostring(pcall(require, 'Module:Nowhere'))")).toBe('false')
  })
})

describe('what a page depends on', () => {
  test('is every module, data page and title that was asked for, also missing ones', () => {
    const body = `
      pcall(require, 'Module:Nowhere')
      mw.loadData('Module:Data')
      return tostring(mw.title.new('Far away').exists) .. tostring(mw.title.new('Rose'):getContent())`
    const pages = { 'Module:Data': 'return {}', Rose: 'red' }
    const { wikitext, report } = expandWith('{{#invoke:Test|main}}', {
      pages: { ...pages, 'Module:Test': `return {main = function ()${body} end}` },
    })
    expect(wikitext).toBe('falsered')
    expect(report.pages.map(({ namespace, dbkey }) => `${namespace}:${dbkey}`).sort()).toEqual(
      ['828:Test', '828:Nowhere', '828:Data', '0:Far_away', '0:Rose'].sort(),
    )
  })

  test.each([
    ["return os.date('%Y')", 60],
    ['return math.random() < 2', 86_400],
    ['return mw.site.stats.pages', 3600],
    ["return mw.getContentLanguage():formatDate('Y', '2001-02-03')", undefined],
    ['math.randomseed(1) return math.random()', undefined],
    ["return 'x'", undefined],
  ])('%s holds for so many seconds', (body, seconds) => {
    const pages = { 'Module:Test': `return {main = function (frame) ${body} end}` }
    expect(expandWith('{{#invoke:Test|main}}', { pages }).report.lifetimeSeconds).toBe(seconds)
  })

  test('is the same text at the same time', () => {
    const body = 'return math.random(1e6) .. math.random(1e6)'
    expect(runLua(body)).toBe(runLua(body))
  })
})
