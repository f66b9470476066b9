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
  ['names of Greek letters, signs and arrows', '&alpha;&Omega;&hearts;&rarr;&bigstar;', 'αΩ♥→★'],
  ['names in other scripts', '&רלמ;&رلم;', '\u200f\u200f'],
  ['unknown names', '&nothing;&constructor;', '&nothing;&constructor;'],
  ['numbers of no character', '&#xD800;&#128;&#0;&#xFFFE;&#x7f;', '\ufffd'.repeat(5)],
  [
    'numbers of line ends and private characters',
    '&#10;&#13;&#9;&#xE000;&#x10FFFF;',
    '\n\r\t\ue000\u{10ffff}',
  ],
  ['numbers beyond Unicode', '&#x110000;&#9999999;', '&#x110000;&#9999999;'],
  ['references without semicolon', '&amp &#65', '&amp &#65'],
])('decodes %s', (_case, text, decoded) => {
  expect(decodeCharacterReferences(text)).toBe(decoded)
})
