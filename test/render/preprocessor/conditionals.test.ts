import { describe, expect, test } from 'vitest'
import { expandOn } from './memoryWiki.js'

const PAGES = { Moon: 'round', 'Template:Id': '{{{1|}}}' }

/** Each row: wikitext and what it becomes. */
function rows(table: readonly (readonly [string, string])[]): void {
  test.each(table)('%s', (wikitext, expected) => {
    expect(expandOn(wikitext, { pages: PAGES }).wikitext).toBe(expected)
  })
}

describe('#if', () => {
  rows([
    ['{{#if:|a|b}}', 'b'],
    ['{{#if: |a|b}}', 'b'],
    ['{{#if:\n\t|a|b}}', 'b'],
    ['{{#if:x|a|b}}', 'a'],
    ['{{#if:0|a|b}}', 'a'],
    ['{{#if:x}}', ''],
    ['{{#if:}}', ''],
    ['{{#if:|a}}', ''],
    ['{{#if:x| a | b }}', 'a'],
    ['[{{#if:x|\n a \n}}]', '[a]'],
    ['{{#if:x|a=b|c}}', 'a=b'],
    ['{{#IF:x|a}}', 'a'],
    ['{{#If:x|a}}', 'a'],
    ['{{ #if:x|a}}', 'a'],
    ['{{#if:<!-- c -->|a|b}}', 'b'],
    ['{{#if:<nowiki/>|a|b}}', 'a'],
    ['{{#if:{{Id|}}|a|b}}', 'b'],
    ['{{#if:{{{x|}}}|a|b}}', 'b'],
    ['{{#if:{{{x}}}|a|b}}', 'a'],
    ['{{#if:x|{{#if:|1|2}}|3}}', '2'],
    ['{{#if:|{{No such page}}|b}}', 'b'],
    ['{{#if:x|a|b|c|d}}', 'a'],
    ['{{#wenn:x|a|b}}', 'a'],
    ['{{#if}}', '&#123;&#123;#if}}'],
    ['{{#if|a}}', '&#123;&#123;#if|a}}'],
  ])
})

describe('#ifeq', () => {
  rows([
    ['{{#ifeq:a|a|same|other}}', 'same'],
    ['{{#ifeq:a|b|same|other}}', 'other'],
    ['{{#ifeq:a|A|same|other}}', 'other'],
    ['{{#ifeq: a | a |same|other}}', 'same'],
    ['{{#ifeq:01|1|same|other}}', 'same'],
    ['{{#ifeq:1e3|1000|same|other}}', 'same'],
    ['{{#ifeq:1.0|1|same|other}}', 'same'],
    ['{{#ifeq:+1|1|same|other}}', 'same'],
    ['{{#ifeq:.5|0.5|same|other}}', 'same'],
    ['{{#ifeq:0x1A|26|same|other}}', 'other'],
    ['{{#ifeq:1,000|1000|same|other}}', 'other'],
    ['{{#ifeq:9007199254740993|9007199254740992|same|other}}', 'other'],
    ["{{#ifeq:A&#39;B|A'B|same|other}}", 'same'],
    ['{{#ifeq:a&nbsp;b|a\u00a0b|same|other}}', 'same'],
    ['{{#ifeq:|0|same|other}}', 'other'],
    ['{{#ifeq:||same|other}}', 'same'],
    ['{{#ifeq:a}}', ''],
    ['{{#ifeq:a|a}}', ''],
    ['{{#ifeq:<nowiki>a</nowiki>|<nowiki>a</nowiki>|same|other}}', 'other'],
  ])
})

