/** Spellings that people of a language treat as equal, each on a small wiki of that language. */
import { beforeAll, describe, expect, test } from 'vitest'
import { LetterSpellings, OR, someLooks, usualSpelling } from '../../../src/index/search/letterSpellings.js'
import { type SearchWiki, wikiWith } from '../../support/searchWiki.js'
import { problems } from '../../support/store.js'

interface Found {
  readonly title: string
  readonly excerpt: string
}

function wikiIn(language: string, pages: Readonly<Record<string, string>>): SearchWiki {
  const wiki = wikiWith({})
  wiki.applier.submit({ kind: 'settings', id: 'a'.repeat(32), time: 1_700_000_000, site: { language } })
  wiki.store.reloadSite()
  for (const [title, text] of Object.entries(pages)) wiki.write(title, text)
  return wiki
}

function search({ store }: SearchWiki, text: string): Found[] {
  const query = store.search.parse({ text, limit: 5, namespaces: [0] })
  return (JSON.parse(store.search.answer(query, 5).toString()) as { pages: Found[] }).pages
}

const titles = (wiki: SearchWiki, text: string): string[] => search(wiki, text).map(({ title }) => title)
const completed = ({ store }: SearchWiki, text: string): string[] =>
  (JSON.parse(store.search.complete({ text, limit: 5, namespaces: [0] })) as { pages: Found[] }).pages.map(
    ({ title }) => title,
  )

describe('a wiki in Arabic', () => {
  let wiki: SearchWiki
  beforeAll(() => {
    wiki = wikiIn('ar', {
      أحمد: 'ولد في مدرسة الإسكندرية عام ١٩٦٧ على البحر.',
      إيران: 'دولة في آسيا، مساحتها ١٬٦٤٨٬١٩٥ كم.',
      مستشفى: 'المستشفى الكبير في القاهرة.',
      آخر: 'صفحة أخرى عن القرآن وكلمة كتابی.',
    })
  })

  test.each([
    ['احمد', ['أحمد']],
    ['أحمد', ['أحمد']],
    ['ايران', ['إيران']],
    ['مدرسه', ['أحمد']],
    ['الاسكندريه', ['أحمد']],
    ['مستشفي', ['مستشفى']],
    ['القران', ['آخر']],
    ['كتابي', ['آخر']],
    ['کتابي', ['آخر']],
    ['1967', ['أحمد']],
    ['۱۹۶۷', ['أحمد']],
    ['١٩٦٧', ['أحمد']],
    ['1,648,195', ['إيران']],
    ['مُدَرِّسَة', ['أحمد']],
    ['الاسكندريه -احمد', []],
  ])('finds by %s: %j', (text, found) => {
    expect(titles(wiki, text)).toEqual(found)
  })

  test('marks the word in the excerpt, and completes titles', () => {
    expect(search(wiki, 'مدرسه')[0]?.excerpt).toContain("<span class='searchmatch'>مدرسة</span>")
    expect(search(wiki, '1967')[0]?.excerpt).toContain("<span class='searchmatch'>١٩٦٧</span>")
    expect(search(wiki, 'الاسكن')[0]?.title).toBe('أحمد')
    expect([completed(wiki, 'اح'), completed(wiki, 'اير'), completed(wiki, 'اخر')]).toEqual([
      ['أحمد'],
      ['إيران'],
      ['آخر'],
    ])
  })

  test('finds what is written later, in another spelling', () => {
    expect(titles(wiki, 'جديده')).toEqual([])
    wiki.write('صفحة', 'كلمة جديدة')
    expect(titles(wiki, 'جديده')).toEqual(['صفحة'])
    wiki.write('ثانية', 'كلمة جديده')
    expect(titles(wiki, 'جديدة').sort()).toEqual(['ثانية', 'صفحة'])
    expect(problems(wiki.store)).toEqual([])
  })
})

