/** The interface line by line: what functions give back, and what they say of wrong arguments. */
import { describe, expect, test } from 'vitest'
import { expandOn } from '../preprocessor/memoryWiki.js'
import { errorIn, expandWith, luaRuntime, runLua } from './luaWiki.js'

const pages = {
  'Template:Greet': 'Hello, {{{1|you}}}{{{mark|!}}}',
  'Template:Spaces': '[{{{1}}}][{{{a}}}]',
  'Module:Data': 'return {1, 2, text = "t", inner = {3}}',
  'Module:Words': "return {words = 'words'}",
  'Module:Nothing': 'local x = 1',
  'Help:Rose': '#REDIRECT [[Rose#Thorns]]',
  Rose: 'red',
}

type Row = readonly [body: string, result: string]

function rows(table: readonly Row[], args = ''): void {
  test.each(table)('%s', (body, result) => expect(runLua(body, { pages, args })).toBe(result))
}

/** Bodies that fail, and what `pcall` gives without the place. */
function failures(table: readonly Row[]): void {
  test.each(table)('%s', (body, message) => {
    const caught = `return (tostring(select(2, pcall(function () ${body} end))):gsub('^%a[%a:.]*:%d+: ', ''))`
    expect(runLua(caught, { pages })).toBe(message)
  })
}

describe('frame.args', () => {
  rows(
    [
      ["return frame.args[1] .. frame.args['1'] .. frame.args[1.0]", 'aaa'],
      ['return tostring(frame.args[9]) .. #frame.args .. tostring(next(frame.args))', 'nil0nil'],
      [
        "return tostring(rawget(frame.args, 1)) .. table.concat(frame.args) .. '|' .. tostring((unpack(frame.args)))",
        'nil|nil',
      ],
      ["return '[' .. frame.args[2] .. '][' .. frame.args.named .. ']'", '[ b ][c d]'],
      [
        "return tostring(frame.args['']) .. frame.args['01'] .. frame.args[0] .. frame.args[-1]",
        'emptyxzeroless',
      ],
      [
        "frame.args.new = 'n' local s = frame.args.new for k in pairs(frame.args) do if k == 'new' then s = 'listed' end end return s",
        'n',
      ],
      ['local n = 0 for _ in ipairs(frame.args) do n = n + 1 end return n', '2'],
      [
        'local c = mw.clone(frame.args) local n = 0 for _ in next, c do n = n + 1 end return n .. c.named',
        '7c d',
      ],
      [
        "return frame:getArgument('named'):expand() .. tostring(frame:getArgument{name = 'none'}:expand())",
        'c dnil',
      ],
      ['local n = 0 for k in frame:argumentPairs() do n = n + 1 end return n', '7'],
    ],
    '|a| b | named = c d |=empty|01=x|0=zero|-1=less',
  )
})

describe('frames', () => {
  rows([
    ["return frame:preprocess(12) .. frame:preprocess{text = 'x'} .. frame:preprocess(nil)", '12xnil'],
    ["return frame:preprocess('{{Nowhere}}')", '[[:Template:Nowhere]]'],
    ["return frame:preprocess('a<!-- b -->c<noinclude>d</noinclude><includeonly>e</includeonly>')", 'ace'],
    ["return frame:expandTemplate{title = 'Greet', args = {true}}", 'Hello, 1!'],
    ["return frame:expandTemplate{title = ':Rose'}", 'red'],
    ["return frame:expandTemplate{title = 'Spaces', args = {' x ', a = ' y '}}", '[ x ][y]'],
    [
      "return frame:callParserFunction{name = 'lc', args = {'A'}} .. frame:callParserFunction('padleft:7', 3, '0')",
      'a007',
    ],
    ["return frame:callParserFunction('#tag', {'ref', 'x', name = 'n'})", '<ref name="n">x</ref>'],
    [
      "return frame:extensionTag{name = 'nowiki', content = '[[a]]'} .. frame:extensionTag('none', 'x')",
      '<nowiki>[[a]]</nowiki><none>x</none>',
    ],
    [
      "local c = frame:newChild{title = 'Help:Rose', args = {k = ' v '}} return c:getTitle() .. c.args.k .. c:getParent():getTitle()",
      'Help:RosevModule:Test',
    ],
    ['return frame:newChild{}:getTitle()', 'Module:Test'],
    [
      "return frame:newParserValue('{{lc:A}}'):expand() .. frame:newTemplateParserValue{title = 'Greet'}:expand()",
      'aHello, you!',
    ],
    [
      'return tostring(frame:getParent():getParent()) .. tostring(frame:getParent() == frame:getParent())',
      'nilfalse',
    ],
    [
      'return frame:getTitle() .. frame:getParent():getTitle() .. mw.getCurrentFrame():getTitle()',
      'Module:TestSample pageModule:Test',
    ],
  ])
  failures([
    ["frame:expandTemplate{title = 'None'}", 'expandTemplate: template "None" does not exist'],
    ["frame:expandTemplate{title = '[[bad'}", 'expandTemplate: invalid title "[[bad"'],
    ['frame:expandTemplate{}', 'frame:expandTemplate: a title is required'],
    ["frame:expandTemplate('x')", 'frame:expandTemplate: the first parameter must be a table'],
    ["frame:expandTemplate{title = 'Greet', args = 'x'}", 'frame:expandTemplate: args must be a table'],
    [
      "frame:expandTemplate{title = 'Greet', args = {a = {}}}",
      "frame:expandTemplate: invalid type table for arg 'a'",
    ],
    ["frame:callParserFunction('none', 'x')", 'callParserFunction: function "none" was not found'],
    [
      "frame:callParserFunction('PAGENAME')",
      'callParserFunction: At least one unnamed parameter (the parameter that comes after the colon in wikitext) must be provided',
    ],
    ['frame:callParserFunction{}', 'frame:callParserFunction: a function name is required'],
    ["frame:newChild('x')", 'frame:newChild: the first parameter must be a table'],
    ["frame:newChild{args = 'x'}", 'frame:newChild: args must be a table'],
    ["frame:newChild{title = '[[bad'}", 'newChild: invalid title'],
    [
      "frame.preprocess('x')",
      'frame:preprocess: invalid frame object. Did you call preprocess with a dot instead of a colon, i.e. frame.preprocess() instead of frame:preprocess()?',
    ],
  ])
})

