import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { shortDescription, plainText } from '../../../src/index/text/plainText.js'
import { growth, MOST_GROWTH } from '../../support/processorTime.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const extract = (wikitext: string) => plainText(wikitext, namespaces)

describe('the text of a page', () => {
  test.each([
    ['bold and italics', "a '''bold''' and ''slanted'' '''''word'''''", 'a bold and slanted word'],
    ['a link', 'see [[Moon]] and [[Sun|the star]]s', 'see Moon and the stars'],
    ['a link with a leading colon', 'in [[:Category:Trees]]', 'in Category:Trees'],
    ['an external link', 'at [https://tree.example the tree] and [https://x.example]', 'at the tree and'],
    ['headings', '== Roots ==\ndeep\n=== Bark ===\nrough', 'Roots\ndeep\nBark\nrough'],
    ['lists', '* one\n** two\n# three\n; term : meaning', 'one\ntwo\nthree\nterm : meaning'],
    ['comments', 'a<!-- [[hidden]] -->b<!-- open', 'ab'],
    ['character references', 'salt &amp; pepper &#8212; fine', 'salt & pepper — fine'],
    ['line breaks', 'one<br />two<br>three', 'one\ntwo\nthree'],
    ['other tags', '<div class="x">in <b>it</b></div>', 'in it'],
    ['nowiki', '<nowiki>[[not a link]]</nowiki>', '[[not a link]]'],
    ['math and galleries', 'a<math>x^2</math>b<gallery>\nFile:A.jpg|c\n</gallery>c', 'a b c'],
    [
      'tags whose content is for machines',
      'a<maplink latitude=1>{"type":"x"}</maplink>b<mapframe>{}</mapframe>c<categorytree>d</categorytree>e<inputbox>\ntype=create\n</inputbox>f<indicator name="g">h</indicator>i<charinsert>j</charinsert>k',
      'a b c e f i k',
    ],
    ['the marks of sections', '<section begin=a />one<section end="a" /> two', 'one two'],
    ['tags that are never closed', 'a<maplink>b<ref>c', 'abc'],
    ['a comment that a poem cuts off', '<poem>a<!-- b</poem>c --> d', 'ac --> d'],
    ['words of magic', '__NOTOC__text', 'text'],
    ['interlanguage links', 'text [[de:Baum]] [[fr:Arbre|arbre]]', 'text'],
    ['a less-than sign', 'a < b and c <- d', 'a < b and c <- d'],
    ['what only looks like a tag', 'a <b and c> or <on> d', 'a or <on> d'],
    ['brackets', 'a [b] c', 'a [b] c'],
  ])('of %s', (_name, wikitext, text) => {
    expect(extract(wikitext).text).toBe(text)
  })

  test('has no templates, tables, footnotes, files and categories', () => {
    const wikitext = `{{Infobox tree|name=Oak|height={{convert|40|m}}}}
[[File:Oak.jpg|thumb|left|200px|An ''old'' [[oak]]]]
Oaks are trees.<ref name="a">Oak, ''Trees'', 1999</ref><ref name="a" /> They grow.
{| class="wikitable"
|-
! Kind !! Leaves
|-
| style="x" | Red oak || pointed
|}
[[Category:Trees|Oak]]`
    const { text, auxiliary } = extract(wikitext)
    expect(text).toBe('Oaks are trees. They grow.')
    for (const word of [
      'Infobox tree',
      'Oak',
      '40',
      'An old oak',
      '1999',
      'Leaves',
      'Red oak',
      'pointed',
      'Trees',
    ]) {
      expect(auxiliary).toContain(word)
    }
    for (const word of ['thumb', '200px', 'wikitable', 'name', 'style']) expect(auxiliary).not.toContain(word)
  })

  test('has captions of galleries, without names of files and options', () => {
    const wikitext = `before <gallery mode="packed" caption="Four [[tree]]s" widths=90>
File:Oak.jpg|An ''old'' [[Quercus|oak]] &amp; its leaves|alt=unseen
Image:Elm.png
Birch.jpg|100px|link=Elsewhere|White ''birch''
</gallery> after`
    const { text, auxiliary } = extract(wikitext)
    expect(text).toBe('before after')
    expect(auxiliary.split('\n')).toEqual(['Four trees', 'An old oak & its leaves', 'White birch'])
  })

  test('goes on after what was never closed', () => {
    expect(extract('{{open\ntext').auxiliary).toContain('text')
    expect(extract('a [[open\ntext').text).toContain('text')
    expect(extract('a }} b ]] c |} d').text).toBe('a b c d')
    expect(extract('<gallery>a b').text).toBe('a b')
  })

  test.each([
    ['{{'],
    ['[['],
    ['[[a|'],
    ['{|'],
    ['<gallery>'],
    ['<ref>'],
    ['<!-'],
    ['<a '],
    ["''"],
    ['|='],
    ['{{a|b='],
    ['[[File:a|'],
    ['[http://'],
    ['&'],
    ['\n='],
    ['__A'],
  ])('takes time in step with its length for %s repeated', (part) => {
    const run = (length: number) => extract(part.repeat(length / part.length))
    expect(growth(run, 100_000)).toBeLessThan(MOST_GROWTH)
  })
})

describe('the short description', () => {
  test.each([
    ['{{Short description|A tall tree}}', 'A tall tree'],
    ['{{short_description|1=A tall  tree|noreplace}}\ntext', 'A tall tree'],
    ['x {{SHORTDESC:Salt &amp; pepper}}', 'Salt & pepper'],
    ['{{Short description|none}}', undefined],
    ['{{Short description|}}', undefined],
    ['{{Short descriptions|a}}', undefined],
    ['no template', undefined],
  ])('of %s', (wikitext, description) => {
    expect(shortDescription(wikitext)).toBe(description)
  })
})
