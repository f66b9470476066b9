import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { FileSigns } from '../../src/render/fileSigns.js'
import { mediaLinks } from '../../src/render/mediaLinks.js'
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
const signs = new FileSigns(namespaces)
const mayUseFiles = (wikitext: string): boolean =>
  signs.mayUseFiles(Buffer.from(JSON.stringify(wikitext)).subarray(1, -1))

describe('a text', () => {
  test.each([
    'The moon [[Moon]] is [[grey|dark grey]], as [[Baile Mòr]] is.',
    '[[de:Mond]] [[zh-min-nan:Goe̍h]] [[Talk:Moon]] [[Category:Moons]]',
    '[[:File:Moon.png]]',
    '[[Moon\nFile:Moon.png]]',
    '[[',
    '',
  ])('%s surely uses no file', (wikitext) => {
    expect(mayUseFiles(wikitext)).toBe(false)
  })

  test.each([
    ...[
      '[[File:A.png]]',
      '[[faidhle:A.png|thumb]]',
      '[[IMAGE:A.png]]',
      '[[media:A.ogg]]',
      '[[ File :A.png]]',
    ],
    ...['[[F%69le:A.png]]', '[[File&#58;A.png]]', '[[x|see [[File:A.png]]', '<gallery>\nA.png\n</gallery>'],
  ])('%s may use one', (wikitext) => {
    expect(mayUseFiles(wikitext)).toBe(true)
  })
})

test('no text with files is sorted out', () => {
  const pieces = [
    '[[',
    ']]',
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
    if (mediaLinks(wikitext, namespaces).length === 0) continue
    withFiles++
    expect(mayUseFiles(wikitext), wikitext).toBe(true)
  }
  expect(withFiles).toBeGreaterThan(20)
})
