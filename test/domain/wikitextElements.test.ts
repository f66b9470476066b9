/** All code that skips extension tags agrees on their ends. */
import { describe, expect, test } from 'vitest'
import { EXTENSION_TAG_FACTS, EXTENSION_TAGS } from '../../src/domain/extensionTags.js'
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../src/domain/interwiki.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { WikitextElements } from '../../src/domain/wikitextElements.js'
import { findLiteralParts } from '../../src/edit/literalParts.js'
import { plainText } from '../../src/index/text/plainText.js'
import { LanguageLinkReader } from '../../src/wikitext/languageLinkReader.js'
import { linkRules } from '../../src/wikitext/languageLinks.js'
import { mediaLinks } from '../../src/wikitext/mediaLinks.js'
import { ENGINE_TAGS } from '../../src/render/parsoid/tags.js'
import { TestWiki } from '../render/support/engine.js'
import { expandOn } from '../render/preprocessor/memoryWiki.js'
import { growth, MOST_GROWTH } from '../support/processorTime.js'
import { randomNumbers } from '../support/random.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const interwiki = interwikiMap(DEFAULT_SITE, NO_INTERWIKI_CHANGES)
const reader = new LanguageLinkReader(linkRules({ namespaces, interwiki, language: 'en' }))
const random = randomNumbers(20_260_314)
const RUNS = 150

interface Place {
  /** Within no extension tag and no comment. */
  readonly outside: boolean
  /** Within no comment and no tag whose content is no wikitext. */
  readonly visible: boolean
}

/** The rule as slowly and plainly as it can be said: where a place of a text lies that has tags of one name. */
function placeOf(text: string, place: number, tag: string): Place {
  const start = new RegExp(`^<${tag}(?=\\s|/>|>)`, 'i')
  const end = new RegExp(`</${tag}\\s*>`, 'i')
  for (let at = 0; at <= place; at++) {
    const rest = text.slice(at)
    let length = 0
    if (rest.startsWith('<!--')) {
      const close = rest.indexOf('-->', 4)
      length = close < 0 ? rest.length : close + 3
      if (place < at + length) return { outside: false, visible: false }
    } else if (start.test(rest) && rest.includes('>')) {
      const content = rest.indexOf('>') + 1
      const close = rest[content - 2] === '/' ? undefined : end.exec(rest.slice(content))
      if (close === null) continue
      length = close === undefined ? content : content + close.index + close[0].length
      if (place < at + length) {
        if (close === undefined) return { outside: false, visible: false }
        const within = rest.slice(content, content + close.index)
        const isWikitext = EXTENSION_TAG_FACTS.get(tag)?.content !== 'literal'
        const inner = placeOf(within, place - at - content, tag)
        return { outside: false, visible: isWikitext && inner.visible }
      }
    }
    if (length > 0) at += length - 1
  }
  return { outside: true, visible: true }
}

/** A text of tags of one name, whole and broken, with a mark in it; tags have no `<` before their `>`. */
function randomText(tag: string, mark: string): { text: string; place: number } {
  const upper = tag.toUpperCase()
  const pieces = [
    `<${tag}>`,
    `<${upper} a="b">`,
    `<${tag}\nc=d />`,
    `</${tag}>`,
    `</${upper} \n>`,
    `</${tag}x>`,
    `<${tag}x>`,
    '<!-- c -->',
    '<!--',
    '-->',
    ' word ',
    '<b>',
    '</b>',
    '\n',
  ]
  const before: string[] = []
  const after: string[] = []
  const length = 1 + Math.floor(random() * 8)
  for (let n = 0; n < length; n++)
    (random() < 0.6 ? before : after).push(pieces[Math.floor(random() * pieces.length)]!)
  const head = before.join('')
  return { text: `${head}${mark}${after.join('')}`, place: head.length }
}