describe('mw', () => {
  rows([
    ["return mw.allToString(1, nil, 'x', {})", '1\tnil\tx\ttable'],
    [
      "return mw.dumpObject{1, {2}, [true] = 'b', k = 'v'}",
      'table#1 {\n    1,\n    table#2 {\n        2,\n    },\n    [true] = "b",\n    ["k"] = "v",\n}',
    ],
    ['local t = {} t.t = t local c = mw.clone(t) return tostring(c.t == c) .. tostring(c == t)', 'truefalse'],
    [
      "return select('#', mw.log('x')) .. select('#', mw.logObject{}) .. select('#', mw.addWarning('x'))",
      '000',
    ],
    ['return tostring(mw.isSubsting())', 'false'],
    [
      "local d = mw.loadData('Module:Data') return #d .. tostring(next(d)) .. d[1] .. d.text .. d.inner[1] .. tostring(d.inner == d.inner)",
      '0nil1t3true',
    ],
    ["return tostring(mw.loadData('Module:Data') == mw.loadData('Module:Data'))", 'false'],
    ["local s = '' for i, v in ipairs(mw.loadData('Module:Data')) do s = s .. i .. v end return s", '1122'],
    ["return tostring(getmetatable(mw.loadData('Module:Data')).mw_loadData)", 'true'],
    ["return mw.ext.ParserFunctions.expr('1 + 2 * 3')", '7'],
    ["return tostring(require('Module:Nothing')) .. require('module: words').words", 'truewords'],
  ])
  failures([
    ["mw.loadData('Module:Data').x = 1", 'table from mw.loadData is read-only'],
    ["mw.clone(mw.loadData('Module:Data'))", 'table from mw.loadData is read-only'],
    ["mw.loadData('Module:Nothing')", 'Module:Nothing returned boolean, table expected'],
    ["mw.loadJsonData('Rose')", "bad argument #1 to 'mw.loadJsonData' ('Rose' is not a valid JSON page)"],
    ["require('Module:Nowhere')", "module 'Module:Nowhere' not found"],
  ])
})

