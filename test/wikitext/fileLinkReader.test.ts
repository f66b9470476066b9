import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { FileLinkReader } from '../../src/wikitext/fileLinkReader.js'
import { mediaLinks } from '../../src/wikitext/mediaLinks.js'
import { randomNumbers } from '../support/random.js'

const namespaces = new Namespaces({
  ...DEFAULT_SITE,
  namespaces: DEFAULT_SITE.namespaces.map((namespace) =>
    namespace.id === 6
      ? { ...namespace, name: 'Faidhle' }
      : namespace.id === 4
        ? { ...namespace, name: 'Fichièr' }
        : namespace,
  ),
})
const reader = new FileLinkReader(namespaces)
const namesIn = (wikitext: string, limit = Infinity): string[] =>
  reader.namesIn(Buffer.from(JSON.stringify(wikitext)).subarray(1, -1), limit)

describe('files of a text', () => {
  test.each([
    ['without files', 'The moon [[Moon]] is [[grey|dark grey]], as [[Baile Mòr]] is.', []],
    ['with other prefixes', '[[de:Mond]] [[zh-min-nan:Goe̍h]] [[Talk:Moon]] [[Category:Moons]]', []],
    ['with a link to a description', '[[:File:Moon.png]]', []],
    ['with a line break before the prefix', '[[Moon\nFile:Moon.png]]', []],
    ['with brackets alone', '[[', []],
    ['with a third bracket', 'x[[[File:A.png]]', ['A.png']],
    ['with five brackets', '[[[[[File:A.png]]', ['A.png']],
    ['that is empty', '', []],
    ['with a file', '[[File:A.png]]', ['A.png']],
    ['with a local name and a label', '[[faidhle:a b.png|thumb]]', ['A_b.png']],
    ['with names in order', '[[IMAGE:B.png]] [[media:A.ogg]]', ['A.ogg', 'B.png']],
    ['with blanks around the prefix', '[[ File :A.png]]', ['A.png']],
    ['with escapes', '[[F%69le:A.png]] [[File&#58;B.png]]', ['A.png']],
    ['with a link in a label', '[[x|see [[File:A.png]]', ['A.png']],
    ['with signs that JSON escapes', '[[File:A"b\\n.png]]', ['A"b\\n.png']],
    ['with a line break in the name', '[[File:A\n.png]]', []],
    ['that ends in a label', '[[File:A.png|thumb', []],
    ['that ends in a name', '[[File:A.png', []],
    ['that ends one bracket early', '[[File:A.png]', []],
    ['with a gallery', '<gallery>\nA.png\n</gallery>', ['A.png']],
    ['with a comment', '[[File:A<!-- x -->.png]] <!-- [[File:B.png]] -->', []],
    ['with a reference', '<ref>[[File:A.png]]</ref>', ['A.png']],
  ])('%s', (_case, wikitext, names) => {
    expect(namesIn(wikitext)).toEqual(names)
    expect(mediaLinks(wikitext, namespaces)).toEqual(names)
  })

  test('are the first ones up to a limit', () => {
    expect(namesIn('[[File:C.png]] [[File:B.png]] [[File:C.png]] [[File:A.png]]', 2)).toEqual([
      'B.png',
      'C.png',
    ])
  })
})

test('the files of any text are those of the whole rules', () => {
  const pieces = [
    '[',
    '[[',
    '[[File:',
    ']]',
    '|]]',
    '<!--',
    '-->',
    '<b>',
    'File',
    'faidhle',
    'IMAGE',
    'Media',
    'Fichièr',
    ':',
    ' ',
    '_',
    '|',
    '\n',
    '\\',
    '"',
    '&#58;',
    '%69',
    'A.png',
    'é',
    '<gallery>',
    '</gallery>',
    '{{',
    '}}',
  ]
  const random = randomNumbers(6)
  let withFiles = 0
  for (let round = 0; round < 20_000; round++) {
    const wikitext = Array.from({ length: 12 }, () => pieces[Math.floor(random() * pieces.length)]).join('')
    const names = mediaLinks(wikitext, namespaces, 2)
    expect(namesIn(wikitext, 2), wikitext).toEqual(names)
    if (names.length > 0) withFiles++
  }
  expect(withFiles).toBeGreaterThan(20)
})