describe.each([...EXTENSION_TAG_FACTS])('<%s> ends at the same place', (tag, facts) => {
  const check = (mark: string, agrees: (text: string, place: number, where: Place) => void): void => {
    for (let run = 0; run < RUNS; run++) {
      const { text, place } = randomText(tag, mark)
      agrees(text, place, placeOf(text, place, tag))
    }
  }

  test('where templates are expanded', () => {
    check('{{M}}', (text, _place, { outside }) => {
      const { wikitext } = expandOn(text, { pages: { 'Template:M': 'expanded' } })
      expect(wikitext.includes('expanded'), text).toBe(outside)
    })
  })

  test('where a text is saved', () => {
    check('~~~~', (text, place, { outside }) => {
      const literal = findLiteralParts(text).some(({ start, end }) => start <= place && place < end)
      expect(!literal, text).toBe(outside)
    })
  })

  test('where links are read', () => {
    check('[[de:Mark]] [[File:Mark.png]]', (text, _place, { visible }) => {
      expect(reader.listIn(text).length > 2, text).toBe(visible)
      if (facts.content !== 'files')
        expect(mediaLinks(text, namespaces), text).toEqual(visible ? ['Mark.png'] : [])
    })
  })

  test('where a page is read for the search', () => {
    check('[[Place|mark]]', (text, _place, { outside, visible }) => {
      const { text: found, auxiliary } = plainText(text, namespaces)
      const shown = facts.search === 'wikitext' ? visible : outside
      expect(/(?<!\|)mark/.test(found), text).toBe(shown)
      if (facts.search === 'aside') expect(auxiliary.includes('mark'), text).toBe(visible && !outside)
      if (facts.search === 'nothing') expect(found.includes('mark'), text).toBe(outside)
    })
  })

  test.each([
    ['a', `<${tag}>one</${tag}>''after''`, 'after'],
    ['a capital', `<${tag.toUpperCase()}>one</${tag}\n>''after''`, 'after'],
    ['an empty', `<${tag} />''after''</${tag}>`, 'after'],
    ['an inner', `<${tag}><${tag}>one</${tag}>''after''`, 'after'],
  ])('where the engine meets %s tag', async (_form, text, word) => {
    expect(ENGINE_TAGS).toContain(tag)
    expect(await new TestWiki().body(text)).toContain(`<i>${word}</i>`)
  })
})

const literalTags = [...EXTENSION_TAG_FACTS].filter(([, { content }]) => content === 'literal')
test.each(literalTags)('the engine reads no wikitext in <%s>', async (tag) => {
  expect(await new TestWiki().body(`<${tag}>''in''</${tag}>`)).not.toContain('<i>')
})

describe('the bounds of an element', () => {
  test.each<[string, string, string | undefined]>([
    ['an element', '<ref>a</ref>b', '<ref>|a|</ref>'],
    ['attributes and blanks', '<ref a="/" >a</REF \t\n>b', '<ref a="/" >|a|</REF \t\n>'],
    ['an empty element', '<ref name=a />b</ref>', '<ref name=a />||'],
    ['an element without content', '<ref></ref>', '<ref>||</ref>'],
    ['no end tag', '<ref>a', undefined],
    ['no end of the start tag', '<ref a', undefined],
    ['the end tag of another name', '<ref>a</references>', undefined],
    ['the first end tag', '<ref><ref>a</ref></ref>', '<ref>|<ref>a|</ref>'],
  ])('of %s', (_what, text, expected) => {
    const bounds = new WikitextElements(text).elementAt(0, 'ref')
    const parts =
      bounds &&
      [
        text.slice(0, bounds.contentStart),
        text.slice(bounds.contentStart, bounds.contentEnd),
        text.slice(bounds.contentEnd, bounds.end),
      ].join('|')
    expect(parts).toBe(expected)
  })

  test('are the same in whatever order they are asked for', () => {
    const text = '<a>1</a><b><a>2</b></a><!-- x --><b>3</b><a>'
    const places = Array.from(text.matchAll(/<[ab]>/g), ({ index }) => index)
    const all = (order: readonly number[]) => {
      const elements = new WikitextElements(text)
      const found = order.map((at) => [at, elements.elementAt(at, text[at + 1]!), elements.commentEnd(at)])
      return found.sort(([a], [b]) => Number(a) - Number(b))
    }
    expect(all([...places].reverse())).toEqual(all(places))
  })

  test.each(['<ref ', '<ref>', '<!--', '<ref><!--', '</ref', `</ref${' '.repeat(500)}`, '<ref></ref>'])(
    'are found in time in step with the length for %j repeated',
    (piece) => {
      const run = (length: number): void => {
        const text = `${piece.repeat(length / piece.length)}></ref x>-->`
        const elements = new WikitextElements(text)
        for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
          elements.elementAt(at, 'ref')
          elements.commentEnd(at)
        }
      }
      expect(growth(run, 100_000)).toBeLessThan(MOST_GROWTH)
    },
  )
})

test('the table is the list of all', () => {
  expect([...EXTENSION_TAGS]).toEqual([...ENGINE_TAGS])
})
