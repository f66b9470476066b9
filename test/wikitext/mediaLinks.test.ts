import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { mediaLinks } from '../../src/wikitext/mediaLinks.js'

const english = new Namespaces(DEFAULT_SITE)
const german = new Namespaces({
  ...DEFAULT_SITE,
  namespaces: DEFAULT_SITE.namespaces.map((namespace) =>
    namespace.id === 6 ? { ...namespace, name: 'Datei' } : namespace,
  ),
})

describe('the files of a wikitext', () => {
  test.each<[what: string, wikitext: string, files: string[]]>([
    ['a picture', '[[File:Moon.png]]', ['Moon.png']],
    ['its old name', '[[Image:Moon.png|thumb|The moon]]', ['Moon.png']],
    ['any case and blanks', '[[ fiLE : full  moon.png |left]]', ['Full_moon.png']],
    ['underscores', '[[File:_full__moon.png]]', ['Full_moon.png']],
    ['a link to the file itself', '[[Media:Moon.ogg|listen]]', ['Moon.ogg']],
    ['no link to a description', '[[:File:Moon.png]] [[: File:Moon.png]]', []],
    ['no other links', '[[Moon]] [[Talk:Moon]] [[de:Mond]] [http://x/File:Moon.png]', []],
    ['each once, sorted', '[[File:B.png]] [[File:a.png]] [[Image:B.png]]', ['A.png', 'B.png']],
    ['pictures in captions', '[[File:A.png|thumb|see [[File:B.png|20px]] there]]', ['A.png', 'B.png']],
    ['character references', '[[File:Caf&eacute;.png]] [[File:A&amp;B.png]]', ['A&B.png', 'Café.png']],
    ['percent escapes', '[[File:Caf%C3%A9%20au.png]]', ['Café_au.png']],
    ['escapes in the prefix', '[[F%69le:A.png]] [[&#70;ile:B.png]] [[File&#58;C.png]]', ['A.png', 'B.png']],
    ['nothing of escapes that are no UTF-8', '[[File:A%FF.png]]', []],
    ['nothing in comments', '<!-- [[File:A.png]] -->', []],
    ['nothing in nowiki', '<nowiki>[[File:A.png]]</nowiki><pre>[[File:B.png]]</pre>', []],
    ['nothing with a parameter in it', '[[File:{{{1}}}.png]] [[File:{{PAGENAME}}.png]]', []],
    ['nothing that does not end', '[[File:A.png', []],
    ['nothing over two lines', '[[File:A\n.png]]', []],
    ['nothing that is no title', '[[File:]] [[File:~~~.png]] [[File:../a.png]]', []],
    ['a fragment left out', '[[File:A.pdf#page=2]]', ['A.pdf']],
    [
      'a gallery, with and without prefixes',
      '<gallery mode="packed">\nFile:A.png|first\nimage:b.png\n\n C d.png | third\n<!-- E.png -->\n</gallery>',
      ['A.png', 'B.png', 'C_d.png'],
    ],
    ['no gallery that does not end', '<gallery>\nA.png\n', []],
    [
      'a gallery after another list that does not end',
      '<imagemap>\nA.png\n<gallery>\nB.png\n</gallery>',
      ['B.png'],
    ],
    ['no gallery in nowiki', '<nowiki><gallery>\nA.png\n</gallery></nowiki>', []],
    ['an empty gallery', '<gallery/>\nA.png', []],
    [
      'two galleries',
      '<gallery>\nA.png\n</gallery>\nB.png\n<GALLERY>\nC.png\n</GALLERY>',
      ['A.png', 'C.png'],
    ],
    [
      'the picture of an image map',
      '<imagemap>\n# a map\nImage:A.png|100px\nrect 0 0 1 1 [[Moon]]\n</imagemap>',
      ['A.png'],
    ],
    ['astral letters after all others', '[[File:𝔄.png]] [[File:Ａ.png]]', ['Ａ.png', '𝔄.png']],
  ])('%s', (_what, wikitext, files) => {
    expect(mediaLinks(wikitext, english)).toEqual(files)
  })

  test('are named in the wiki’s own language and in English', () => {
    const wikitext = '[[Datei:A.png]] [[File:B.png]] [[Image:C.png]] <gallery>\nDatei:D.png\nE.png</gallery>'
    expect(mediaLinks(wikitext, german)).toEqual(['A.png', 'B.png', 'C.png', 'D.png', 'E.png'])
    expect(mediaLinks('[[Datei:A.png]]', english)).toEqual([])
  })

  test('are at most as many as asked for', () => {
    const wikitext = Array.from({ length: 300 }, (_, n) => `[[File:F${n}.png]]`).join(' ')
    expect(mediaLinks(wikitext, english, 101)).toHaveLength(101)
    expect(
      mediaLinks(`<gallery>${wikitext.replaceAll(/\[\[|\]\] ?/g, '\n')}</gallery>`, english, 101),
    ).toHaveLength(101)
  })
})

describe('a hostile text', () => {
  const MEGABYTE = 2 ** 20
  test.each<[string, string]>([
    ['openings alone', '[['],
    ['prefixes alone', '[[File:'],
    ['links of one long name', `[[File:${'a'.repeat(990)}`],
    ['combining marks', `[[File:a${'\u0327\u0301'.repeat(490)}]]`],
    ['combining marks before the colon', `[[a${'\u0327\u0301'.repeat(490)}:]]`],
    ['galleries', '<gallery>'],
    ['galleries that end', '<gallery></gallery>'],
    ['attributes', '<gallery '],
    ['comments in galleries', '<gallery><!--</gallery>'],
  ])('of %s is read to its end', (_what, piece) => {
    const text = `${piece.repeat(Math.ceil(MEGABYTE / piece.length))}]]`
    expect(mediaLinks(text, english)).toEqual([])
  })
})
