import { describe, expect, test } from 'vitest'
import { expandOn } from './memoryWiki.js'

function rows(table: readonly (readonly [string, string])[], site = {}): void {
  test.each(table)('%s', (wikitext, expected) => {
    expect(expandOn(wikitext, { site, pages: { 'MediaWiki:Greeting': 'Hi $1, {{lc:$2}}' } }).wikitext).toBe(
      expected,
    )
  })
}

describe('letters', () => {
  rows([
    ['{{lc:ABC}}', 'abc'],
    ['{{uc:abc}}', 'ABC'],
    ['{{LC:ABC}}', 'abc'],
    ['{{uc:straße}}', 'STRASSE'],
    ['{{lcfirst:ABC}}', 'aBC'],
    ['{{ucfirst:élan}}', 'Élan'],
    ['{{ucfirst:}}', ''],
    ['{{lc: ABC }}', 'abc'],
    ['{{uc:a<nowiki>b</nowiki>c}}', 'A<nowiki>b</nowiki>C'],
    ['{{lc:A<ref name="X">Y</ref>}}', 'a<ref name="X">Y</ref>'],
    ['{{lc:a|b}}', 'a'],
    ['{{padleft:7|3}}', '007'],
    ['{{padright:7|3|x}}', '7xx'],
    ['{{padleft:abc|8|xyz}}', 'xyzxyabc'],
    ['{{padleft:abc|2|x}}', 'abc'],
    ['{{padleft:abc|x}}', 'abc'],
    ['{{padleft:äö|4|ü}}', 'üüäö'],
    ['{{padleft:|3|ab}}', 'aba'],
    ['{{padleft:7|3|}}', '7'],
    ['{{padleft:7|-3}}', '7'],
    ['{{padleft:7|3|<nowiki>x</nowiki>}}', '7'],
    ['{{anchorencode:A b_c}}', 'A_b_c'],
    ["{{anchorencode:''a'' [[b|c]] [[d]] <b>e</b> &}}", 'a_c_d_e_&amp;'],
    ['{{anchorencode:A &amp; B &lt; &eacute;}}', 'A_&amp;_B_&lt;_é'],
    ['{{anchorencode:a&nbsp;b&#32;c\td}}', 'a_b_c_d'],
    ['{{anchorencode:a%20b 100% %C3%A9}}', 'a%2520b_100%_%25C3%25A9'],
    ['{{anchorencode:[http://x.example y] z [b] {c} d}}', 'y_z_&#91;b&#93;_&#123;c&#125;_d'],
    ['{{anchorencode:http://x.example ISBN 1234567890}}', 'http&#58;//x.example_&#73;SBN_1234567890'],
    ['{{lc:ΟΔΟΣ}} {{lcfirst:Σ}}', 'οδοσ σ'],
    ['{{bidi:x}}', '\u202ax\u202c'],
    ['{{bidi:1 שלום}}', '\u202b1 שלום\u202c'],
    ['{{bidi:1.}}', '1.'],
    ['{{#len:abc}}', '&#123;&#123;#len:abc}}'],
  ])

  test('padding stops at 500 characters', () => {
    expect(expandOn('{{padleft:|1000000000}}').wikitext).toBe('0'.repeat(500))
    expect(expandOn('{{padright:a|1000000000|xy}}').wikitext).toHaveLength(500)
  })
})

