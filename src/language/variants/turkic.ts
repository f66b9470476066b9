/** Kazakh and Crimean Tatar: letters that depend on their neighbours. */
import { byTable, type Conversion } from './conversion.js'
import { withCapitals, reversed } from './letters.js'
import { TextTable } from './textTable.js'

// Kazakh.

const KAZAKH = `а a б b в v г g д d е e ж j з z и ï к k л l м m н n о o п p р r с s т t у w ф f х x ц c ч ç ш ş ы ı
  ә ä ғ ğ қ q ң ñ ө ö ұ u ү ü һ h і i`
const E_AFTER_VOWEL = /(?<=[аеёиоъьэюяәөұү])е/gi

/** Letters in capitals where the word is, else with one capital: Ya, YA. */
const DIGRAPHS = /[ЁЩЮЯ](?=\p{Ll})/gu
const CAPITAL_PAIRS: Readonly<Record<string, string>> = { Ё: 'Yo', Щ: 'Şç', Ю: 'Yu', Я: 'Ya' }

export function kazakhLatin(): Conversion {
  const table = new TextTable([
    ...(['Ё YO', 'Щ ŞÇ', 'Ю YU', 'Я YA', 'І İ', 'Ы I', 'Ъ ʺ', 'Ь ʹ'].map((pair) => pair.split(' ')) as [
      string,
      string,
    ][]),
    ...withCapitals(`${KAZAKH} ё yo й ý щ şç ъ ʺ ь ʹ э é ю yu я ya`),
  ])
  const withGlide = (text: string): string =>
    text.replace(E_AFTER_VOWEL, (letter, at: number) => (isCapital(text, at) ? 'YE' : 'ye'))
  return {
    rest: (text) => table.convert(withGlide(text).replace(DIGRAPHS, (letter) => CAPITAL_PAIRS[letter]!)),
  }
}

/** Whether a letter and the one before are capitals. */
const isCapital = (text: string, at: number): boolean => {
  const pair = text.slice(Math.max(0, at - 1), at + 1)
  return pair === pair.toUpperCase()
}

export function kazakhCyrillic(): Conversion {
  const table = new TextTable([
    ['İ', 'І'],
    ['I', 'Ы'],
    ...withCapitals(`ya я ye е yo ё yu ю yw ю şç щ ${reversed(KAZAKH)} ý й é э`),
  ])
  return byTable(table)
}

const KAZAKH_ARABIC = `а ا б ب в ۆ г گ д د е ە ё يو ж ج з ز и ىي й ي к ك л ل м م н ن о و п پ р ر с س т ت у ۋ ф ف
  х ح ц تس ч تش ш ش щ شش ъ _ ы ى ь _ э ە ю يۋ я يا ә ا ғ ع қ ق ң ڭ ө و ұ ۇ ү ۇ һ ح і ى`
const SIGNS = `, ، ; ؛ ? ؟ % ٪ 0 ۰ 1 ۱ 2 ۲ 3 ۳ 4 ۴ 5 ۵ 6 ۶ 7 ۷ 8 ۸ 9 ۹`
const WORD = /[\u0400-\u052f]+/g
const FRONT = /[әөүі]/i
/** Words with one of these letters can be read with front vowels alone. */
const SHOWS_FRONT = /[гкеэ]/i
const HAMZA = '\u0674'

/** A word with front vowels begins with a hamza, unless other letters show that. */
export function kazakhArabic(): Conversion {
  const table = new TextTable(withCapitals(`${KAZAKH_ARABIC} ${SIGNS}`))
  const word = (text: string): string => (FRONT.test(text) && !SHOWS_FRONT.test(text) ? HAMZA : '') + text
  return {
    rest: (text) => table.convert(text.replace(E_AFTER_VOWEL, 'йе').replace(WORD, word)),
  }
}

// Crimean Tatar.

const CRIMEAN = `а a б b в v г g д d ж j з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ч ç ш ş ы ı`
/** A back vowel that is written in the first syllable and read as a front vowel. */
const FIRST_SYLLABLE = new RegExp(
  String.raw`(?<![\p{L}])([бвгджзйклмнпрстфхчш]?)([оу])(?=[бвгджзклмнпрстфхчш]{1,2}[ьёию]|рд?е|[йгм]ь?(?![\p{L}ъ]))`,
  'giu',
)
const FRONTED: Readonly<Record<string, string>> = { о: 'ö', у: 'ü', О: 'Ö', У: 'Ü' }
const AFTER_CONSONANT = /(?<=[бвгджзклмнпрстфхцчшщй])([ёюяЁЮЯ])/gi
const SOFTENED: Readonly<Record<string, string>> = { ё: 'ö', ю: 'ü', я: 'â', Ё: 'Ö', Ю: 'Ü', Я: 'Â' }
const CONSONANT_E = /(?<=[бвгджзйклмнпрстфхцчшщ])е/gi

export function crimeanLatin(): Conversion {
  const table = new TextTable([
    ['Е', 'Ye'],
    ['И', 'İ'],
    ['Ы', 'I'],
    ...withCapitals(`дж c гъ ğ къ q нъ ñ ${CRIMEAN} е ye ё yo ц ts щ şç ъ _ ь _ э e ю yu я ya`),
  ])
  return {
    rest: (text) =>
      table.convert(
        text
          .replace(FIRST_SYLLABLE, (_all, before: string, vowel: string) => before + FRONTED[vowel]!)
          .replace(AFTER_CONSONANT, (letter) => SOFTENED[letter]!)
          .replace(CONSONANT_E, (letter) => (letter === 'е' ? 'e' : 'E')),
      ),
  }
}

const ROMAN = /(?<![\p{L}\p{N}])[MDCLXVI]+(?![\p{L}\p{N}])/gu
const SOFT_L = /(?<=[eiöüâEİÖÜ])l(?![lL]?\p{L}?[aeıioöuüâ])(?!l)/gu

export function crimeanCyrillic(): Conversion {
  const table = new TextTable([
    ['İ', 'И'],
    ['I', 'Ы'],
    ...withCapitals(
      `${reversed(CRIMEAN)} c дж ç ч ğ гъ ñ нъ q къ ş ш e э â я ö о ü у ya я yo ё yu ю ye е yö ё yü ю`,
    ),
  ])
  const words = (text: string): string =>
    table.convert(
      text
        .replace(SOFT_L, 'ль')
        .replace(/(?<=[bcçdfgğhjklmnñpqrsştvz])e/gi, (letter) => (letter === 'e' ? 'е' : 'Е'))
        .replace(/(?<=[aeıioöuüâdfhjlnrsştçczDLNRSŞTÇCZ])[öü]/g, (letter) => (letter === 'ö' ? 'ё' : 'ю')),
    )
  return {
    rest: (text) => {
      let result = ''
      let at = 0
      for (const { index, 0: numeral } of text.matchAll(ROMAN)) {
        result += words(text.slice(at, index)) + numeral
        at = index + numeral.length
      }
      return result + words(text.slice(at))
    },
  }
}
