import { expect, test } from 'vitest'
import { decodeCharacterReferences } from '../../src/domain/characterReferences.js'

test.each([
  ['plain text', 'a b', 'a b'],
  ['a lone ampersand', 'AT&T; & co', 'AT&T; & co'],
  ['basic names', '&lt;&gt;&amp;&quot;&apos;', `<>&"'`],
  ['the first and the last Latin-1 name', '&nbsp;&yuml;', '\u00a0ÿ'],
  ['names that differ in case', '&Eacute;&eacute;&szlig;&THORN;', 'ÉéßÞ'],
  ['quotes and dashes', '&ldquo;a&rdquo;&ndash;b&hellip;', '“a”–b…'],
  ['decimal numbers', '&#65;&#8364;&#128512;', 'A€😀'],
  ['hexadecimal numbers', '&#x41;&#X20ac;', 'A€'],
  ['only one level', '&amp;lt;', '&lt;'],
  ['unknown names', '&nothing;', '&nothing;'],
  ['surrogates', '&#xD800;', '&#xD800;'],
  ['numbers beyond Unicode', '&#x110000;&#9999999;', '&#x110000;&#9999999;'],
  ['references without semicolon', '&amp &#65', '&amp &#65'],
])('decodes %s', (_case, text, decoded) => {
  expect(decodeCharacterReferences(text)).toBe(decoded)
})
