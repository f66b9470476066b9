/** Texts in each variant, as MediaWiki converts them. */
import { describe, expect, test } from 'vitest'
import { convert, PageRules } from '../../../src/language/variants/conversion.js'
import { conversionOf } from '../../../src/language/variants/conversions.js'
import { TextTable } from '../../../src/language/variants/textTable.js'

const inVariant = (variant: string, text: string): string => convert(text, conversionOf(variant))

describe('a text', () => {
  test.each([
    ['sr-ec', 'Mihailo XXI vek, LJUBAV i njiva, džep', 'Михаило XXI век, ЉУБАВ и њива, џеп'],
    ['sr-el', 'Његош, ЉУ Џу ћ', 'Njegoš, LjU Džu ć'],
    ['tg-latn', 'Тоҷикистон кишвар аст. Ёр', 'Toçikiston kişvar ast. Jor'],
    ['tly-cyrl', 'Tolışi İ I q', 'Толыши И Ы г'],
    ['tly', 'Ыәгқ И', 'Iəqқ İ'],
    [
      'uz-cyrl',
      'she Sherali yetti choyxona oʻzbek gʻisht maʼno ae',
      'ше Шерали етти чойхона ўзбек ғишт маъно аэ',
    ],
    ['uz-latn', 'Ўзбекистон шаҳар Ёш', 'Oʻzbekiston shahar Yosh'],
    ['shi-tfng', 'Tacelḥit', 'ⵜⴰⵛⴻⵍⵃⵉⵜ'],
    ['shi-latn', 'ⵜⴰⵛⵍⵃⵉⵜ', 'taclḥit'],
    ['ike-cans', 'Inuktitut Sample qq', 'ᐃᓄᒃᑎᑐᑦ ᓴᒻᑉᓪe ᖅᒃ'],
    ['ike-latn', 'ᐃᓄᒃᑎᑐᑦ ᖅᑭ', 'inuktitut qqi'],
    ['kk-latn', 'Еуропа Иә ел ие Үлкен Юрий', 'Ewropa Ïä el ïye Ülken Yurïý'],
    ['kk-arab', 'Үлкен әке өмір тіл Иә ел 2024', 'ۇلكەن اكە ٴومىر ٴتىل ٴىيا ەل ۲۰۲۴'],
    ['kk-cyrl', 'Qazaqstan yurt', 'Қазақстан юрт'],
    ['ku-arab', 'Kurdistan ev', 'کوردستان ئەڤ'],
    ['ku-latn', 'کوردستان', 'kwrdstan'],
    ['crh-cyrl', 'Qırım yarımadası el XX', 'Къырым ярымадасы эль XX'],
    ['crh-latn', 'Къырым ярымадасы козь', 'Qırım yarımadası köz'],
    ['zh-hans', '計算機軟件「頭髮」', '计算机软件“头发”'],
    ['zh-cn', '軟體 網路', '软件 网络'],
    ['zh-hant', '干净的面条，头发发现', '乾淨的麵條，頭髮發現'],
    ['zh-tw', '软件 出租车 着 里面', '軟體 計程車 著 裡面'],
    ['zh-hk', '软件 网络 着 里面 发布', '軟件 網絡 着 裏面 發佈'],
    ['zh-tw', '台灣 平台 在服务器里 占领 潮湿 机械人', '台灣 平台 在伺服器里 占領 潮濕 機器人'],
    ['zh-hk', '台灣 服務器裡 占领 数字化', '台灣 伺服器裏 佔領 數碼化'],
    ['zh-sg', '伺服器 軟體', '服务器 软体'],
    ['zh-cn', '機械人 部份 身分 唯讀', '机器人 部分 身份 只读'],
    ['zh-hant', '台 坐标 页面包含 被发送', '台 坐標 頁面包含 被發送'],
    ['ban-bali', 'Basa Bali', 'Basa Bali'],
    ['constructor', 'a', 'a'],
  ])('in %s', (variant, text, expected) => {
    expect(inVariant(variant, text)).toBe(expected)
  })

  test('of a page that is mostly in the script stays', () => {
    const { isWrittenSo } = conversionOf('sr-ec')
    expect(isWrittenSo?.('Његош је рођен, Windows')).toBe(true)
    expect(isWrittenSo?.('Beograd je grad')).toBe(false)
  })
})

describe('a table', () => {
  test('replaces the longest text, and the earlier entry of two', () => {
    const table = new TextTable([
      ['ab', '1'],
      ['a', '2'],
      ['ab', '3'],
      ['', '4'],
    ])
    expect(table.convert('abaab')).toBe('121')
  })

  test('gives way to a rule of the page that is as long', () => {
    const rules = new PageRules()
    rules.add('bb', 'X')
    const words = new TextTable([
      ['b', '1'],
      ['bb', '2'],
      ['bbb', '3'],
    ])
    const twice = { words, rest: (text: string) => text.replaceAll('1', '9').replaceAll('X', '8') }
    expect(convert('b bb bbb', twice, rules)).toBe('9 X 3')
    rules.remove('bb')
    expect(convert('b bb', twice, rules)).toBe('9 2')
  })
})
