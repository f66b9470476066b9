/** Functions whose answers depend on the wiki's language, beside what `test/language/recorded.test.ts` has. */
import { describe, expect, test } from 'vitest'
import { expandOn } from './memoryWiki.js'

const shown = (language: string, wikitext: string): string =>
  expandOn(wikitext, { site: { language } }).wikitext.replace(/<[^<>]*>/g, '')

describe('dates in another order', () => {
  test.each([
    ['ru', '5 октябрь 2024|mdy', 'октябрь 5, 2024'],
    ['ru', 'ОКТЯБРЬ 5, 2024|dmy', '5 октябрь 2024'],
    ['ru', '05 окт 2024|ymd', '2024 октябрь 05'],
    ['ru', '2024 октябрь 5|ISO 8601', '2024-10-05'],
    ['ru', '5 октября 2024|mdy', '5 октября 2024'],
    ['ru', '5 October 2024|mdy', '5 October 2024'],
    ['ru', '5 октябрь|mdy', 'октябрь 5'],
    ['ru', 'октябрь 5|ymd', 'октябрь 5'],
    ['ru', '5 октябрь|ISO 8601', '5 октябрь'],
    ['ru', '2024-10-05|dmy', '5 октябрь 2024'],
    ['ru', '2024-10-05|iso 8601', '2024-10-05'],
    ['ru', '2024-13-05|dmy', '2024-13-05'],
    ['tr', '5 ekim 2024|mdy', 'Ekim 5, 2024'],
    ['fa', '۵ اکتبر ۲۰۲۴|mdy', 'اکتبر ۵, ۲۰۲۴'],
    ['zh', '5 10月 2024|mdy', '10月 5, 2024'],
    ['en', 'October 5|dmy', '5 October'],
  ])('%s: %s', (language, text, expected) => {
    expect(shown(language, `{{#formatdate:${text}}}`)).toBe(expected)
  })

  test('name the day for programs in digits from 0 to 9', () => {
    const { wikitext } = expandOn('{{#formatdate:۵ اکتبر ۲۰۲۴|mdy}}', { site: { language: 'fa' } })
    expect(wikitext).toContain('title="2024-10-05"')
  })
})

describe('fields of calendars', () => {
  test.each([
    ['xit xiz', '2024-03-20', '31 0'],
    ['xit xiz', '2025-03-20', '29 365'],
    ['xit xiz', '2025-02-20', '29 337'],
    ['xit', '2024-10-05', '30'],
    ['xjt', '2024-03-20', '29'],
    ['xjt', '2024-01-20', '30'],
    ['xjz', '2024-01-20', 'z'],
  ])('%s of %s', (format, day, expected) => {
    expect(shown('ru', `{{#time:${format}|${day}}}`)).toBe(expected)
  })
})