describe('mw.ustring', () => {
  rows([
    ["return mw.ustring.byteoffset('aäb', 3) .. tostring(mw.ustring.byteoffset('aäb', 9))", '4nil'],
    ["return mw.ustring.find('äöü', '', 10)", '43'],
    ["return mw.ustring.upper('straße') .. mw.ustring.upper('ﬀ') .. mw.ustring.lower('ÄÖ')", 'STRASSEFFäö'],
    ["return mw.ustring.gsub('aä', '.', '%0%0%%')", 'aa%ää%2'],
    ["return mw.ustring.gsub('a1b2', '(%d)', {['1'] = 0.1, ['2'] = 'x'}, 1)", 'a0.1b21'],
    ["return mw.ustring.gsub('abc', '()b', {[2] = 'x'})", 'axc1'],
    ["local n = 0 for _ in mw.ustring.gmatch('aä', '^.') do n = n + 1 end return n", '0'],
    ["return mw.ustring.char(228, 0x1F600) .. mw.ustring.codepoint('ä')", 'ä😀228'],
    ["local s = '' for c in mw.ustring.gcodepoint('aä') do s = s .. c .. ' ' end return s", '97 228 '],
    [
      "return tostring(mw.ustring.len('\\255')) .. tostring(mw.ustring.toNFC('\\255')) .. tostring(mw.ustring.isutf8('ä'))",
      'nilniltrue',
    ],
    [
      "return mw.ustring.sub('äöü', -2) .. mw.ustring.sub('äöü', 2, 2) .. mw.ustring.sub(1234, 2, 3)",
      'öüö23',
    ],
    [
      "return mw.ustring.match('x١²½Ⅷ_', '%d+') .. mw.ustring.match('ä_', '%w+') .. mw.ustring.gsub('a\u00a0b\u3000c\u200bd', '%s', '.')",
      '١äa.b.c\u200bd',
    ],
    ["return mw.ustring.maxPatternLength .. ' ' .. mw.ustring.maxStringLength", '10000 2097152'],
    [
      "return #mw.ustring.toNFD('é') .. #mw.ustring.toNFC('é') .. mw.ustring.toNFKC('ﬁ') .. mw.ustring.toNFKD('①')",
      '32fi1',
    ],
    [
      "return mw.ustring.find('a.b', '.', 2, true) .. mw.ustring.rep('ä', 2) .. mw.ustring.format('%d', 3.7)",
      '2ää3',
    ],
  ])
  failures([
    ["mw.ustring.find('\\255', 'x')", "bad argument #1 to 'find' (string is not UTF-8)"],
    ['mw.ustring.upper(5)', "bad argument #1 to 'uc' (string expected, got number)"],
    ['mw.ustring.len(nil)', "bad argument #1 to 'len' (string expected, got nil)"],
    ['mw.ustring.len()', 'too few arguments to mw.ustring.len'],
    ['mw.ustring.char(0x110000)', "bad argument #1 to 'char' (value out of range)"],
    ["mw.ustring.gsub('ä', 'ä', '%2')", 'invalid capture index %2 in replacement string'],
    ["mw.ustring.gsub('ä', 'ä', {['ä'] = false})", 'invalid replacement value (a boolean)'],
    ["mw.ustring.gsub('a', 'a', {a = false})", 'invalid replacement value (a boolean)'],
    ["mw.ustring.find('ä', '(ä')", 'Unclosed capture beginning at pattern character 1'],
    ["mw.ustring.find('ä', 'ä)')", 'Unmatched close-paren at pattern character 2'],
    ["mw.ustring.find('ä', '%')", "malformed pattern (ends with '%')"],
  ])
})

describe('mw.text', () => {
  rows([
    ["return '[' .. mw.text.trim('\\t\\r\\n\\f x \\11') .. ']' .. mw.text.trim(5)", '[x \v]5'],
    [
      "return #mw.text.split('', ',') .. #mw.text.split(',a,', ',') .. table.concat(mw.text.split('a.b', '.', true), '|')",
      '13a|b',
    ],
    ["local s = '' for p in mw.text.gsplit('a1b22c', '%d+') do s = s .. p .. ';' end return s", 'a;b;c;'],
    [
      "return mw.text.encode('<>&\"\\'\u00a0ä') .. mw.text.encode('äb', 'ä')",
      '&lt;&gt;&amp;&quot;&#039;&nbsp;ä&#228;b',
    ],
    [
      "return mw.text.decode('&lt;&eacute;&#xe4;&#99999999;&lt') .. mw.text.decode('&eacute;', true)",
      '<&eacute;ä&#99999999;&lté',
    ],
    [
      "return mw.text.tag('a') .. mw.text.tag('br', nil, false) .. mw.text.tag{name = 'b', attrs = {x = true}, content = 'c'} .. mw.text.tag('i', {y = false, z = 1}, '<')",
      '<a><br /><b x>c</b><i z="1"><</i>',
    ],
    [
      "return mw.text.listToText({'a', 'b'}, ';', '+') .. mw.text.listToText{} .. mw.text.listToText{'x'}",
      'a+bx',
    ],
    [
      "return mw.text.truncate('abcdefghij', -3) .. mw.text.truncate('äöüäöü', 3) .. mw.text.truncate('abcdefghij', 5, '…', true)",
      '...hijäöüäöüabcd…',
    ],
    [
      "return mw.text.jsonEncode{[0] = 'a', 'b'} .. mw.text.jsonEncode{} .. mw.text.jsonEncode(2.5) .. mw.text.jsonEncode'/<ä'",
      '["a","b"][]2.5"/<ä"',
    ],
    [
      'return mw.text.jsonEncode({1, {a = 1}}, mw.text.JSON_PRETTY)',
      '[\n    1,\n    {\n        "a": 1\n    }\n]',
    ],
    ["local d = mw.text.jsonDecode('[1,null,3]') return d[1] .. tostring(d[2]) .. d[3]", '1nil3'],
    ['local d = mw.text.jsonDecode(\'{"0":"a","1":"b"}\') return d[1] .. d[2]', 'ab'],
    ['local d = mw.text.jsonDecode(\'["a"]\', mw.text.JSON_PRESERVE_KEYS) return d[0]', 'a'],
    ['local d = mw.text.jsonDecode(\'{"5":"x","k":{"a":[]}}\') return d[5] .. type(d.k.a)', 'xtable'],
    [
      "return #mw.text.jsonDecode('[1,2,]', mw.text.JSON_TRY_FIXING) .. mw.text.jsonDecode('[\",]\",]', mw.text.JSON_TRY_FIXING)[1]",
      '2,]',
    ],
    [
      "return mw.text.unstripNoWiki(frame:preprocess('<nowiki>x</nowiki>')) .. mw.text.unstrip(frame:preprocess('<pre>x</pre>'))",
      '<nowiki>x</nowiki>',
    ],
    [
      "return (frame:preprocess('<nowiki>x</nowiki>'):gsub('%x%x%x%x%x%x%x%x', '0'):gsub('\\127', '.'))",
      '.\'"`UNIQ--nowiki-0-QINU`"\'.',
    ],
    [
      "return mw.text.nowiki('ISBN 1 mailto:a http://b __TOC__ ~~~')",
      'ISBN&#32;1 mailto&#58;a http&#58;//b _&#95;TOC_&#95; ~~~',
    ],
  ])
  failures([
    ["mw.text.tag('a', {['a b'] = 1})", "bad named argument attrs to 'tag' (invalid key 'a b')"],
    ["mw.text.tag('a', {a = {}})", "bad named argument attrs to 'tag' (value for key 'a' may not be table)"],
    [
      "mw.text.tag('a', {}, {})",
      "bad argument #3 to 'tag' (string, number, nil, or false expected, got table)",
    ],
    ['mw.text.jsonEncode(error)', "mw.text.jsonEncode: Cannot encode type 'function'"],
    ['mw.text.jsonEncode(1 / 0)', 'mw.text.jsonEncode: Cannot encode non-finite numbers'],
    ['mw.text.jsonEncode{[true] = 1}', "mw.text.jsonEncode: Cannot use type 'boolean' as a table key"],
    ["mw.text.jsonEncode('\\255')", 'mw.text.jsonEncode: Unable to encode value'],
    ["mw.text.jsonDecode('{')", 'mw.text.jsonDecode: Syntax error'],
  ])
})

