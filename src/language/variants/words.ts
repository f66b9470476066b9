/** How the markup of variants behaves in a language, and its words. */

export interface VariantWords {
  /** Variants in which a page's rules do nothing. */
  readonly noRules: ReadonlySet<string>
  /** Variants in which any text of one direction is shown. */
  readonly anyOneWay: ReadonlySet<string>
  /** Variants that take rules of one direction alone. */
  readonly oneWayOnly: ReadonlySet<string>
  /** In the description of a rule. */
  readonly betweenNameAndText: string
  readonly afterText: string
}

const NONE: ReadonlySet<string> = new Set()
const PLAIN: VariantWords = {
  noRules: NONE,
  anyOneWay: NONE,
  oneWayOnly: NONE,
  betweenNameAndText: ':',
  afterText: ';',
}

const WORDS: Readonly<Record<string, VariantWords>> = {
  zh: {
    noRules: new Set(['zh']),
    anyOneWay: new Set(['zh']),
    oneWayOnly: new Set(['zh-hans', 'zh-hant']),
    betweenNameAndText: '：',
    afterText: '；',
  },
  gan: {
    noRules: new Set(['gan']),
    anyOneWay: new Set(['gan']),
    oneWayOnly: NONE,
    betweenNameAndText: ': ',
    afterText: '; ',
  },
  crh: { ...PLAIN, noRules: new Set(['crh']) },
}

export const wordsOf = (language: string): VariantWords => WORDS[language] ?? PLAIN

/** Shown in the place of markup that has no text for the reader's variant. */
const FAULTS: Readonly<Record<string, string>> = {
  gan: '手動字詞轉換規則時偵測到錯誤',
  shi: 'Erreur détectée dans la règle manuelle de conversion de langue',
  sr: 'Пронађена је грешка у правилу за ручно претварање језика',
  zh: '在手动字词转换规则中检测到错误',
}
const ENGLISH_FAULT = 'Error detected in manual language conversion rule'

export const faultOf = (language: string): string => FAULTS[language] ?? ENGLISH_FAULT