describe('addresses', () => {
  rows([
    ['{{urlencode:a b&c~}}', 'a+b%26c%7E'],
    ['{{urlencode:a b&c~|QUERY}}', 'a+b%26c%7E'],
    ['{{urlencode:a b&c~|PATH}}', 'a%20b%26c~'],
    ["{{urlencode:a b&c~!*()'|WIKI}}", 'a_b%26c~!*()%27'],
    ['{{urlencode:é}}', '%C3%A9'],
    ['{{urlencode:a<nowiki>b</nowiki>}}', 'a'],
    ['{{localurl:Foo bar}}', '/wiki/Foo_bar'],
    ['{{localurl:foo|action=history}}', '/w/index.php?title=Foo&action=history'],
    ['{{localurle:foo|action=history&x=y}}', '/w/index.php?title=Foo&amp;action=history&amp;x=y'],
    ['{{fullurl:Talk:Foo bar}}', 'https://wiki.example/wiki/Talk:Foo_bar'],
    ['{{fullurl:Foo#Bar baz}}', 'https://wiki.example/wiki/Foo#Bar_baz'],
    ['{{fullurle:Foo|a=b&c=d}}', 'https://wiki.example/w/index.php?title=Foo&amp;a=b&amp;c=d'],
    ['{{canonicalurl:Foo}}', 'https://wiki.example/wiki/Foo'],
    ['{{fullurl:de:Mond x}}', 'https://de.example/wiki/Mond_x'],
    ['{{fullurl:de:Mond|a=b}}', 'https://de.example/wiki/Mond?a=b'],
    ['{{fullurl:Media:moon.jpg}}', 'https://wiki.example/wiki/File:Moon.jpg'],
    ['{{fullurl:$1}}', 'https://wiki.example/wiki/$1'],
    ['{{localurl:<bad>}}', '&#123;&#123;localurl:<bad>}}'],
    ['{{filepath:moon.jpg}}', 'https://wiki.example/images/9/9a/Moon.jpg'],
    ['{{filepath:File:Moon.jpg}}', 'https://wiki.example/images/9/9a/Moon.jpg'],
    ['{{filepath:Moon.jpg|nowiki}}', '<nowiki>https://wiki.example/images/9/9a/Moon.jpg</nowiki>'],
    ['{{filepath:Mars.jpg}}', ''],
    ['{{ns:6}} {{ns:Talk}} {{ns:image}} {{ns:4}} {{ns:User talk}}', 'File Talk File Moonbase User talk'],
    ['{{nse:3}}', 'User_talk'],
    ['[{{ns:0}}]', '[]'],
    ['[{{ns:99}}{{nse:99}}{{ns:-5}}{{ns:}}]', '[]'],
    ['{{ns:+1}} {{ns:1.5}} {{ns:9x}}', 'Talk Talk MediaWiki talk'],
    ['{{ns:Nothing}} {{ns:0.5}}', '[[:Template:Ns:Nothing]] [[:Template:Ns:0.5]]'],
    ['{{#special:search}}', 'Special:Search'],
    ['{{#speciale:Recent changes}}', 'Special:Recent_changes'],
  ])
})

describe('paths', () => {
  rows([
    ['{{#titleparts:Talk:Foo/bar/baz/quok}}', 'Talk:Foo/bar/baz/quok'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok|1}}', 'Talk:Foo'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok|2}}', 'Talk:Foo/bar'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok|2|2}}', 'bar/baz'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok||2}}', 'bar/baz/quok'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok||5}}', ''],
    ['{{#titleparts:Talk:Foo/bar/baz/quok|-1}}', 'Talk:Foo/bar/baz'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok||-1}}', 'quok'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok|-1|2}}', 'bar/baz'],
    ['{{#titleparts:Talk:Foo/bar/baz/quok|1|-2}}', 'baz'],
    ['{{#titleparts:foo|1}}', 'Foo'],
    ['{{#titleparts:<bad>/a|1}}', '<bad>/a'],
    ['{{#rel2abs:/quok|Help:Foo/bar/baz}}', 'Help:Foo/bar/baz/quok'],
    ['{{#rel2abs:./quok|Help:Foo/bar/baz}}', 'Help:Foo/bar/baz/quok'],
    ['{{#rel2abs:../quok|Help:Foo/bar/baz}}', 'Help:Foo/bar/quok'],
    ['{{#rel2abs:../.|Help:Foo/bar/baz}}', 'Help:Foo/bar'],
    ['{{#rel2abs:../quok/.|Help:Foo/bar/baz}}', 'Help:Foo/bar/quok'],
    ['{{#rel2abs:../../quok|Help:Foo/bar/baz}}', 'Help:Foo/quok'],
    ['{{#rel2abs:../../../quok|Help:Foo/bar/baz}}', 'quok'],
    [
      '{{#rel2abs:../../../../quok|Help:Foo/bar/baz}}',
      '<strong class="error">Error: Invalid depth in path: "../../../../quok" (tried to access a node above the root node).</strong>',
    ],
    ['{{#rel2abs:/a}}', 'Sample page/a'],
    ['{{#rel2abs:a/b|Help:Foo}}', 'a/b'],
    ['{{#rel2abs:.|Help:Foo}}', 'Help:Foo'],
  ])
})

