/** Languages that are written in two or three scripts: one function for each script. */
import { byTable, type Conversion } from './conversion.js'
import { pairsOf, reversed, withCapitals } from './letters.js'
import { TextTable } from './textTable.js'

const alphabet = (pairs: string, more: readonly (readonly [string, string])[] = []): Conversion =>
  byTable(new TextTable([...more, ...withCapitals(pairs)]))

// Serbian. Numbers in Roman numerals stay, and so does a text that is mostly in the script already.

const SERBIAN = `а a б b в v г g д d ђ đ е e ж ž з z и i ј j к k л l љ lj м m н n њ nj о o п p р r с s т t ћ ć у u
  ф f х h ц c ч č џ dž ш š`
const CYRILLIC_SIGNS = /[шђчћж]/gi
const LATIN_SIGNS = /[šđčćž]/gi
const ROMAN =
  /(?<![\p{L}\p{N}])(?=[MDCLXVI])M{0,4}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})(?![\p{L}\p{N}])/gu

const count = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0

/** Leaves Roman numerals as they are. */
const besideNumerals =
  (convert: (text: string) => string) =>
  (text: string): string => {
    let result = ''
    let at = 0
    for (const { index, 0: numeral } of text.matchAll(ROMAN)) {
      if (numeral === '') continue
      result += convert(text.slice(at, index)) + numeral
      at = index + numeral.length
    }
    return result + convert(text.slice(at))
  }

export function serbianCyrillic(): Conversion {
  const table = new TextTable(withCapitals(reversed(SERBIAN)))
  return {
    rest: besideNumerals((text) => table.convert(text)),
    isWrittenSo: (text) => count(text, CYRILLIC_SIGNS) > count(text, LATIN_SIGNS),
  }
}

export const serbianLatin = (): Conversion => ({
  ...alphabet(SERBIAN),
  isWrittenSo: (text) => count(text, LATIN_SIGNS) > count(text, CYRILLIC_SIGNS),
})

// Tajik and Talysh.

export const tajikLatin = (): Conversion =>
  alphabet(`а a б b в v г g д d е e ё jo ж ƶ з z и i й j к k л l м m н n о o п p р r с s т t у u ф f х x ц ts ч c
    ш ş ъ ' э e ю ju я ja ғ ƣ ӣ ī қ q ӯ ū ҳ h ҷ ç`)

const TALYSH = `а a б b в v г q д d е e ж j з z и i к k л l м m н n о o п p р r с s т t у u ф f х x ч ç ш ş ы ı ғ ğ
  һ h ҹ c ү ü ә ə ј y`

export const talyshLatin = (): Conversion =>
  alphabet(TALYSH, [
    ['И', 'İ'],
    ['Ы', 'I'],
  ])
export const talyshCyrillic = (): Conversion =>
  alphabet(reversed(TALYSH), [
    ['İ', 'И'],
    ['I', 'Ы'],
  ])

// Uzbek. An e after a consonant is е, else э.

const UZBEK = `а a б b в v г g д d е e ж j з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х x қ q ҳ h`
const UZBEK_PAIRS = `ё yo ц ts ч ch ш sh ю yu я ya ў oʻ ғ gʻ`

export const uzbekLatin = (): Conversion => alphabet(`${UZBEK} ${UZBEK_PAIRS} э e ъ ʼ`, [['Ъ', 'ʼ']])

const E_AFTER_CONSONANT = /(?<=[b-df-hj-np-tv-xzʻ‘])e/gi

export function uzbekCyrillic(): Conversion {
  const table = new TextTable([
    ...withCapitals(`ye е e э o‘ ў g‘ ғ ${reversed(UZBEK_PAIRS)} ʼ ъ`),
    ...withCapitals(reversed(UZBEK.replace('е e', ''))),
  ])
  return {
    rest: (text) => table.convert(text.replace(E_AFTER_CONSONANT, (letter) => (letter === 'e' ? 'е' : 'Е'))),
  }
}

// Tachelhit has no capitals in Tifinagh.

const TIFINAGH = `ⴰ a ⴱ b ⵛ c ⴷ d ⴹ ḍ ⴻ e ⴼ f ⴳ g ⵀ h ⵃ ḥ ⵉ i ⵊ j ⴽ k ⵍ l ⵎ m ⵏ n ⵓ u ⵇ q ⵔ r ⵕ ṛ ⵙ s ⵚ ṣ ⵜ t
  ⵟ ṭ ⵡ w ⵅ x ⵢ y ⵣ z ⵥ ẓ ⵄ ɛ ⵖ ɣ ⵯ ʷ`

