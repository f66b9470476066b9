import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { capitalise, parseTitle, prefixedKey, prefixedText } from '../../src/domain/title.js'
import { languageOf } from '../../src/language/language.js'

const english = new Namespaces(DEFAULT_SITE)
const wiktionary = new Namespaces({
  case: 'case-sensitive',
  namespaces: DEFAULT_SITE.namespaces.map((namespace) => ({
    ...namespace,
    case: namespace.id === 2 ? 'first-letter' : 'case-sensitive',
  })),
})

/** The key with its prefix, or the error. */
function parsed(text: string, namespaces = english): string {
  const result = parseTitle(text, namespaces, (prefix) => prefix === 'de' || prefix === 'zh-hant')
  return result.ok ? prefixedKey(result.title, namespaces) : `error: ${result.error}`
}

describe('parseTitle', () => {
  test.each([
    ['a plain title', 'Foo_bar', 'Foo_bar'],
    ['a title with spaces', 'Foo bar', 'Foo_bar'],
    ['runs of blanks and underscores', '__Foo _ bar_ ', 'Foo_bar'],
    ['no-break and other blanks', 'Foo\u00a0\u2009bar\u3000baz', 'Foo_bar_baz'],
    ['line separators', 'Foo\u2028bar\u2029baz', 'Foo_bar_baz'],
    ['direction marks', '\u200eFoo\u202a bar\u202c\u200f', 'Foo_bar'],
    ['a lower-case first letter', 'foo Bar', 'Foo_Bar'],
    ['an accented first letter', 'éa', 'Éa'],
    ['other letters in their case', 'FOO bAR', 'FOO_bAR'],
    ['sharp s in front', 'ßa', 'ßa'],
    ['a digraph in front', 'ǆa', 'Ǆa'],
    ['a letter beyond the basic plane in front', '𐐨x', '𐐀x'],
    ['Georgian in small letters', 'თბილისი', 'თბილისი'],
    ['a letter whose capital is several letters', '\u0390', '\u0390'],
    ['decomposed accents', 'Cafe\u0301', 'Café'],
    ['an accent that a direction mark parts from its letter', 'Cafe\u200e\u0301', 'Café'],
    ['Scottish Gaelic', 'Prìomh-Dhuilleag', 'Prìomh-Dhuilleag'],
    ['Chinese', '東京都', '東京都'],
    ['Korean in jamo', '한글'.normalize('NFD'), '한글'],
    ['a leading colon', ':Foo', 'Foo'],
    ['a leading colon with blanks', ' : foo', 'Foo'],
    ['a leading colon before a prefix', ':Talk:foo', 'Talk:Foo'],
    ['a prefix in any case', 'tALK:foo', 'Talk:Foo'],
    ['blanks around the colon', 'User  talk _ : _ foo', 'User_talk:Foo'],
    ['an alias', 'image:a.png', 'File:A.png'],
    ['a prefix that is no namespace', 'Main: not a namespace', 'Main:_not_a_namespace'],
    ['a byte order mark before a prefix', '\ufeffTalk:foo', '\ufeffTalk:foo'],
    ['a later colon', 'Talk:Foo:bar', 'Talk:Foo:bar'],
    ['a namespace inside a namespace other than Talk', 'User talk:Talk:x', 'User_talk:Talk:x'],
    ['a fragment', 'Foo bar #part', 'Foo_bar'],
    ['a fragment with forbidden characters', 'Foo#a|b&amp;%41', 'Foo'],
    ['a special page', 'special:version', 'Special:Version'],
    ['a media link', 'Media:a.png', 'Media:A.png'],
    ['sub pages', 'User:Ann/a/b', 'User:Ann/a/b'],
    ['dots inside', 'a.b/..c/d../...', 'A.b/..c/d../...'],
    ['two tildes', 'A~~b', 'A~~b'],
    ['signs', '100% + "what"? \'x\' !$*,;=@\\^`', '100%_+_"what"?_\'x\'_!$*,;=@\\^`'],
    ['character references', '&#65;&amp;B &eacute;&nbsp;&#x63;', 'A&B_é_c'],
    ['a reference in front, and one without its semicolon', '&#97;lba&#38', 'Alba&'],
    ['a colon as a reference', 'talk&#58;foo', 'Talk:Foo'],
    ['a number sign as a reference', 'Foo&#35;bar', 'Foo'],
    ['a direction mark as a reference', 'Fo&rlm;o', 'Foo'],
    ['an ampersand that begins no reference', 'AT&T &; & co', 'AT&T_&;_&_co'],
    ['a percent sign that begins no code', '100%_4%g1', '100%_4%g1'],
  ])('accepts %s', (_case, text, key) => {
    expect(parsed(text)).toBe(key)
  })

  test.each([
    ['nothing', '', 'empty'],
    ['blanks', '   ', 'empty'],
    ['a lone underscore', '_', 'empty'],
    ['a lone colon', ':', 'empty'],
    ['direction marks alone', '\u200e', 'empty'],
    ['a prefix alone', 'Talk:', 'empty'],
    ['a prefix before a fragment', 'Talk:#x', 'empty'],
    ['a fragment alone', '#part', 'fragment-only'],
    ['two leading colons', '::x', 'leading-colon'],
    ['two colons after a prefix', 'Talk::x', 'leading-colon'],
    ['a pipe', 'A|b', 'invalid-characters'],
    ['angle brackets', '<b>', 'invalid-characters'],
    ['square brackets', '[[x]]', 'invalid-characters'],
    ['braces', '{{x}}', 'invalid-characters'],
    ['a tab', 'A\tb', 'invalid-characters'],
    ['a line break', 'A\nb', 'invalid-characters'],
    ['a line break before a prefix', '\nTalk:b', 'invalid-characters'],
    ['NUL', 'A\0', 'invalid-characters'],
    ['DEL', 'A\x7f', 'invalid-characters'],
    ['the replacement character', 'A\ufffd', 'invalid-characters'],
    ['a lone high surrogate', 'A\ud800', 'invalid-characters'],
    ['a lone low surrogate in front', '\udc00A', 'invalid-characters'],
    ['a percent-encoded character', 'A%41', 'invalid-characters'],
    ['a reference to a reference', 'A&amp;amp;b', 'invalid-characters'],
    ['a reference to a forbidden character', 'A&lt;b', 'invalid-characters'],
    ['a name that is no reference', 'A&nothing;b', 'invalid-characters'],
    ['a number beyond Unicode', 'A&#x110000;', 'invalid-characters'],
    ['the number of a control character', 'A&#128;b', 'invalid-characters'],
    ['a forbidden character after a prefix', 'Talk:a|b', 'invalid-characters'],
    ['a dot', '.', 'relative-path'],
    ['two dots', '..', 'relative-path'],
    ['a path from here', './a', 'relative-path'],
    ['a path from above', '../a', 'relative-path'],
    ['a step in a path', 'a/../b', 'relative-path'],
    ['a dot in a path', 'a/./b', 'relative-path'],
    ['a step at the end', 'a/..', 'relative-path'],
    ['a path after a prefix', 'Talk:./a', 'relative-path'],
    ['a signature', 'A~~~b', 'magic-tilde'],
    ['Talk before Talk', 'Talk:Talk:x', 'talk-namespace'],
    ['Talk before another namespace', 'Talk: file :x', 'talk-namespace'],
    ['Talk before an interwiki prefix', 'Talk:de:x', 'talk-namespace'],
    ['an interwiki prefix', 'de:Foo', 'interwiki'],
    ['an interwiki prefix in capitals, with colon and blanks', ': ZH-Hant : Foo', 'interwiki'],
  ])('refuses %s', (_case, text, error) => {
    expect(parsed(text)).toBe(`error: ${error}`)
  })

  test.each([
    ['ASCII letters', 'A'.repeat(255), 'A'.repeat(256)],
    ['two-byte letters', `A${'é'.repeat(127)}`, 'é'.repeat(128)],
    ['four-byte letters', `Abc${'😀'.repeat(63)}`, `Abcd${'😀'.repeat(63)}`],
    ['a prefix, which does not count', `User_talk:${'A'.repeat(255)}`, `User_talk:${'A'.repeat(256)}`],
    ['a special page, which may be longer', `Special:${'A'.repeat(512)}`, `Special:${'A'.repeat(513)}`],
    ['a first letter that grows', `ɐ${'a'.repeat(252)}`, `ɐ${'a'.repeat(253)}`],
  ])('limits the bytes of %s', (_case, longest, tooLong) => {
    expect(parsed(longest)).not.toContain('error')
    expect(parsed(tooLong)).toBe('error: too-long')
  })

  test('gives the fragment in reading form', () => {
    expect(parseTitle('Foo#a_b #c', english)).toEqual({
      ok: true,
      title: { namespace: 0, dbkey: 'Foo' },
      fragment: 'a b #c',
    })
    expect(parseTitle('Foo', english)).toMatchObject({ fragment: '' })
  })

  test('takes no prefix for interwiki unless told', () => {
    expect(parseTitle('de:Foo', english)).toMatchObject({ title: { namespace: 0, dbkey: 'De:Foo' } })
  })

  test.each([
    ['foo', 'foo'],
    ['Foo', 'Foo'],
    ['talk:foo', 'Talk:foo'],
    ['user:foo', 'User:Foo'],
    ['ßa', 'ßa'],
  ])('keeps the first letter where the namespace is case-sensitive: %s', (text, key) => {
    expect(parsed(text, wiktionary)).toBe(key)
  })
})

