import { describe, expect, test } from 'vitest'
import { defaultContentModel } from '../../src/domain/contentModel.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { parseTitle } from '../../src/domain/title.js'
import { protectedTitle, unusableTitle, type TitleEditor } from '../../src/edit/titleErrors.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const parse = (text: string) => parseTitle(text, namespaces, (prefix) => prefix === 'de')
const invalid = (shown: string) => ({ key: 'invalidtitle', args: [shown] })

test.each([
  ['A|b', 'A&#124;b'],
  ['', ''],
  ['  ', '&#32; '],
  ['a<b>', 'a&#60;b&#62;'],
  ['[x', '&#91;x'],
  ['{{x}}', '&#123;&#123;x&#125;&#125;'],
  ['%41', '%41'],
  ['&lt;', '&#38;lt&#59;'],
  ['"a"=\'b\'|', '&#34;a&#34;&#61;&#39;b&#39;&#124;'],
  ['~~~', '~~~'],
  ['.', '.'],
  ['..', '..'],
  ['./a', './a'],
  ['a/../b', 'a/../b'],
  ['a\tb', 'a\tb'],
  ['a\nb', 'a\nb'],
  ['|e\u0301', '&#124;\u00e9'],
  ['t'.repeat(256), 't'.repeat(256)],
  ['Talk:', 'Talk:'],
  ['Talk:Talk:x', 'Talk:Talk:x'],
  ['::x', '&#58;:x'],
  [' *|', '&#32;*&#124;'],
  ['*|\n#\n \n----', '&#42;&#124;\n&#35;\n&#32;\n&#45;---'],
  ['\t|\r\n', '&#9;&#124;&#13;\n'],
  ['__x__|http://a', '_&#95;x_&#95;&#124;http&#58;//a'],
  ['de:Foo', 'de:Foo'],
])('%j is no title', (text, shown) => {
  expect(unusableTitle(text, parse(text))).toEqual(invalid(shown))
})

test('a hostile title is shown cut', () => {
  const text = '|'.repeat(1_000_000)
  expect(unusableTitle(text, parse(text))).toEqual(invalid('&#124;'.repeat(500)))
})

test.each(['Special:Version', 'Media:Moon.png', '#', '#part'])('%s holds no page', (text) => {
  expect(unusableTitle(text, parse(text))).toEqual({ key: 'pagecannotexist', args: [] })
})

test.each(['Moon', 'Moon#part', 'Talk:Moon', 'café', 'A"b', 'User:Ann/x.js'])('%s can be a page', (text) => {
  expect(unusableTitle(text, parse(text))).toBeUndefined()
})

describe('who may save', () => {
  const anonymous: TitleEditor = { name: '127.0.0.1', anonymous: true, rights: new Set() }
  const ann: TitleEditor = { name: 'Ann Other', anonymous: false, rights: new Set(['edit']) }
  const sysop: TitleEditor = {
    name: 'Admin',
    anonymous: false,
    rights: new Set(['editinterface', 'editusercss', 'edituserjs', 'edituserjson']),
  }
  test.each([
    ['Moon', undefined, undefined, undefined],
    ['MediaWiki:Sidebar', 'protectednamespace-interface', 'protectednamespace-interface', undefined],
    ['MediaWiki:Common.css', 'protectednamespace-interface', 'protectednamespace-interface', undefined],
    ['MediaWiki talk:Sidebar', undefined, undefined, undefined],
    ['User:Ann Other', undefined, undefined, undefined],
    ['User:Ann Other/notes', undefined, undefined, undefined],
    ['User:Ann Other/x.js', 'customjsprotected', undefined, undefined],
    ['User:Ann Other/x.css', 'customcssprotected', undefined, undefined],
    ['User:Ann Other/x.json', 'customjsonprotected', undefined, undefined],
    ['User:Ann Other/a/b.js', 'customjsprotected', undefined, undefined],
    ['User:Bob/x.js', 'customjsprotected', 'customjsprotected', undefined],
    ['User:Bob/x.css', 'customcssprotected', 'customcssprotected', undefined],
    ['User:Bob/x.json', 'customjsonprotected', 'customjsonprotected', undefined],
    ['User:127.0.0.1/x.js', 'mycustomjsprotected', 'customjsprotected', undefined],
    ['User:127.0.0.1/x.css', 'mycustomcssprotected', 'customcssprotected', undefined],
    ['User:127.0.0.1/x.json', 'mycustomjsonprotected', 'customjsonprotected', undefined],
    ['User:Ann.js', undefined, undefined, undefined],
    ['User talk:Ann Other/x.js', undefined, undefined, undefined],
    ['Help:Ann Other/x.js', undefined, undefined, undefined],
  ])('%s: anonymous %s, Ann Other %s, sysop %s', (text, ...expected) => {
    const parsed = parse(text)
    if (!parsed.ok) throw new Error(parsed.error)
    const { title } = parsed
    const model = defaultContentModel(title.namespace, title.dbkey)
    expect([anonymous, ann, sysop].map((editor) => protectedTitle(title, model, editor)?.key)).toEqual(
      expected,
    )
  })

  test('a page of a user that was made JavaScript is protected like one by its title', () => {
    expect(protectedTitle({ namespace: 2, dbkey: 'Bob/notes' }, 'javascript', ann)?.key).toBe(
      'customjsprotected',
    )
  })
})
