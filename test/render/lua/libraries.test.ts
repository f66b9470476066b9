/** The libraries of modules. Each line is a function body and its result. */
import { describe, expect, test } from 'vitest'
import { runLua } from './luaWiki.js'

const pages = {
  Locked: 'x',
  Moored: 'x',
  'Help:Rose': '#REDIRECT [[Rose#Thorns]]',
  Rose: 'red',
  'MediaWiki:Greeting': 'Hi $1',
}
/** Of `Locked`, with the blanks of the dump joined. */
const LOCKED = 'table#1 { ["edit"] = table#2 { "sysop", }, ["move"] = table#3 { }, }'

function rows(table: readonly (readonly [body: string, result: string])[]): void {
  test.each(table)('%s', (body, result) => expect(runLua(body, { pages })).toBe(result))
}

describe('Lua itself', () => {
  rows([
    ["return string.format('%d %x %5.1f', 1e10, 2^32, 2.25)", '10000000000 100000000   2.2'],
    ["return string.format('%05d|%-4d|%+d', 42, 7, 3)", '00042|7   |+3'],
    ["return string.format('%016x|%X', 2^40, -1)", '0000010000000000|FFFFFFFFFFFFFFFF'],
    ['return tostring(3.0) .. 10 / 2 .. 2^53', '359.007199254741e+15'],
    ['return tostring(load) .. tostring(io) .. tostring(os.exit) .. tostring(getfenv)', 'nilnilnilnil'],
    ["return tostring(setmetatable({}, {__tostring = function () return 'T' end}))", 'T'],
    ["return os.date('!%Y-%m-%d %j %a %U %W %p', 86400 * 40)", '1970-02-10 041 Tue 06 06 AM'],
    ['return os.time{year = 2020, month = 14, day = -3, hour = 0}', '1611792000'],
    [
      'for k in pairs(setmetatable({}, {__pairs = function () return next, {q = 1} end})) do return k end',
      'q',
    ],
  ])
})

describe('mw.ustring', () => {
  rows([
    ["return mw.ustring.len('äöü') .. mw.ustring.sub('äöü', 2, -1) .. mw.ustring.upper('ß')", '3öüSS'],
    ["return mw.ustring.find('naïve café', 'é')", '1010'],
    ["return mw.ustring.match('Größe: 12 µm', '(%a+): (%d+)')", 'Größe12'],
    ["return mw.ustring.gsub('äöä', 'ä', {['ä'] = 'x'})", 'xöx2'],
    ["return (mw.ustring.gsub('aäo', '%l', function (c) return '<' .. c .. '>' end))", '<a><ä><o>'],
    ["return (mw.ustring.gsub('a.ä', '(.)%.(.)', '%2%1%%'))", 'äa%'],
    [
      "local o = '' for a, b in mw.ustring.gmatch('ä=1,ö=2', '(.)=(%d)') do o = o .. b .. a end return o",
      '1ä2ö',
    ],
    [
      "return mw.ustring.match('«a«b»c»', '%b«»') .. mw.ustring.match('THE (quick) fox', '%f[%a]%l+')",
      '«a«b»c»quick',
    ],
    ["return mw.ustring.match('xäyäz', '()(ä).%2()')", '2ä5'],
    ["return mw.ustring.match('a+b$', '%p+') or 'none'", 'none'],
    ["return tostring(mw.ustring.len('\\255')) .. tostring(mw.ustring.isutf8('\\255'))", 'nilfalse'],
    ["return mw.ustring.codepoint('aäb', 2, 3)", '22898'],
    ["return mw.ustring.byteoffset('aäb', 3) .. mw.ustring.toNFD('é'):len()", '43'],
    [
      "return select(2, pcall(mw.ustring.find, 'ä', '[ä'))",
      'Missing close-bracket for character set beginning at pattern character 1',
    ],
    ["return mw.ustring.find('ä' .. ('x'):rep(100) .. 'ö', 'ö', -1)", '102102'],
    ["return mw.ustring.find('aäb', '.', 2, true) == nil and 'plain' or ''", 'plain'],
  ])
})

