/** Marked titles and texts of pages around the articles. */
import { expect, test } from 'vitest'
import { markedHtml, markedName } from '../../../src/domain/variantMarks.js'
import { readMarked } from '../../../src/render/variants/readMarked.js'

const read = (text: string, variant = 'sr-ec'): string =>
  readMarked({ texts: [text], language: 'sr', variant })[0]!

test('names are converted, in content and in attributes, and nothing else is', () => {
  const name = markedName('Ana &amp; &quot;B&quot;')
  expect(read(`<a title="${name}" href="/wiki/Ana">${name}</a> Ana`)).toBe(
    '<a title="Ана &amp; &quot;Б&quot;" href="/wiki/Ana">Ана &amp; &quot;Б&quot;</a> Ana',
  )
})

test('names of namespaces are those of the variant', () => {
  expect(read(markedName('Разговор:Ана'), 'sr-el')).toBe('Razgovor:Ana')
  expect(readMarked({ texts: [markedName('Talk:軟體')], language: 'zh', variant: 'zh-cn' })).toEqual([
    '讨论:软件',
  ])
})

test('texts keep their elements, and their markup is read', () => {
  const html = 'ana <span class="searchmatch">b</span>ana &lt;b> -{sr-ec:x;sr-el:y}-'
  expect(read(markedHtml(html))).toBe('ана <span class="searchmatch">б</span>ана &lt;б> x')
})

test('a text in the script of the variant keeps its foreign words', () => {
  expect(read(markedHtml('шума и ђак abc'))).toBe('шума и ђак abc')
})

test.each(['\ufdd0a<b>\ufdd1', '\ufdd0a', 'a\ufdd1', '\ufdd2a', '\ufdd3\ufdd2', '\ufdd0a"b\ufdd1'])(
  'marks that do not fit are no marks: %j',
  (text) => {
    expect(read(text)).toBe(text)
  },
)

test('floods of marks take linear time', () => {
  for (const flood of ['\ufdd0', '\ufdd2', '\ufdd0a', '\ufdd2a\ufdd0', '\ufdd2\ufdd3', '\ufdd0\ufdd1'])
    read(flood.repeat(100_000))
})