describe('prefixed titles', () => {
  test.each([
    [{ namespace: 0, dbkey: 'Foo_bar' }, 'Foo_bar', 'Foo bar'],
    [{ namespace: 3, dbkey: 'Foo_bar' }, 'User_talk:Foo_bar', 'User talk:Foo bar'],
    [{ namespace: 2300, dbkey: 'Foo_bar' }, '2300:Foo_bar', '2300:Foo bar'],
  ])('%j', (title, key, text) => {
    expect(prefixedKey(title, english)).toBe(key)
    expect(prefixedText(title, english)).toBe(text)
  })
})

test.each([
  ['', ''],
  ['abc', 'Abc'],
  ['Abc', 'Abc'],
  ['1a', '1a'],
  ['éa', 'Éa'],
  ['ß', 'ß'],
  ['ﬁx', 'ﬁx'],
  ['ა', 'ა'],
  ['i\u0307x', 'İx'],
])('capitalise(%j) is %j', (text, raised) => {
  expect(capitalise(text, languageOf('en'))).toBe(raised)
})

test.each([
  ['tr', 'izmir', 'İzmir'],
  ['az', 'ilham', 'İlham'],
  ['tr', 'ılgaz', 'Ilgaz'],
  ['ru', 'ёлка', 'Ёлка'],
  ['de', 'ß', 'ß'],
])('in %s, %j is raised to %j', (language, text, raised) => {
  const namespaces = new Namespaces({ ...DEFAULT_SITE, language })
  expect(parseTitle(text, namespaces)).toMatchObject({ ok: true, title: { dbkey: raised } })
})