describe('mw.html', () => {
  rows([
    [
      "return mw.html.create('b'):attr('c', 1):attr('a', '<&>\"'):addClass('x'):css('m', '1px'):attr('c', nil)",
      '<b a="&lt;&amp;&gt;&quot;" class="x" style="m:1px"></b>',
    ],
    [
      "return mw.html.create('p'):cssText('a:b;'):css('c', 'd;e'):css('x', 1):css('x', nil)",
      '<p style="a:b;;c:d\\3B e"></p>',
    ],
    [
      "return mw.html.create():wikitext('a', nil, 'b'):newline():node('c'):node(nil):node(mw.html.create('hr'))",
      'a\nc<hr />',
    ],
    ["return mw.html.create('x', {selfClosing = true})", '<x />'],
    [
      "local r = mw.html.create('a') r:tag('b'):tag('c'):allDone():wikitext('z') return tostring(r:done() == r) .. tostring(r)",
      'true<a><b><c></c></b>z</a>',
    ],
    [
      "local h = mw.html.create('a'):attr('k', 'v'):attr('style', 'x:y') return h:getAttr('k') .. tostring(h:getAttr('style')) .. tostring(h)",
      'vnil<a k="v" style="x:y"></a>',
    ],
  ])
  failures([
    ["mw.html.create('bad name')", "invalid tag name 'bad name'"],
    ["mw.html.create('br'):wikitext('x')", "self-closing tags can't have child nodes"],
    [
      "mw.html.create('a'):attr('bad name', 1)",
      "bad argument #1 to 'attr' (invalid attribute name 'bad name')",
    ],
    [
      "mw.html.create('a'):css('a', {})",
      "bad argument #2 to 'css' (string, number or nil expected, got table)",
    ],
    [
      "mw.html.create('a'):wikitext({})",
      "bad argument #1 to 'wikitext' (string or number expected, got table)",
    ],
    ["return mw.html.create('a') .. 'x'", 'attempt to concatenate a table value'],
  ])
})