describe.each<[string, Readonly<Record<string, string>>, readonly (readonly [string, readonly string[]])[]]>([
  [
    'fa',
    { کتاب: 'من می‌خواهم سال ۲۰۲۴ را ببینم.', علی: 'کتاب عربي' },
    [
      ['كتاب', ['کتاب', 'علی']],
      ['میخواهم', ['کتاب']],
      ['می‌خواهم', ['کتاب']],
      ['2024', ['کتاب']],
      ['٢٠٢٤', ['کتاب']],
      ['علي', ['علی']],
      ['عربی', ['علی']],
    ],
  ],
  [
    'tr',
    { İstanbul: 'Işık ve ILIK su, Iğdır.', Izgara: 'ızgara' },
    [
      ['istanbul', ['İstanbul']],
      ['ISTANBUL', ['İstanbul']],
      ['ışık', ['İstanbul']],
      ['isik', ['İstanbul']],
      ['ılık', ['İstanbul']],
      ['IĞDIR', ['İstanbul']],
      ['izgara', ['Izgara']],
    ],
  ],
  [
    'ru',
    { Ёлка: 'Зелёная ёлка', Ель: 'Ель и её шишки' },
    [
      ['елка', ['Ёлка']],
      ['ЗЕЛЕНАЯ', ['Ёлка']],
      ['зелёная', ['Ёлка']],
      ['ее', ['Ель']],
    ],
  ],
  [
    'el',
    { Οδυσσέας: 'Ο Οδυσσέας της Ιθάκης', Λόγος: 'λόγος' },
    [
      ['ΟΔΥΣΣΕΑΣ', ['Οδυσσέας']],
      ['οδυσσεασ', ['Οδυσσέας']],
      ['λογος', ['Λόγος']],
      ['ΛΟΓΟΣ', ['Λόγος']],
    ],
  ],
  [
    'he',
    { שלום: 'שָׁלוֹם עולם', 'צה״ל': 'צבא' },
    [
      ['שלום', ['שלום']],
      ['שָׁלוֹם', ['שלום']],
    ],
  ],
  [
    'hi',
    { दिल्ली: 'वर्ष १९४७ में', भारत: 'in 1947' },
    [
      ['1947', ['भारत', 'दिल्ली']],
      ['१९४७', ['भारत', 'दिल्ली']],
    ],
  ],
  [
    'en',
    { Cairo: 'Cairo (القاهرة) in 1967 and ١٩٦٧, 1,234 and 1.234', Seven: '1967' },
    [
      ['القاهره', ['Cairo']],
      ['١٩٦٧', ['Cairo', 'Seven']],
      ['1.234', ['Cairo']],
      ['1 234', ['Cairo']],
    ],
  ],
])('a wiki in %s', (language, pages, searches) => {
  test.each(searches)('finds by %s: %j', (text, found) => {
    expect(titles(wikiIn(language, pages), text).sort()).toEqual([...found].sort())
  })
})

describe('spellings', () => {
  const arabic = new LetterSpellings([...'٠١٢٣٤٥٦٧٨٩'])

  test('are those that a list has', () => {
    const list = ['احمد', 'أحمدون', 'إحمد', 'بيت'].sort()
    const next = (from: string) => list.find((each) => each >= from)
    expect(arabic.among('احمد', next, someLooks()).sort()).toEqual(['احمد', 'أحمد', 'إحمد'].sort())
    expect(arabic.among('بيت', next, { left: 0 })).toEqual([])
  })

  test('take a bounded number of looks', () => {
    const looks = someLooks()
    const all = (from: string) => from
    expect(arabic.among('ا'.repeat(40), all, looks).length).toBeLessThanOrEqual(16)
    expect(looks.left).toBeLessThanOrEqual(0)
  })

  test('are looked for where letters have some', () => {
    const english = new LetterSpellings([...'0123456789'])
    expect(['moon 1967', 'Ёлка', 'שלום'].map((text) => english.mayDiffer(text))).toEqual([
      false,
      false,
      false,
    ])
    expect([english.mayDiffer('احمد'), english.mayDiffer('١')]).toEqual([true, true])
    expect([arabic.mayDiffer('moon'), arabic.mayDiffer('moon 1967')]).toEqual([false, true])
  })

  test('have one for comparison', () => {
    expect(usualSpelling('الإسكندرية۱٢')).toBe('الاسكندريه12')
    expect(usualSpelling('moon 1967')).toBe('moon 1967')
  })

  test('have a sign between them that no word has', () => {
    expect(OR).not.toMatch(/[\p{L}\p{N}\p{M}]/u)
  })
})