describe('#switch', () => {
  rows([
    ['{{#switch:b|a=1|b=2|3}}', '2'],
    ['{{#switch:x|a=1|b=2|3}}', '3'],
    ['{{#switch:x|a=1|b=2}}', ''],
    ['{{#switch:a|a|b=AB|c=C}}', 'AB'],
    ['{{#switch:b|a|b=AB|c=C}}', 'AB'],
    ['{{#switch:c|a|b=AB|c=C}}', 'C'],
    ['{{#switch:a|a|b|c=C}}', 'C'],
    ['{{#switch:x|#default=D|a=1}}', 'D'],
    ['{{#switch:a|#default=D|a=1}}', '1'],
    ['{{#switch:x|a=1|#default|b=2|c=3}}', '2'],
    ['{{#switch:x|a=1|#default=D|last}}', 'last'],
    ['{{#switch:x|a=1|#DEFAULT=D}}', 'D'],
    ['-{{#switch:x|#default}}', '-\n#default'],
    ['-{{#switch:x|#default|z=3|#default}}', '-\n#default'],
    ['{{#switch:x|#default|y=2}}', '2'],
    ['{{#switch: b | a = 1 | b = 2 }}', '2'],
    ['{{#switch:1|01=one}}', 'one'],
    ['{{#switch:1.0|1=one}}', 'one'],
    ['{{#switch:|=empty|x=y}}', 'empty'],
    ['{{#switch:|a=1||b=empty}}', 'empty'],
    ['{{#switch:A|a=1|2}}', '2'],
    ['{{#switch:a|{{Id|a}}=1|2}}', '1'],
    ['{{#switch:a|a=b=c}}', 'b=c'],
    ['{{#switch:a}}', ''],
    ['{{#switch:a|a}}', 'a'],
    ["{{#switch:A&#39;B|A'B=yes|no}}", 'yes'],
    ['{{#switch:a|a={{#switch:b|b=deep}}}}', 'deep'],
    ['{{#switch:x|a=1|only text}}', 'only text'],
    ['{{#switch:b|a=1|b=\n* x\n}}', '\n* x'],
  ])
})

describe('#ifexist', () => {
  rows([
    ['{{#ifexist:Moon|yes|no}}', 'yes'],
    ['{{#ifexist:moon|yes|no}}', 'yes'],
    ['{{#ifexist:Mars|yes|no}}', 'no'],
    ['{{#ifexist:Template:Id|yes|no}}', 'yes'],
    ['{{#ifexist:Sample page|yes|no}}', 'yes'],
    ['{{#ifexist:<bad>|yes|no}}', 'no'],
    ['{{#ifexist:|yes|no}}', 'no'],
    ['{{#ifexist:Media:Moon.jpg|yes|no}}', 'yes'],
    ['{{#ifexist:Media:Mars.jpg|yes|no}}', 'no'],
    ['{{#ifexist:Special:Search|yes|no}}', 'yes'],
    ['{{#ifexist:special:recentChanges/x|yes|no}}', 'yes'],
    ['{{#ifexist:Special:Nothing|yes|no}}', 'no'],
    ['{{#ifexist:de:Mond|yes|no}}', 'no'],
  ])

  test('beyond the limit of lookups says no, and the page is marked', () => {
    const { wikitext, categories } = expandOn(
      '{{#ifexist:Moon|y|n}}{{#ifexist:moon|y|n}}{{#ifexist:Template:Id|y|n}}',
      {
        pages: PAGES,
        options: { limits: { lookups: 1 } },
      },
    )
    expect(wikitext).toBe('yyn')
    expect(categories).toEqual(['Pages with too many expensive parser function calls'])
  })
})

describe('#ifexpr', () => {
  rows([
    ['{{#ifexpr:1|yes|no}}', 'yes'],
    ['{{#ifexpr:0|yes|no}}', 'no'],
    ['{{#ifexpr:|yes|no}}', 'no'],
    ['{{#ifexpr:1>0 and 2>1|yes|no}}', 'yes'],
    ['{{#ifexpr:-1|yes|no}}', 'yes'],
    ['{{#ifexpr:1/0|yes|no}}', '<strong class="error">Division by zero.</strong>'],
    ['{{#ifexpr:1 +|yes|no}}', '<strong class="error">Expression error: Missing operand for +.</strong>'],
  ])
})

describe('#iferror', () => {
  rows([
    ['{{#iferror:{{#expr:1/0}}|bad|good}}', 'bad'],
    ['{{#iferror:{{#expr:1/1}}|bad|good}}', 'good'],
    ['{{#iferror:{{#expr:1/1}}|bad}}', '1'],
    ['{{#iferror:{{#expr:1/0}}}}', ''],
    ['{{#iferror:<strong class="error">x</strong>|bad|good}}', 'bad'],
    ['{{#iferror:<span id="a" class="big error">x</span>|bad|good}}', 'bad'],
    ['{{#iferror:<div class="error">x</div>|bad|good}}', 'bad'],
    ['{{#iferror:<b class="error">x</b>|bad|good}}', 'good'],
    ['{{#iferror:<span class="errors">x</span>|bad|good}}', 'good'],
    ['{{#iferror:error|bad|good}}', 'good'],
    ['{{#iferror:{{#time:Y|nonsense}}|bad|good}}', 'bad'],
    ['{{#iferror:{{#invoke:None|f}}|bad|good}}', 'bad'],
  ])
})