describe('mw.title', () => {
  rows([
    [
      "local t = mw.title.new('Talk:A b#c d') return t.fullText .. t.nsText .. t.namespace .. t.subjectPageTitle.fullText .. t.thePartialUrl",
      'Talk:A b#c dTalk1A bA_b',
    ],
    [
      "local t = mw.title.new('User:A/b/c') return t.rootText .. t.baseText .. t.subpageText .. t.basePageTitle.text .. t.rootPageTitle.text .. tostring(t.isSubpage)",
      'AA/bcA/bAtrue',
    ],
    [
      "local t = mw.title.new('A/b') return tostring(t.isSubpage) .. t.baseText .. t:subPageTitle('x').text",
      'falseA/bA/b/x',
    ],
    [
      "local t = mw.title.new('de:Haus') return t.interwiki .. t.text .. tostring(t.isLocal) .. tostring(t.isExternal) .. tostring(t.exists)",
      'deHausfalsetruefalse',
    ],
    [
      "local t = mw.title.new('Nowhere') return t.id .. tostring(t.exists) .. tostring(t:getContent()) .. tostring(t.isRedirect) .. tostring(t.redirectTarget)",
      '0falsenilfalsefalse',
    ],
    [
      "local t = mw.title.new('Help:Rose') return tostring(t.isRedirect) .. t.redirectTarget.fullText .. t:getContent()",
      'trueRose#Thorns#REDIRECT [[Rose#Thorns]]',
    ],
    [
      "local t = mw.title.new('a', 'Help') return t.prefixedText .. tostring(t:inNamespace('help')) .. tostring(t:inNamespaces(0, 12)) .. tostring(t:hasSubjectNamespace(12))",
      'Help:Atruetruetrue',
    ],
    [
      "return tostring(mw.title.new('User:A/b'):isSubpageOf(mw.title.new('User:A'))) .. tostring(mw.title.new('Special:X').isSpecialPage) .. tostring(mw.title.new('Special:X').talkPageTitle)",
      'truetruenil',
    ],
    [
      "return tostring(mw.title.new('A#x') == mw.title.new('A#y')) .. tostring(mw.title.new('A') < mw.title.new('B')) .. mw.title.compare(mw.title.new('B'), mw.title.new('A')) .. tostring(mw.title.equals(mw.title.new('A'), mw.title.new('a')))",
      'truetrue1true',
    ],
    ["local t = mw.title.new('A') t.own = 1 t.fragment = 'x_y' return t.own .. t.fullText", '1A#x y'],
    [
      "return mw.title.makeTitle(0, 'Help:Foo').prefixedText .. mw.title.makeTitle('Help', 'x', 'f').fullText .. tostring(mw.title.makeTitle(0, 'a|b'))",
      'Help:FooHelp:X#fnil',
    ],
    [
      "local t = mw.title.new('A b') return t:fullUrl() .. ' ' .. t:fullUrl({a = 'b'}) .. ' ' .. t:canonicalUrl() .. ' ' .. t:localUrl('x=1') .. ' ' .. t:partialUrl()",
      'https://wiki.example/wiki/A_b https://wiki.example/w/index.php?title=A_b&a=b https://wiki.example/wiki/A_b /w/index.php?title=A_b&x=1 A_b',
    ],
    [
      "local f = mw.title.new('File:None.png') return tostring(f.fileExists) .. tostring(f.file.exists) .. tostring(mw.title.new('A').file)",
      'falsefalsenil',
    ],
    [
      'return mw.title.getCurrentTitle().prefixedText .. tostring(mw.title.getCurrentTitle().exists)',
      'Sample pagefalse',
    ],
    ["return tostring(mw.title.new('A').pageLang) .. tostring(mw.title.new('A').nothing)", 'nilnil'],
  ])
  failures([
    ['mw.title.new(nil)', "bad argument #1 to 'title.new' (number or string expected, got nil)"],
    ["mw.title.new('A', 'X')", "bad argument #2 to 'title.new' (unrecognized namespace name 'X')"],
    ["mw.title.new('A').text = 'x'", "index 'text' is read only"],
  ])
})