describe('mw.text', () => {
  rows([
    ["return '[' .. mw.text.trim('  a b\\n') .. mw.text.trim('xxax', 'x') .. ']'", '[a ba]'],
    ["return table.concat(mw.text.split('a, b ,ä', '%s*,%s*'), '|')", 'a|b|ä'],
    ["return table.concat(mw.text.split('äöü', ''), '|') .. #mw.text.split('', ',')", 'ä|ö|ü1'],
    [
      "return mw.text.encode('<a & \"b\">') .. mw.text.decode('&#228;&eacute;', true)",
      '&lt;a &amp; &quot;b&quot;&gt;äé',
    ],
    [
      "return mw.text.nowiki('* [[a]]\\n# {{b}}')",
      '&#42; &#91;&#91;a&#93;&#93;\n&#35; &#123;&#123;b&#125;&#125;',
    ],
    [
      "return mw.text.tag('b', {class = '\"'}, 'x') .. mw.text.tag('br', nil, false)",
      '<b class="&quot;">x</b><br />',
    ],
    ["return mw.text.listToText{'a', 'b', 'c'} .. mw.text.truncate('abcdefgh', 3)", 'a, b and cabc...'],
    ["return mw.text.killMarkers('a' .. frame:preprocess('<ref>x</ref>') .. 'b')", 'ab'],
    ["return mw.text.jsonEncode{a = {1, 'ä'}} .. mw.text.jsonEncode(1e20)", '{"a":[1,"ä"]}1.0e+20'],
    ['return mw.text.jsonDecode(\'{"a": [1, {"b": "c"}]}\').a[2].b', 'c'],
  ])
})

describe('mw.html', () => {
  rows([
    [
      "return mw.html.create('div'):addClass('a'):addClass('b'):css('color', 'red'):attr('id', 'x\"'):wikitext('t'):done()",
      '<div class="a b" id="x&quot;" style="color:red">t</div>',
    ],
    [
      "local t = mw.html.create('table') t:tag('tr'):tag('td'):wikitext(1):done():tag('td'):wikitext(2) return t",
      '<table><tr><td>1</td><td>2</td></tr></table>',
    ],
    ["return tostring(mw.html.create('br')) .. tostring(mw.html.create())", '<br />'],
    [
      "return mw.html.create('a'):attr('title', frame:preprocess('<nowiki>\"</nowiki>'))",
      '<a title="<nowiki>"</nowiki>"></a>',
    ],
  ])
})

describe('mw.title', () => {
  rows([
    [
      "local t = mw.title.new('help:rose/thorn#x') return t.prefixedText .. t.baseText .. t.subpageText .. t.fragment",
      'Help:Rose/thornRosethornx',
    ],
    [
      "local t = mw.title.new('Rose') return tostring(t.exists) .. t.contentModel .. t:getContent() .. t.namespace",
      'truewikitextred0',
    ],
    [
      "local t = mw.title.new('Help:Rose') return tostring(t.isRedirect) .. t.redirectTarget.fullText",
      'trueRose#Thorns',
    ],
    ["return tostring(mw.title.new('[[')) .. tostring(mw.title.new('a') == mw.title.new('A'))", 'niltrue'],
    [
      "return mw.title.getCurrentTitle().text .. mw.title.makeTitle('Help', 'x').prefixedText",
      'Sample pageHelp:X',
    ],
    [
      "local t = mw.title.new('a b') return t:fullUrl('x=1') .. ' ' .. t:localUrl()",
      'https://wiki.example/w/index.php?title=A_b&x=1 /wiki/A_b',
    ],
    [
      "local f = mw.title.new('File:Moon.jpg').file return tostring(f.exists) .. f.width .. f.mimeType",
      'true640image/jpeg',
    ],
    ["return tostring(pcall(function () mw.title.new('a').text = 'b' end))", 'false'],
    ["return (mw.dumpObject(mw.title.new('Locked').protectionLevels):gsub('%s+', ' '))", LOCKED],
    ["return mw.title.new('Moored').protectionLevels.move[1]", 'sysop'],
    ["local p = mw.title.new('Salted').protectionLevels return p.create[1] .. tostring(p.edit)", 'usernil'],
    [
      "return #mw.title.new('Rose').protectionLevels.edit .. #mw.title.new('None').protectionLevels.create",
      '00',
    ],
    ["return tostring(next(mw.title.new('Special:Version').protectionLevels.create))", 'nil'],
    [
      "return table.concat({mw.title.new('Module:X').contentModel, mw.title.new('Module:X/doc').contentModel}, ' ')",
      'Scribunto wikitext',
    ],
    ["return mw.title.new('User:Ann/x.js').contentModel", 'javascript'],
  ])
})