export const tachelhitLatin = (): Conversion => byTable(new TextTable(pairsOf(TIFINAGH)))

export function tachelhitTifinagh(): Conversion {
  const small = [...pairsOf(`${reversed(TIFINAGH)} o ⵓ p ⴱ v ⴼ`)]
  const capital = small.map(([from, to]) => [from.toUpperCase(), to] as const)
  return byTable(new TextTable([...small, ...capital]))
}

// Inuktitut: a consonant with a vowel is one sign, and a consonant without one another.

const VOWELS = ['i', 'ii', 'u', 'uu', 'a', 'aa'] as const
/** The signs with the vowels of VOWELS, then the one without. */
const SYLLABICS: Readonly<Record<string, string>> = {
  '': 'ᐃᐄᐅᐆᐊᐋ',
  p: 'ᐱᐲᐳᐴᐸᐹᑉ',
  t: 'ᑎᑏᑐᑑᑕᑖᑦ',
  k: 'ᑭᑮᑯᑰᑲᑳᒃ',
  g: 'ᒋᒌᒍᒎᒐᒑᒡ',
  m: 'ᒥᒦᒧᒨᒪᒫᒻ',
  n: 'ᓂᓃᓄᓅᓇᓈᓐ',
  l: 'ᓕᓖᓗᓘᓚᓛᓪ',
  s: 'ᓯᓰᓱᓲᓴᓵᔅ',
  j: 'ᔨᔩᔪᔫᔭᔮᔾ',
  r: 'ᕆᕇᕈᕉᕋᕌᕐ',
  v: 'ᕕᕖᕗᕘᕙᕚᕝ',
  q: 'ᕿᖀᖁᖂᖃᖄᖅ',
  ng: 'ᖏᖐᖑᖒᖓᖔᖕ',
  ɫ: 'ᖠᖡᖢᖣᖤᖥᖦ',
  nng: 'ᙱᙲᙳᙴᙵᙶᖖ',
}

function* syllables(): Generator<[latin: string, sign: string]> {
  for (const [consonant, signs] of Object.entries(SYLLABICS))
    for (const [n, sign] of Array.from(signs).entries()) yield [consonant + (VOWELS[n] ?? ''), sign]
  yield ['h', 'ᐦ']
  // A long q is written with k.
  yield ['qq', 'ᖅᒃ']
  for (const [n, sign] of Array.from(SYLLABICS['k']!).entries())
    if (VOWELS[n] !== undefined) yield [`qq${VOWELS[n]}`, `ᖅ${sign}`]
}

/** Syllabics have no capitals, and letters without a sign become small with the others. */
export function inuktitutSyllabics(): Conversion {
  const table = new TextTable(syllables())
  return { rest: (text) => table.convert(text.toLowerCase()) }
}

export const inuktitutLatin = (): Conversion =>
  byTable(new TextTable(Array.from(syllables(), ([latin, sign]) => [sign, latin] as const)))

// Kurdish: the Latin letters of Bedirxan, and the Arabic ones of Sorani.

const KURDISH = `a ا b ب c ج ç چ d د e ە ê ێ f ف g گ h ه î ی j ژ k ک l ل m م n ن o ۆ p پ q ق r ر s س ş ش t ت u و
  û وو v ڤ w و x خ y ی z ز`
const KURDISH_SIGNS = `, ، ? ؟`
const FIRST_VOWEL = /(?<![\p{L}\p{M}])[aeêiîouû]/giu
/** A word cannot begin with a vowel. */
const BEFORE_VOWEL = 'ئ'

/** The short i is not written. */
export function kurdishArabic(): Conversion {
  const small = [...pairsOf(`${KURDISH} ${KURDISH_SIGNS}`), ['i', ''] as const]
  const table = new TextTable([...small, ...small.map(([from, to]) => [from.toUpperCase(), to] as const)])
  return { rest: (text) => table.convert(text.replace(FIRST_VOWEL, (vowel) => BEFORE_VOWEL + vowel)) }
}

const KURDISH_ARABIC = `ا a ب b ة e ت t ج c ح h خ x د d ر r ز z س s ش ş ع ' غ x ف f ق q ك k ل l م m ن n ه h و w ى î ي î پ p
  چ ç ژ j گ g ۆ o ھ h ە e ی î ک k ڤ v ڕ rr ڵ ll ێ ê ، , ؟ ?`

export const kurdishLatin = (): Conversion => byTable(new TextTable([['ئ', ''], ...pairsOf(KURDISH_ARABIC)]))