describe('mw.language', () => {
  rows([
    [
      "return mw.getLanguage('de'):formatNum(1234567.891) .. mw.getLanguage('fr'):formatNum(1234.5) .. mw.getContentLanguage():formatNum(-1)",
      '1.234.567,8911\u00a0234,5\u22121',
    ],
    [
      "return mw.getContentLanguage():formatNum(1234567, {noCommafy = true}) .. mw.getLanguage('pl'):formatNum(1234)",
      '12345671234',
    ],
    [
      "return mw.getContentLanguage():formatDate('Y-m-d H:i', '3 May 2010 +2 days') .. mw.getContentLanguage():formatDate('U', '@86400')",
      '2010-05-05 00:0086400',
    ],
    [
      "return mw.getContentLanguage():formatDate('j F', '31 Feb 2021') .. mw.getContentLanguage():formatDate('\"Y\" \\\\d d', '20100503121314')",
      '3 MarchY d 03',
    ],
    [
      "local l = mw.getLanguage('pl') return l:plural(1, 'a', 'b', 'c') .. l:convertPlural(3, {'a', 'b', 'c'}) .. l:plural(5, 'a', 'b', 'c')",
      'abc',
    ],
    [
      "local l = mw.getContentLanguage() return l:gender('male', 'he', 'she', 'they') .. l:gender('female', 'he', 'she', 'they') .. l:gender('unknown', 'he', 'she', 'they')",
      'heshethey',
    ],
    [
      "return mw.getContentLanguage():formatDuration(3661) .. ' ' .. mw.getContentLanguage():getDurationIntervals(3661).hours",
      '1 hour, 1 minute and 1 second 1',
    ],
    [
      "local l = mw.getLanguage('tr') return l:ucfirst('istanbul') .. mw.getContentLanguage():lcfirst('ABC') .. mw.getContentLanguage():uc('ä')",
      'İstanbulaBCÄ',
    ],
    [
      "local l = mw.getLanguage('he') return tostring(l:isRTL()) .. l:getDir() .. l:getArrow() .. l:getDirMarkEntity()",
      'truertl←&rlm;',
    ],
    [
      "return mw.language.fetchLanguageName('none') .. mw.language.fetchLanguageName('fr') .. mw.language.fetchLanguageNames().de .. mw.language.fetchLanguageNames('en').de",
      'françaisDeutschGerman',
    ],
    [
      "return table.concat(mw.language.getFallbacksFor('de-at'), ',') .. table.concat(mw.getLanguage('de-at'):getFallbackLanguages(), ',')",
      'de,ende,en',
    ],
    [
      "local l = mw.language return tostring(l.isKnownLanguageTag('de')) .. tostring(l.isSupportedLanguage('DE')) .. tostring(l.isValidCode('a:b')) .. tostring(l.isValidBuiltInCode('a_b'))",
      'truefalsefalsefalse',
    ],
    [
      "local l = mw.language return table.concat(l.getFallbacksFor('xx'), ',') .. table.concat(l.getFallbacksFor('als'), ',') .. #l.getFallbacksFor('a b')",
      'enen0',
    ],
    [
      "local l = mw.language return tostring(l.isSupportedLanguage('gsw')) .. tostring(l.isSupportedLanguage('als')) .. tostring(l.isKnownLanguageTag('DE')) .. tostring(l.isValidCode('')) .. tostring(l.isValidBuiltInCode('DE'))",
      'truefalsefalsetruefalse',
    ],
    [
      "local names = mw.language.fetchLanguageNames(nil, 'mwfile') return names.de .. tostring(names.simple)",
      'Deutschnil',
    ],
    ["return tostring((mw.getLanguage('he'):getArrow('sideways')))", 'nil'],
    [
      "local ru, de = mw.getLanguage('ru'), mw.getLanguage('de') return ru:formatNum(1e21) .. ru:formatNum(1e-7) .. ' ' .. ru:formatNum(1e15) .. de:formatNum(1e21)",
      '1,0E+211,0E−7 1\u00a0000\u00a0000\u00a0000\u00a0000\u00a00001.000.000.000.000.000.000.000',
    ],
    [
      "return mw.getLanguage('de'):parseFormattedNumber('1.234,5') .. mw.getLanguage('de'):getCode() .. mw.getLanguage('de').code",
      '1234.5dede',
    ],
    [
      "return mw.getLanguage('fi'):grammar('genitive', 'talo') .. mw.getLanguage('fi'):convertGrammar('talo', 'genitive')",
      'talontalon',
    ],
  ])
  failures([
    [
      "mw.getContentLanguage():formatNum('1')",
      "bad argument #1 to 'formatNum' (number expected, got string)",
    ],
    ["mw.getLanguage('a<b'):uc('x')", "language code 'a<b' is invalid"],
    ...[
      'caseFold',
      'convertGrammar',
      'convertPlural',
      'formatDuration',
      'gender',
      'getDurationIntervals',
      'lc',
    ].map((name): Row => [`mw.getContentLanguage():${name}()`, `too few arguments to mw.language:${name}`]),
    [
      "mw.getContentLanguage():plural({}, 'a')",
      "bad argument #1 to 'convertPlural' (number expected, got table)",
    ],
    [
      "mw.getContentLanguage():grammar('genitive')",
      "bad argument #1 to 'convertGrammar' (string expected, got nil)",
    ],
    [
      "mw.getContentLanguage():formatDate('Y', 'nonsense')",
      "bad argument #2 to 'formatDate' (not a valid timestamp)",
    ],
  ])

  test('loads data of thirty languages and no more', () => {
    const body = `
      local n = 0
      for a = 97, 122 do for b = 97, 122 do
        if pcall(function () return mw.getLanguage(string.char(a, b)):getDir() end) then n = n + 1 end
      end end
      local _, why = pcall(function () return mw.getLanguage('zz'):getDir() end)
      return n .. ' ' .. why`
    expect(runLua(body)).toBe('30 too many language codes requested')
  })
})