describe('mw.language, mw.message and mw.site', () => {
  rows([
    [
      "return mw.getContentLanguage():formatNum(1234567.5) .. mw.getLanguage('de'):formatNum(1234.5)",
      '1,234,567.51.234,5',
    ],
    ["return mw.getContentLanguage():formatDate('j F Y', '2001-02-03')", '3 February 2001'],
    ["local l = mw.getLanguage('ru') return l:plural(1, 'a', 'b', 'c') .. l:plural(3, 'a', 'b', 'c')", 'ab'],
    ["return mw.getLanguage('zh'):formatDuration(694861001)", '22年7天54分钟17秒'],
    ["return mw.getLanguage('gan'):formatDuration(694861001, {'decades', 'years', 'days'})", '20年2年7天'],
    ["return mw.getLanguage('ja'):formatDuration(694861001)", '20 年、2 年、7 日、54 分 および 17 秒'],
    ['return mw.getContentLanguage():formatDuration(100000)', '1 day, 3 hours, 46 minutes and 40 seconds'],
    [
      "return mw.language.fetchLanguageName('de') .. mw.language.fetchLanguageName('de', 'en')",
      'DeutschGerman',
    ],
    [
      "return mw.message.new('greeting', 'Ann'):plain() .. mw.message.new('nowhere'):plain()",
      'Hi Ann⧼nowhere⧽',
    ],
    [
      'return mw.site.siteName .. mw.site.namespaces.help.id .. mw.site.namespaces[10].talk.name',
      'Moonbase12Template talk',
    ],
    ["return mw.site.stats.usersInGroup('sysop') .. mw.site.stats.usersInGroup('none')", '20'],
    [
      'local n = mw.site.namespaces return n.Module.defaultContentModel .. tostring(n[0].defaultContentModel)',
      'Scribuntonil',
    ],
    ['return mw.site.stats.articles .. mw.site.stats.pagesInNamespace(2)', '12345672000'],
  ])
})

describe('mw.uri, mw.hash and what is required', () => {
  rows([
    [
      "return mw.uri.encode('a b/ä') .. mw.uri.encode('a b', 'PATH') .. mw.uri.decode('%41+b')",
      'a+b%2F%C3%A4a%20bA b',
    ],
    [
      "local u = mw.uri.new('http://a.example:80/p?q=1#f') u.host = 'b.example' return tostring(u) .. u.query.q",
      'http://b.example:80/p?q=1#f1',
    ],
    [
      "return mw.hash.hashValue('md5', 'abc') .. mw.hash.hashValue('crc32b', 'abc') .. mw.hash.hashValue('adler32', 'Wikipedia')",
      '900150983cd24fb0d6963f7d28e17f72352441c211e60398',
    ],
    [
      "local b = require('bit32') return b.band(12, 10) .. b.bor(12, 10) .. b.bxor(12, 10) .. b.lshift(1, 31) .. b.arshift(-8, 1) .. b.extract(255, 4, 2)",
      '814621474836484294967292' + '3',
    ],
    [
      "local b = require('bit32') return b.lrotate(0x80000001, 1) .. b.rrotate(1, 1) .. b.replace(0, 3, 4, 2) .. b.bnot(0)",
      '3' + '2147483648' + '48' + '4294967295',
    ],
    [
      "require('strict') return (select(2, pcall(function () return nowhere end)):gsub('^.-: ', ''))",
      "variable 'nowhere' is not declared",
    ],
    [
      "return tostring(mw.wikibase.getEntityIdForCurrentPage()) .. #mw.wikibase.getBestStatements('Q1', 'P1')",
      'nil0',
    ],
  ])
})