describe('numbers', () => {
  rows([
    ['{{formatnum:1234567.891}}', '1,234,567.891'],
    ['{{formatnum:1,234,567.891|R}}', '1234567.891'],
    ['{{formatnum:1234567.891|NOSEP}}', '1234567.891'],
    ['{{formatnum:999}}', '999'],
    ['{{formatnum:1000}}', '1,000'],
    ['{{formatnum:00001}}', '00,001'],
    ['{{formatnum:-1234}}', '−1,234'],
    ['{{formatnum:−1,234|R}}', '-1234'],
    ['{{formatnum:1e6}} {{formatnum:1.5e3}} {{formatnum:1.5E-3}}', '1,000,000 1,500 0.002'],
    ['{{formatnum:-1e+6}} {{formatnum:.5e3 km}} {{formatnum:1e400}}', '−1,000,000 500 km ∞'],
    ['{{formatnum:1e6|NOSEP}}', '1e6'],
    ['{{formatnum:+5}} {{formatnum:+5000}} {{formatnum:+5 km}}', '5 5,000 +5 km'],
    ['{{formatnum:.5}} {{formatnum:-.5}}', '.5 −.5'],
    ['{{formatnum:INF}} {{formatnum:-INF}} {{formatnum:NAN}} {{formatnum:INF x}}', '∞ −∞ Not a Number INF x'],
    ['{{formatnum:∞|R}} {{formatnum:−∞|R}}', 'INF -INF'],
    ['{{formatnum:abc}}', 'abc'],
    ['{{formatnum:}}', ''],
    ['{{formatnum:123456789012345678901234567890}}', '123,456,789,012,345,678,901,234,567,890'],
    ['{{plural:1|one|many}} {{plural:5|one|many}} {{plural:0|one|many}}', 'one many many'],
    ['{{plural:1,000|one|many}}', 'many'],
    ['{{plural:2|only}}', 'only'],
    ['{{plural:12|one|12=a dozen|many}}', 'a dozen'],
    ['{{plural:3}}', ''],
    ['{{PLURAL:1|one|many}}', 'one'],
    ['{{grammar:genitive|Moon}}', 'Moon'],
    ['{{gender:Ann|he|she|they}} {{gender:Ann|he|she}} {{gender:Ann|all}}', 'they he all'],
  ])

  test.each([
    ['de', '1234567.891', '1.234.567,891'],
    ['fr', '1234567.891', '1\u00a0234\u00a0567,891'],
    ['pl', '1234', '1234'],
    ['pl', '12345', '12\u00a0345'],
    ['hi', '1234567', '१२,३४,५६७'],
    ['fa', '1234', '۱٬۲۳۴'],
    ['no such language', '1234', '1,234'],
  ])('in %s %s is %s', (language, number, expected) => {
    expect(expandOn(`{{formatnum:${number}}}`, { site: { language } }).wikitext).toBe(expected)
  })

  test.each([
    ['ru', '1', 'один'],
    ['ru', '3', 'два'],
    ['ru', '11', 'пять'],
    ['ru', '21', 'один'],
    ['fr', '0', 'один'],
    ['ja', '7', 'два'],
  ])('in %s the plural of %s is %s', (language, number, expected) => {
    expect(expandOn(`{{plural:${number}|один|два|пять}}`, { site: { language } }).wikitext).toBe(expected)
  })
})

describe('languages and messages', () => {
  rows([
    ['{{#language:de}}', 'Deutsch'],
    ['{{#language:DE|fr}}', 'Deutsch'],
    ['{{#language:xx-none}}', 'xx-none'],
    ['{{int:edit}}', 'Edit'],
    ['{{int:Edit}}', 'Edit'],
    ['{{int:parentheses|a}}', '(a)'],
    ['{{int:greeting|Ann|BOB}}', 'Hi Ann, bob'],
    ['{{int:no such message}}', '⧼no such message⧽'],
    ['{{int:<bad>}}', '⧼&lt;bad&gt;⧽'],
    [
      '{{#formatdate:25 dec 2009|mdy}}',
      '<span class="mw-formatted-date" title="2009-12-25">December 25, 2009</span>',
    ],
    [
      '{{#dateformat:2009-12-25|dmy}}',
      '<span class="mw-formatted-date" title="2009-12-25">25 December 2009</span>',
    ],
    [
      '{{#dateformat:December 25, 2009|ISO 8601}}',
      '<span class="mw-formatted-date" title="2009-12-25">2009-12-25</span>',
    ],
    ['{{#dateformat:no date|dmy}}', 'no date'],
  ])
})

