import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { redirectTarget } from '../../src/domain/redirect.js'
import { describeShared } from '../support/shared.js'

describe('a redirect', () => {
  test.each([
    ['plain', '#REDIRECT [[Target]]', 'Target'],
    ['in lower case', '#redirect [[Target]]', 'Target'],
    ['without a blank', '#Redirect[[Target]]', 'Target'],
    ['with a colon', '#REDIRECT: [[Target]]', 'Target'],
    ['with a colon apart', '#REDIRECT : [[Target]]', 'Target'],
    ['with a line break before the link', '#REDIRECT\n[[Target]]', 'Target'],
    ['after blanks and line breaks', ' \n\t#REDIRECT [[Target]]', 'Target'],
    ['with text behind', '#REDIRECT [[Target]] {{R from move}}\n[[Category:X]]', 'Target'],
    ['with a label', '#REDIRECT [[Target|label]]', 'Target'],
    ['with an empty label', '#REDIRECT [[Target|]]', 'Target'],
    ['with a bracket in the label', '#REDIRECT [[Target|a]b]]', 'Target'],
    ['to a section', '#REDIRECT [[Target#Part one]]', 'Target#Part one'],
    ['to a section, with a label', '#REDIRECT [[X#sect|label]]', 'X#sect'],
    ['with underscores and blanks', '#REDIRECT [[ Main__Page _]]', 'Main Page'],
    ['to a category', '#REDIRECT [[:Category:Animals]]', 'Category:Animals'],
    ['with character references', '#REDIRECT [[AT&amp;T&#32;&#xC9;]]', 'AT&T É'],
    ['German', '#WEITERLEITUNG [[Ziel]]', 'Ziel'],
    ['German in lower case', '#weiterleitung [[Ziel]]', 'Ziel'],
    ['Russian in capitals', '#ПЕРЕНАПРАВЛЕНИЕ [[Цель]]', 'Цель'],
    ['Japanese, full width', '＃転送 [[東京]]', '東京'],
    ['Chinese without a blank', '#重定向[[北京]]', '北京'],
    ['percent escapes', '#REDIRECT [[Caf%C3%A9%20noir]]', 'Café noir'],
    ['Turkish with a dotted capital', '#YÖNLENDİRME [[Hedef]]', 'Hedef'],
    ['Turkish in lower case', '#yönlendirme [[Hedef]]', 'Hedef'],
    ['Arabic', '#تحويل [[هدف]]', 'هدف'],
    ['Persian', '#تغییر_مسیر [[هدف]]', 'هدف'],
    ['Vietnamese', '#đổi [[Đích]]', 'Đích'],
    ['Welsh with a hyphen', '#ail-cyfeirio [[Targed]]', 'Targed'],
    ['Czech in decomposed letters', '#PŘESMĚRUJ [[Cíl]]'.normalize('NFD'), 'Cíl'.normalize('NFD')],
  ])('%s is found', (_case, wikitext, target) => {
    expect(redirectTarget(wikitext)).toBe(target)
  })
})

describe('no redirect', () => {
  test.each([
    ['an empty text', ''],
    ['a word in the middle', 'See #REDIRECT [[Target]]'],
    ['a list', '# REDIRECT [[Target]]'],
    ['the word alone', '#REDIRECT'],
    ['an unknown word', '#GOTO [[Target]]'],
    ['a longer word', '#REDIRECTED [[Target]]'],
    ['text before the link', '#REDIRECT to [[Target]]'],
    ['an external link', '#REDIRECT [http://example.org]'],
    ['an open link', '#REDIRECT [[Target'],
    ['an open link with a label', '#REDIRECT [[Target|label'],
    ['an empty link', '#REDIRECT [[]]'],
    ['a blank link', '#REDIRECT [[ _ ]]'],
    ['a section of nothing', '#REDIRECT [[#Part]]'],
    ['a template in the link', '#REDIRECT [[{{PAGENAME}}]]'],
    ['a line break in the link', '#REDIRECT [[Tar\nget]]'],
  ])('%s', (_case, wikitext) => {
    expect(redirectTarget(wikitext)).toBeUndefined()
  })

  test.each([
    ['blanks before the word', ' '.repeat(500_000)],
    ['blanks after the word', `#redirect${' '.repeat(500_000)}`],
    ['a long word', `#${'redirect'.repeat(100_000)}`],
    ['an endless link', `#redirect [[${'a'.repeat(500_000)}`],
    ['an endless label', `#redirect [[a|${'] '.repeat(300_000)}`],
  ])('is found in hostile texts: %s', (_case, wikitext) => {
    expect(redirectTarget(wikitext)).toBeUndefined()
  })
})

describeShared('redirects of a dump', 'corpus/odd/redirects.xml', (dump) => {
  test('are those that the dump states', () => {
    const pages = readFileSync(dump, 'utf8').split('<page>').slice(1)
    expect(pages).toHaveLength(8)
    for (const page of pages) {
      const stated = /<redirect title="([^"]*)"/.exec(page)?.[1]
      const text = /<text[^>]*>([^<]*)</.exec(page)?.[1] ?? ''
      expect(redirectTarget(text)).toBe(stated)
    }
  })
})