describe('cases of names', () => {
  test.each([
    [
      'ru',
      'genitive',
      'Википедия Викисловарь Викитека Викиновости Викиучебник Викигид Викиданные Метавики',
      'Википедии Викисловаря Викитеки Викиновостей Викиучебника Викигида Викиданных Метавики',
    ],
    ['ru', 'accusative', 'Википедия Викитека Викимедиа Кот', 'Википедию Викитеку Викимедиу Кот'],
    ['ru', 'prepositional', 'Википедия Викисловарь Викиданные', 'Википедии Викисловаре Викиданных'],
    ['ru', 'dative', 'Википедия', 'Википедия'],
    ['ru', 'languagegen', 'русский немецкий иврит древний', 'русского немецкого иврита древний'],
    ['ru', 'languageadverb', 'русский', 'по-русски'],
    ['ru', 'languageadverb', 'идиш', 'на идише'],
    ['ru', 'languageadverb', 'язык', 'на языке язык'],
    ['uk', 'genitive', 'Вікіпедія Вікіцитати Вікісловник Вікі', 'Вікіпедії Вікіцитат Вікісловника Вікі'],
    ['uk', 'locative', 'Вікі', 'у Вікі'],
    ['he', 'תחילית', 'ויקי וועד הבית ה abc ירושלים', 'וויקי וועד בית ה ־abc ירושלים'],
    ['he', 'prefixed', '1984', '־1984'],
    ['fi', 'illative', 'Wiki Kirjasto Kat', 'Wikiin Kirjastoon Katiin'],
    ['fi', 'elative', 'Kirja Yö', 'Kirjasta Yöstä'],
    ['sv', 'genitive', 'Wiki Wikibooks Вики', 'Wikis Wikibooks Вики:s'],
    ['nb', 'genitive', 'Wiki Wikibooks', 'Wikis Wikibooks’'],
    ['bs', 'lokativ', 'Wiki', 'o Wiki'],
    ['dsb', 'instrumental', 'Wiki', 'wo z Wiki'],
    ['sl', 'orodnik', 'Wiki', 'z Wiki'],
    ['hu', 'rol', 'Wiki Wikipédia', 'Wikiról Wikipédiaról'],
    ['hy', 'genitive', 'Վիքի Վիքիպեդիա Անո', 'Վիքիի Վիքիպեդիայի Անոյի'],
    [
      'la',
      'genitive',
      'Vicipaedia Victionarium Vicilibri Vicinuntius Communia Vicidata Consociatio Vicispecies Opus',
      'Vicipaediae Victionarii Vicilibrorum Vicinuntiorum Communium Vicidatorum Consociationis Vicispeciei Opi',
    ],
    ['la', 'accusative', 'Vicipaedia Communia Vicidata Fons', 'Vicipaediam Communia Vicidata Fontem'],
    ['la', 'ablative', 'Vicipaedia Victionarium Nuntius', 'Vicipaedia Victionario Nuntione'],
    [
      'kk',
      'ablative',
      'Кітап Қалам Сөз Дүние Су Бульб Wiki',
      'Кітаптан Қаламнан Сөзден Дүниеден Су Бульб Wiki',
    ],
    ['kk', 'genitive', 'Уикипедия АБАЙ Орман', 'Уикипедиянің АБАЙдың Орманның'],
    ['os', 'ablative', 'Википеди Чъиныг Wiki', 'Википедийæ Чъиныгæй Wiki-æй'],
    ['os', 'allative', 'Википеди Авд', 'Википедимæ Авдмæ'],
    ['tyv', 'genitive', 'Ном Хем Ках Нүм Атб', 'Номнуң Хемниң Кахтың Нүмнүң Атб'],
    ['tyv', 'directive1', 'Ном Чер Книга', 'Номче Черже Книга'],
    ['tyv', 'directive2', 'Тест Ата', 'Тесттиве Атадыве'],
    ['de', 'genitive', 'Wiki', 'Wiki'],
    ['constructor', 'constructor', 'Wiki', 'Wiki'],
    ['ru', 'constructor', 'Wiki', 'Wiki'],
  ])('%s %s of %s', (language, form, words, expected) => {
    const all = words.split(' ').map((word) => shown(language, `{{grammar:${form}|${word}}}`))
    expect(all.join(' ')).toBe(expected)
  })
})

describe('signs of lists', () => {
  test.each([
    ['en', ', | and| |(x)'],
    ['ru', ', | и| |(x)'],
    ['fa', '، | و| |(x)'],
    ['zh', '、\u200b|和|\u200b|（x）'],
    ['fr', ', | et| |(x)'],
  ])('of %s', (language, signs) => {
    const names = ['comma-separator', 'and', 'word-separator', 'parentheses|x']
    expect(names.map((name) => shown(language, `{{int:${name}}}`)).join('|')).toBe(signs)
  })

  test('are those of the wiki if it has pages for them', () => {
    const pages = { 'MediaWiki:And': ' &' }
    expect(expandOn('a{{int:and}} b', { pages, site: { language: 'ru' } }).wikitext).toBe('a & b')
  })
})