describe('tags', () => {
  rows([
    ['{{#tag:ref|text}}', '<ref>text</ref>'],
    ['{{#tag:ref|a {{lc:B}}|name=c}}', '<ref name="c">a b</ref>'],
    ['{{#tag:ref|a|name="c d"|group=\'e\'}}', '<ref name="c d" group="e">a</ref>'],
    ['{{#tag:ref|a|name=c"d}}', '<ref name="c&quot;d">a</ref>'],
    ['{{#tag:references}}', '<references/>'],
    ['{{#tag:REF|a}}', '<ref>a</ref>'],
    ['{{#tag:ref|a<nowiki>b</nowiki>}}', '<ref>a<nowiki>b</nowiki></ref>'],
    ['{{#tag:script|a}}', '<script>a</script>'],
    ['{{#tag:b|a{{lc:B}}|class=x|title="y\'z"}}', "<b class='x' title='y&#039;z'>ab</b>"],
    ['{{#tag:br}}', '<br/>'],
    [
      '{{#invoke:Sums|add}}',
      '<strong class="error"><span class="scribunto-error" id="mw-scribunto-error-0">Script error: No such module &quot;Sums&quot;.</span></strong>',
    ],
    [
      '{{#invoke:Sums}}',
      '<strong class="error"><span class="scribunto-error" id="mw-scribunto-error-0">Script error: You must specify a function to call.</span></strong>',
    ],
    ['{{#invoke}}', '&#123;&#123;#invoke}}'],
  ])
})

describe('functions of strings, where they are switched on', () => {
  rows(
    [
      ['{{#len:abc}}', '3'],
      ['{{#len: aäb }}', '3'],
      ['{{#len:}}', '0'],
      ['{{#len:a<nowiki>bc</nowiki>}}', '1'],
      ['{{#pos:Žmržlina|lina}}', '4'],
      ['[{{#pos:abc|x}}]', '[]'],
      ['{{#pos:abcabc|b|2}}', '4'],
      ['{{#pos:a b|}}', '1'],
      ['{{#rpos:abcabc|b}}', '4'],
      ['{{#rpos:abc|x}}', '-1'],
      ['{{#sub:Icecream|3}}', 'cream'],
      ['{{#sub:Icecream|0|3}}', 'Ice'],
      ['{{#sub:Icecream|-3}}', 'eam'],
      ['{{#sub:Icecream|3|3}}', 'cre'],
      ['{{#sub:Icecream|3|-3}}', 'cr'],
      ['{{#count:Icecream|e}}', '2'],
      ['{{#count:a b c|}}', '2'],
      ['{{#replace:Icecream|e|E}}', 'IcEcrEam'],
      ['{{#replace:Icecream|e|}}', 'Iccram'],
      ['{{#replace:Icecream|e|E|1}}', 'IcEcream'],
      ['{{#explode:And if you tumble| |2}}', 'you'],
      ['{{#explode:String/Functions/Code|/|-1}}', 'Code'],
      ['{{#explode:Split%By%Percentage%Signs|%|2}}', 'Percentage'],
      ['{{#explode:And if you tumble| |2|3}}', 'you tumble'],
      ['[{{#explode:a b| |7}}]', '[]'],
      ['{{#urldecode:a%20b+c}}', 'a b c'],
      ['{{#urldecode:%zz}}', '%zz'],
    ],
    { stringFunctions: true },
  )

  test('refuse long texts', () => {
    const { wikitext } = expandOn(`{{#len:${'x'.repeat(1001)}}}`, { site: { stringFunctions: true } })
    expect(wikitext).toBe('<strong class="error">Error: String exceeds 1000 character limit.</strong>')
  })
})