test.each([
  ['en', 'a, b and c'],
  ['ru', 'a, b и c'],
  ['zh', 'a、\u200bb和\u200bc'],
  ['fa', 'a، b و c'],
])('lists have the signs of the wiki: %s', (language, text) => {
  const pages = { 'Module:M': "return {f = function () return mw.text.listToText({'a', 'b', 'c'}) end}" }
  const options = { modules: luaRuntime() }
  expect(expandOn('{{#invoke:M|f}}', { pages, options, site: { language } }).wikitext).toBe(text)
})

describe('mw.message and mw.site', () => {
  rows([
    [
      "return mw.message.newRawMessage('$1 and $2', 'a', mw.message.numParam(1234)):plain() .. tostring(mw.message.new('none'))",
      'a and 1,234⧼none⧽',
    ],
    [
      "return mw.message.newFallbackSequence('none', 'and'):plain() .. tostring(mw.message.new('none'):exists()) .. tostring(mw.message.new('none'):isBlank()) .. tostring(mw.message.new('none'):isDisabled())",
      ' andfalsetruetrue',
    ],
    [
      "return mw.message.newRawMessage('$1$2$3'):params('a'):rawParams('b'):numParams(3):plain() .. mw.message.new('january'):inLanguage('de'):plain()",
      'ab3Januar',
    ],
    [
      "return mw.message.newRawMessage('{{PLURAL:$1|a|b}}', 1):plain():sub(1, 12) .. mw.message.getDefaultLanguage().code",
      '&#123;&#123;PLURAL:1|aen',
    ],
    [
      "local n = mw.site.namespaces return n[10].name .. n.template.id .. n['user talk'].id .. tostring(n['10']) .. n.Talk.subject.id .. n[0].talk.name .. n[1].associated.id",
      'Template103nil0Talk0',
    ],
    [
      "local n = 0 for k in pairs(mw.site.namespaces) do if type(k) ~= 'number' then n = n + 1 end end return n",
      '0',
    ],
    [
      'return mw.site.server .. mw.site.scriptPath .. mw.site.stylePath .. mw.site.currentVersion .. mw.site.contentNamespaces[0].id .. tostring(mw.site.talkNamespaces[0]) .. mw.site.subjectNamespaces[2].name',
      'https://wiki.example/w/w/skins1.39.170nilUser',
    ],
    [
      "local s = mw.site.stats return s.pages .. s.files .. s.pagesInCategory('Craters') .. s.pagesInCategory('Craters', 'subcats') .. s.pagesInCategory('Craters', '*').files",
      '12345715003070',
    ],
    [
      "local m = mw.site.interwikiMap('local') return m.de.url .. tostring(m.de.isLocal) .. tostring(next(mw.site.interwikiMap('!local')))",
      'https://de.example/wiki/$1truenil',
    ],
  ])
})

