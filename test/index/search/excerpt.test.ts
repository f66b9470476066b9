import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { Excerpts } from '../../../src/index/search/excerpt.js'
import { encodeIndexedRow, IndexedRowView } from '../../../src/index/rows/indexedRow.js'
import { JsonBytes } from '../../../src/index/search/jsonBytes.js'
import { parseQuery } from '../../../src/index/search/query.js'
import { escapeHtml } from '../../../src/domain/html.js'
import { growth, MOST_GROWTH } from '../../support/processorTime.js'

const namespaces = new Namespaces(DEFAULT_SITE)

function excerpt(query: string, text: string, auxiliary = ''): string {
  const page = { pageId: 1, namespace: 0, latestId: 1, dbkey: 'Any', key: 'Any', title: 'Any' }
  const more = { description: undefined, redirect: undefined, files: [], text, auxiliary, textHidden: false }
  const view = new IndexedRowView(encodeIndexedRow({ ...page, ...more }))
  const json = new JsonBytes().text('"')
  new Excerpts(parseQuery(query, namespaces, [0])).cut(view, json)
  return JSON.parse(json.text('"').take().toString()) as string
}
const marked = (html: string): string =>
  html.replaceAll("<span class='searchmatch'>", '{').replaceAll('</span>', '}')

describe('an excerpt', () => {
  test.each([
    [
      'marks words whole, in any case',
      'moon ',
      'The Moon, a moon; MOON and moons.',
      'The {Moon}, a {moon}; {MOON} and moons.',
    ],
    ['marks words with accents', 'cafe', 'Un Café noir.', 'Un {Café} noir.'],
    ['marks beginnings of words', 'caf*', 'Many cafés here.', 'Many {cafés} here.'],
    ['marks stretches of Chinese', '圍棋', '說圍棋是一種遊戲。', '說{圍棋}是一種遊戲。'],
    ['marks longer stretches as one', '圍棋是', '說圍棋是一種。', '說{圍棋是}一種。'],
    ['marks Thai', 'ไทย', 'ประเทศไทยและ', 'ประเทศ{ไทย}และ'],
    ['marks beginnings in Japanese', '日本*', 'これは日本です。', 'これは{日本}です。'],
    ['marks longer beginnings in Japanese as one', '日本語*', 'これは日本語です。', 'これは{日本語}です。'],
    ['marks the one character of a beginning', '日*', 'これは日本語です。', 'これは{日}本語です。'],
    ['marks kana with voicing marks of their own', 'ガク', 'そのカ\u3099クは', 'その{カ\u3099ク}は'],
    ['marks narrow kana with voicing marks', 'ガイド', 'そのｶﾞｲﾄﾞは', 'その{ｶﾞｲﾄﾞ}は'],
    ['marks letters that fold to several', 'น้ำตก', 'ที่น้ำตกไทย', 'ที่{น้ำตก}ไทย'],
    ['escapes what is around and inside', "x'y", `<b>"x'y" & z`, '&lt;b&gt;&quot;{x}&#039;{y}&quot; &amp; z'],
    ['joins lines', 'two', 'one\ntwo\nthree', 'one {two} three'],
    ['is the first words without any match', 'other', 'First line.\nSecond.', 'First line. Second.'],
    ['is empty for an empty text', 'any', '', ''],
  ])('%s', (_name, query, text, html) => {
    expect(marked(excerpt(query, text))).toBe(html)
  })

  test('is cut at blanks, and says so', () => {
    const filler = 'lorem ipsum dolor sit amet '.repeat(40)
    const html = marked(excerpt('moon', `${filler}moon ${filler}`))
    expect(html).toMatch(
      /^\.\.\.(lorem|ipsum|dolor|sit|amet) .*\{moon\} .*(lorem|ipsum|dolor|sit|amet)\.\.\.$/,
    )
    expect(html.length).toBeLessThan(260)
  })

  test('is taken from where most of the words are', () => {
    const filler = 'lorem ipsum '.repeat(60)
    const html = marked(excerpt('sun moon', `sun ${filler} moon ${filler} the moon and the sun ${filler}`))
    expect(html).toContain('the {moon} and the {sun}')
  })

  test('is taken from tables and footnotes only when the text has none of the words', () => {
    expect(marked(excerpt('moon', 'A text.', 'A moon aside.'))).toBe('A {moon} aside.')
    expect(marked(excerpt('moon', 'A moon.', 'A moon aside.'))).toBe('A {moon}.')
  })

  test('shows more before a place near the end of the text', () => {
    const filler = 'lorem ipsum dolor sit amet '.repeat(40)
    const html = marked(excerpt('moon', `${filler}moon`))
    expect(html).toMatch(/^\.\.\.(lorem|ipsum|dolor|sit|amet) .*\{moon\}$/)
    expect(html.length).toBeGreaterThan(200)
  })

  test.each([
    ['in the usual spelling', 'moon', 'Moon'],
    ['with accents', 'cafe', 'CAFÉ'],
    ['with accents, as a beginning', 'caf*', 'Cafés'],
    ['of several letters for one', 'strasse', 'STRAẞE'],
    ['with marks of their own', 'cafe', 'Cafe\u0301'],
    ['in a script without spaces', '圍棋', '圍棋'],
    ['in a script without spaces, as a beginning', '日本*', '日本'],
    ['in kana with voicing marks of their own', 'がば', 'か\u3099は\u3099'],
    ['in a letter that folds to several', 'นำ', 'นำ'],
  ])('finds a word far behind the beginning, %s', (_name, query, word) => {
    const filler = 'lorem ipsum “dolor” sit ámet '.repeat(300)
    expect(marked(excerpt(query, `${filler} ${word} ${filler}`))).toContain(`{${word}}`)
  })

  test('finds a pair of characters wherever it is', () => {
    for (const lead of [1000, 4070].flatMap((from) => Array.from({ length: 30 }, (_, n) => from + n))) {
      expect(marked(excerpt('圍棋', `${'x'.repeat(lead)}說圍棋是`))).toContain('說{圍棋}是')
    }
  })

  test.each([
    ['behind the first place', `圍 ${'說'.repeat(300)}。圍棋是一種。${'說'.repeat(300)}圍棋。`],
    ['behind places of some', `${'圍棋。'.repeat(2)}${'說'.repeat(600)}。圍棋是一種`],
    ['in a mix of scripts', `go ${'說'.repeat(600)} 圍棋 ${'說'.repeat(600)}。go圍棋是一種`],
  ])('is taken from where most characters of a query are, %s', (_name, text) => {
    expect(marked(excerpt('go圍棋是一', `go ${text}`))).toContain('{圍棋是一}')
  })

  test('finds words of letters that fold to characters without spaces', () => {
    const filler = 'lorem ipsum '.repeat(40)
    expect(marked(excerpt('一二', `${filler} ㊀㊁ ${filler}`))).toContain('{㊀㊁}')
    expect(marked(excerpt('ー', `${filler} ｰ ${filler}`))).toContain('{ｰ}')
  })

  test('escapes every sign', () => {
    const text = Array.from({ length: 0x90 }, (_, n) => String.fromCharCode(n)).join('')
    expect(excerpt('other', text)).toBe(escapeHtml(text.replace('\n', ' ')))
  })

  test('never cuts a letter in two', () => {
    for (let lead = 0; lead < 12; lead++) {
      const html = excerpt('moon', `${'x'.repeat(lead)}${'日本語'.repeat(100)} moon ${'हिन्दी'.repeat(100)}`)
      expect(html).not.toContain('\ufffd')
    }
  })

  test('never cuts a voicing mark from its letter', () => {
    const voiced = 'か\u3099'.repeat(200)
    for (let lead = 0; lead < 6; lead++) {
      for (const text of [`${'x'.repeat(lead)}${voiced}`, `${voiced}${'x'.repeat(lead)}moon ${voiced}`]) {
        expect(marked(excerpt('moon', text))).not.toMatch(/(^|[^か])\u3099|か(?!\u3099)/u)
      }
    }
  })

  test('takes time in step with the text', () => {
    const unspaced = (length: number) => excerpt('がば', 'か\u3099'.repeat(length))
    expect(growth(unspaced, 20_000)).toBeLessThan(MOST_GROWTH)
    const matches = (length: number) => excerpt('a b c d', 'aa'.repeat(length))
    const misses = (length: number) => excerpt('moon', `${'a'.repeat(length)} é`)
    expect(growth(matches, 125_000)).toBeLessThan(MOST_GROWTH)
    expect(growth(misses, 250_000)).toBeLessThan(MOST_GROWTH)
  })
})
