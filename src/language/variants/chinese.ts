/** Chinese characters and words, from the tables of OpenCC. Only a quarter of its regional words are MediaWiki's. */
import { createRequire } from 'node:module'
import { MAINLAND_TAIWAN, TO_HONG_KONG, TO_MAINLAND, TO_TAIWAN } from './chineseWords.js'
import { byTable, type Conversion } from './conversion.js'
import { pairsOf } from './letters.js'
import { TextTable } from './textTable.js'

/** Entries such as `a b`, separated by bars. */
type Dictionary = string
interface Tables<Name extends string> {
  readonly Locale: {
    readonly configs: Readonly<Record<Name, { readonly conversionChain: readonly (readonly Dictionary[])[] }>>
  }
}
type Entry = readonly [from: string, to: string]

const require = createRequire(import.meta.url)

function* entriesOf(dictionaries: readonly Dictionary[] | undefined): Generator<Entry> {
  for (const dictionary of dictionaries ?? [])
    for (const entry of dictionary.split('|')) {
      const [from = '', to = ''] = entry.split(' ')
      yield [from, to]
    }
}

const reversedPairs = (pairs: string): Entry[] => Array.from(pairsOf(pairs), ([from, to]) => [to, from])

const SIMPLE_QUOTES: readonly Entry[] = [...pairsOf('「 “ 」 ” 『 ‘ 』 ’')]
const TRADITIONAL_QUOTES: readonly Entry[] = [...pairsOf('“ 「 ” 」 ‘ 『 ’ 』')]

const conversion = (entries: Iterable<Entry>): Conversion => byTable(new TextTable(entries))

/** Simplified letters, with the regional words before them. */
export function simplified(words: readonly Entry[] = []): Conversion {
  const { configs } = (require('opencc-js/t2cn') as Tables<'t2s'>).Locale
  return conversion([...words, ...SIMPLE_QUOTES, ...entriesOf(configs.t2s.conversionChain[0])])
}

/** Words in letters of either kind: dumps have both. */
export function mainland(): Conversion {
  const { words: letters } = simplified()
  const taiwan = [...reversedPairs(MAINLAND_TAIWAN), ...reversedPairs(TO_MAINLAND)]
  const simple = taiwan.map(([from, to]): Entry => [letters!.convert(from), to])
  return simplified([...taiwan, ...simple, ...pairsOf('帳號 账号 IP位址 IP地址')])
}

/** How a region writes letters that OpenCC's traditional ones have otherwise. */
interface Region {
  readonly words: readonly Entry[]
  /** In values of the tables. */
  readonly letters: readonly Entry[]
  /** Letters of Taiwan that the region does not use. */
  readonly without: string
}

/** Words that are written with other letters than OpenCC's in all regions. */
const COMMON: readonly Entry[] = [
  ...pairsOf(`了解 了解 明了 明了 注释 注釋 回复 回復 坐标 坐標 重复 重複 冲突 衝突 页面 頁面 頁面 頁面 被发送 被發送 复核 覆核
    采样 採樣 厘秒 厘秒 只影响 只影響 只会 只會 只能 只能 只有 只有 只显示 只顯示 只应 只應 台 台 里 里 丑 丑 仆 仆 余 余
    凶 凶 占 占 卤 鹵 咸 咸 夸 夸 岳 岳 朴 朴 游 游 签 簽 范 范 郁 郁 鉴 鑒 雇 雇`),
]
/** Letters that all regions write otherwise than OpenCC. */
const COMMON_LETTERS: readonly Entry[] = [
  ...pairsOf('臺 台 燬 毀 絃 弦 溼 濕 巖 岩 嫋 裊 唸 念 痠 酸 昇 升 燻 熏 蠔 蚝 菓 果'),
]

const TAIWAN: Region = {
  words: [
    ...pairsOf(`${MAINLAND_TAIWAN} ${TO_TAIWAN} 账号 帳號 账户 帳戶 賬號 帳號 賬戶 帳戶 IP地址 IP位址 着 著`),
  ],
  letters: [...pairsOf('佈 布 佔 占')],
  without: '',
}
const HONG_KONG: Region = {
  words: [...pairsOf(`${TO_HONG_KONG} 發布 發佈 公布 公佈 颁布 頒佈 宣布 宣佈 分布 分佈 散布 散佈 裡 裏`)],
  letters: [...pairsOf('鉤 鈎')],
  without: '裏着',
}
const ALL_REGIONS: Region = { words: [], letters: [...pairsOf('佈 布 鉤 鈎 佔 占')], without: '着' }

function traditionalOf({ words, letters, without }: Region): Conversion {
  const { configs } = (require('opencc-js/cn2t') as Tables<'s2t' | 's2tw'>).Locale
  const taiwan = [...entriesOf(configs.s2tw.conversionChain[1])].filter(([from]) => !without.includes(from))
  const regional = new TextTable([...letters, ...COMMON_LETTERS, ...taiwan])
  const tables = Array.from(entriesOf(configs.s2t.conversionChain[0]), ([from, to]): Entry => [
    from,
    regional.convert(to),
  ])
  const own = new TextTable(tables)
  const inTraditional = words.map(([from, to]): Entry => [own.convert(from), to])
  return conversion([...words, ...inTraditional, ...COMMON, ...TRADITIONAL_QUOTES, ...tables])
}

export const traditional = (): Conversion => traditionalOf(ALL_REGIONS)
export const taiwan = (): Conversion => traditionalOf(TAIWAN)
export const hongKong = (): Conversion => traditionalOf(HONG_KONG)