describe('mw.uri, mw.hash and others', () => {
  rows([
    [
      "return mw.uri.encode('a b') .. mw.uri.encode('a b', 'PATH') .. mw.uri.encode('a b!~*()@$,;/:', 'WIKI') .. mw.uri.decode('a+b%20c') .. mw.uri.decode('a_b', 'WIKI')",
      'a+ba%20ba_b!~*()@$,;/:a b ca b',
    ],
    [
      "local q = mw.uri.parseQueryString('a=1&a=2&b&c=x+y') return q.a[1] .. q.a[2] .. tostring(q.b) .. q.c .. mw.uri.buildQueryString{a = {1, 2}}",
      '12falsex ya=1&a=2',
    ],
    [
      "return tostring(mw.uri.localUrl('A b')) .. tostring(mw.uri.fullUrl('A', {x = 1})) .. tostring(mw.uri.canonicalUrl('A')) .. tostring(mw.uri.fullUrl('[[')) .. mw.uri.anchorEncode('a b')",
      '/wiki/A_bhttps://wiki.example/w/index.php?title=A&x=1https://wiki.example/wiki/Anila_b',
    ],
    [
      "local u = mw.uri.new('http://a.example/b?c=d') local v = u:clone():extend{e = 'f'} return tostring(u) .. ' ' .. v.query.e .. v.query.c .. tostring(u == mw.uri.new('http://a.example/b?c=d'))",
      'http://a.example/b?c=d fdtrue',
    ],
    [
      "return tostring(mw.uri.validate(mw.uri.new('http://a.example/b'))) .. select(2, mw.uri.validate{protocol = 'http'})",
      'truemissing .path',
    ],
    [
      "return mw.hash.hashValue('sha1', 'abc') .. mw.hash.hashValue('joaat', 'a') .. mw.hash.hashValue('fnv1a32', 'a')",
      'a9993e364706816aba3e25717850c26c9cd0d89dca2e9442e40c292c',
    ],
    [
      "local b = require('bit32') return b.rshift(-1, 28) .. b.arshift(-1, 28) .. tostring(b.btest(1, 2)) .. b.band()",
      '154294967295false4294967295',
    ],
    [
      "local b = require('luabit.bit') return b.bor(1, 2) .. b.blshift(1, 4) .. require('luabit.hex').to_hex(255)",
      '3160xFF',
    ],
    [
      "return mw.wikibase.getEntityUrl('Q42') .. tostring(mw.wikibase.getEntityUrl('x')) .. mw.wikibase.getGlobalSiteId()",
      'https://www.wikidata.org/wiki/Special:EntityPage/Q42nilenwiki',
    ],
    [
      "local w = mw.wikibase return tostring(w.getEntity()) .. tostring(w.getLabel('Q1')) .. #w.getAllStatements('Q1', 'P1') .. #w.getBadges('Q1') .. tostring(w.getSitelink('Q1')) .. tostring(w.entityExists('Q1'))",
      'nilnil00nilfalse',
    ],
    [
      "local w = mw.wikibase return tostring(w.isValidEntityId('Q1')) .. tostring(w.isValidEntityId('L1-F2')) .. tostring(w.isValidEntityId('1')) .. tostring(w.resolvePropertyId('P31')) .. tostring(w.resolvePropertyId('Q1'))",
      'truetruefalseP31nil',
    ],
    [
      "local w = mw.wikibase return w.renderSnak({}) .. w.formatValues({}) .. tostring(w.getPropertyOrder()) .. #w.orderProperties{'P1'} .. tostring(w.getReferencedEntityId('Q1', 'P1', {'Q2'})) .. w.entity.claimRanks.RANK_PREFERRED",
      'nil1nil2',
    ],
    [
      "return tostring(mw.ext.data.get('Some.tab')) .. tostring(mw.ext.FlaggedRevs.getStabilitySettings('A')) .. tostring(mw.ext.TitleBlacklist.test('edit', 'A'))",
      'falsenilnil',
    ],
  ])
  failures([
    ["mw.hash.hashValue('none', 'x')", 'Unknown hashing algorithm: none'],
    ["require('bit32').extract(1, 31, 2)", 'trying to access non-existent bits'],
    [
      "local u = require('libraryUtil') local function fn(v) u.checkType('fn', 1, v, 'string') end fn(1)",
      "bad argument #1 to 'fn' (string expected, got number)",
    ],
    [
      "local u = require('libraryUtil') local function fn(v) u.checkTypeMulti('fn', 1, v, {'string', 'table', 'nil'}) end fn(1)",
      "bad argument #1 to 'fn' (string, table or nil expected, got number)",
    ],
    [
      "local u = require('libraryUtil') local function fn(v) u.checkTypeForIndex('key', v, 'string') end fn(1)",
      "value for index 'key' must be string, number given",
    ],
    [
      "local u = require('libraryUtil') local function fn(v) u.checkTypeForNamedArg('fn', 'arg', v, 'string') end fn(1)",
      "bad named argument arg to 'fn' (string expected, got number)",
    ],
    ["require('strict') x = 1", "assign to undeclared variable 'x'"],
  ])
})

describe('errors', () => {
  test('put the page into its category, also where #iferror hides them', () => {
    const failing = { 'Module:Fails': "return {f = function () error('no') end}" }
    const { wikitext, categories } = expandWith('{{#iferror:{{#invoke:Fails|f}}|hidden}}', { pages: failing })
    expect(wikitext).toBe('hidden')
    expect(categories).toEqual(['Pages with script errors'])
  })

  test('count expensive functions once for each title, and say when there were too many', () => {
    const body = `
      for i = 1, 3 do local _ = mw.title.new('Rose').exists, mw.title.new('Rose').id end
      for i = 1, 3 do mw.incrementExpensiveFunctionCount() end
      return select(2, pcall(mw.incrementExpensiveFunctionCount))`
    const module = { ...pages, 'Module:Test': `return {main = function (frame) ${body} end}` }
    const limits = { lookups: 4 }
    const { wikitext, categories } = expandWith('{{#invoke:Test|main}}', {
      pages: module,
      options: { limits },
    })
    expect(wikitext).toBe('too many expensive function calls')
    expect(categories).toEqual(['Pages with too many expensive parser function calls'])
  })

  test('of duplicate arguments are a category, and the last one counts', () => {
    const module = { 'Module:Test': 'return {main = function (frame) return frame.args.a end}' }
    const { wikitext, categories } = expandWith('{{#invoke:Test|main|a=1|a=2}}', { pages: module })
    expect(wikitext).toBe('2')
    expect(categories).toEqual(['Pages using duplicate arguments in template calls'])
  })

  test('have the place of the module and its title with underscores', () => {
    const module = { 'Module:Two words': 'return {f = function ()\nlocal t\nreturn t.x end}' }
    const { wikitext } = expandWith('{{#invoke:two words|f}}', { pages: module })
    expect(errorIn(wikitext)).toBe(
      'Lua error in Module:Two_words at line 3: attempt to index local &#039;t&#039; (a nil value).',
    )
  })
})
