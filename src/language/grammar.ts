/**
 * Words in a grammatical case, as `{{grammar:}}` and `mw.language:grammar` write them. The rules are those that
 * MediaWiki shows for names of wikis, not those of the languages. A word without a rule stays as it is.
 */

/** Endings in the order in which they are tried, or a way to write any word. */
type Rule = readonly (readonly [ending: RegExp, replacement: string])[] | ((word: string) => string)
type Cases = Readonly<Record<string, Rule>>

const before =
  (preposition: string): Rule =>
  (word) =>
    `${preposition} ${word}`

/** Pairs such as `ия>ии`, in which `from` is a pattern. */
const steps = (pairs: string, behind = ''): (readonly [RegExp, string])[] =>
  pairs.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('>')
    return [new RegExp(`${behind}${from}$`, 'u'), to] as const
  })

/** The first of some endings. An ending is no whole word. */
const endings = (pairs: string): Rule => steps(pairs, '(?<=.)')

const RUSSIAN: Cases = {
  genitive: endings('ь>я ия>ии ка>ки ти>тей ды>дов д>да ник>ника ные>ных'),
  accusative: endings('ия>ию ка>ку а>у'),
  prepositional: endings('ь>е ия>ии ка>ке ти>тях ды>дах д>де ник>нике ные>ных'),
  languagegen: endings('ский>ского цкий>цкого врит>врита диш>диша'),
  languageprep: endings('ский>ском цкий>цком врит>врите диш>дише'),
  languageadverb: (word) => {
    if (/.[сц]кий$/u.test(word)) return `по-${word.slice(0, -1)}`
    if (/.(?:врит|диш)$/u.test(word)) return `на ${word}е`
    return /^(?:идо|урду|хинди|эсперанто)$/u.test(word) ? `на ${word}` : `на языке ${word}`
  },
}

const BACK_VOWEL = /[aou][^äöy]*$/iu
const CONSONANT = /[bcdfghjklmnpqrstvwxz]$/iu
const finnish =
  (back: string, front = back): Rule =>
  (word) => {
    const stem = CONSONANT.test(word) ? `${word}i` : word
    const ending = BACK_VOWEL.test(word) ? back : front
    return stem + ending.replace('*', Array.from(stem).at(-1) ?? '')
  }

const FINNISH: Cases = {
  genitive: finnish('n'),
  elative: finnish('sta', 'stä'),
  partitive: finnish('a', 'ä'),
  illative: finnish('*n'),
  inessive: finnish('ssa', 'ssä'),
}

const norwegian: Rule = (word) => word + (/[sxz]$/iu.test(word) ? '’' : 's')
const swedish: Rule = (word) => {
  if (/[sxz]$/u.test(word)) return word
  return word + (/[a-zåäöéæü]$/u.test(word) ? 's' : ':s')
}

/** The letter vav is doubled, an article goes, and a hyphen parts the prefix from letters of other scripts. */
const hebrewPrefixed: Rule = (word) => {
  if (/^ו(?!ו)/u.test(word)) return `ו${word}`
  if (/^ה./u.test(word)) return word.slice(1)
  return /^[^א-ת]/u.test(word) ? `־${word}` : word
}
const HEBREW: Cases = { prefixed: hebrewPrefixed, תחילית: hebrewPrefixed }

const SOUTH_SLAVIC: Cases = { instrumental: before('s'), lokativ: before('o') }

const append =
  (ending: string): Rule =>
  (word) =>
    word + ending

/** Endings that are replaced one after the other. */
const inTurn = (pairs: string): Rule => {
  const replaced = steps(pairs)
  return (word) => replaced.reduce((text, [from, to]) => text.replace(from, to), word)
}
const LATIN: Cases = {
  genitive: inTurn(
    'u[ms]>i ommunia>ommunium data>datorum a>ae libri>librorum nuntii>nuntiorum tio>tionis ns>ntis as>atis es>ei',
  ),
  accusative: inTurn(
    'us>um (?<!ommuni|dat)a>am libri>libros nuntii>nuntios tio>tionem ns>ntem as>atem es>em',
  ),
  ablative: inTurn(
    'u[ms]>o ommunia>ommunibus data>datis libri>libris nuntii>nuntiis tio>tione ns>nte as>ate es>e',
  ),
}

/** After a vowel, other endings; after letters of other scripts and capitals, a hyphen. */
const ossetic =
  (ending: string, afterVowel: string): Rule =>
  (word) => {
    if (/[аæоеёыиуэюя]$/.test(word)) return word + afterVowel
    return word + (/[бвгджзйклмнпрстфхцчшщъь]$/.test(word) ? '' : '-') + ending
  }
const OSSETIC: Cases = {
  genitive: ossetic('ы', 'йы'),
  dative: ossetic('æн', 'йæн'),
  allative: ossetic('мæ', 'мæ'),
  ablative: ossetic('æй', 'йæ'),
  superessive: ossetic('ыл', 'йыл'),
  equative: ossetic('ау', 'йау'),
  comitative: ossetic('имæ', 'имæ'),
}

function lastOf(letters: string, word: string): string | undefined {
  for (let at = word.length - 1; at >= 0; at--) if (letters.includes(word[at]!)) return word[at]
  return undefined
}

/** Endings after vowels, after ж and the like, after м н ң, after others: where the last vowel is back, or front. */
const kazakh =
  (back: string, front: string): Rule =>
  (word) => {
    const small = word.toLowerCase()
    const vowel = lastOf('аоұыәөүіеёэяи', small)
    const kinds = [/[аоұыәөүіеёэяи]$/, /[жзйлрую]$/, /[мнң]$/, /[бвгдкқпстфхцчшщ]$/]
    const kind = kinds.findIndex((letters) => letters.test(small))
    if (vowel === undefined || kind < 0) return word
    return word + ('аоұы'.includes(vowel) ? back : front).split(' ')[kind]!
  }
const KAZAKH: Cases = {
  ablative: kazakh('дан дан нан тан', 'ден ден нен тен'),
  accusative: kazakh('ны ды ды ты', 'ні ді ді ті'),
  dative: kazakh('ға ға ға қа', 'ге ге ге ке'),
  genitive: kazakh('ның дың ның тың', 'нің дің нің тің'),
  locative: kazakh('да да да та', 'де де де те'),
}

/** Endings after voiceless letters, after л, and after others. `*` is a vowel like the word's last one. */
const tuvan =
  (back: string, front: string): Rule =>
  (word) => {
    const vowel = lastOf('аыяеиэёоуюөү', word)
    if (vowel === undefined) return word
    const isFront = 'еиэөү'.includes(vowel)
    const [voiceless = '', afterL = '', other = ''] = (isFront ? front : back).split(' ')
    const ending = /[кпстхчш]$/.test(word) ? voiceless : word.endsWith('л') ? afterL : other
    const like = ['аыя', 'еиэ', 'ёоую', 'өү'].findIndex((vowels) => vowels.includes(vowel))
    return word + ending.replace('*', 'ыиуү'[like]!)
  }
const TUVAN: Cases = {
  genitive: tuvan('т*ң д*ң н*ң', 'т*ң д*ң н*ң'),
  accusative: tuvan('т* д* н*', 'т* д* н*'),
  dative: tuvan('ка га га', 'ке ге ге'),
  locative: tuvan('та да да', 'те де де'),
  ablative: tuvan('тан дан дан', 'тен ден ден'),
  directive1: (word) => {
    if (/[бгджзйр]$/.test(word)) return `${word}же`
    return /[клмнңпстхчш]$/.test(word) ? `${word}че` : word
  },
  directive2: tuvan('т*ве д*ве д*ве', 'т*ве д*ве д*ве'),
}

const LANGUAGES: Readonly<Record<string, Cases>> = {
  bs: SOUTH_SLAVIC,
  dsb: { instrumental: before('wo z'), lokatiw: before('wo') },
  fi: FINNISH,
  he: HEBREW,
  hsb: { instrumental: before('z'), lokatiw: before('wo') },
  hu: { rol: append('ról'), ba: append('ba'), k: append('k') },
  hy: { genitive: (word) => word + (/[աո]$/u.test(word) ? 'յի' : 'ի') },
  kk: KAZAKH,
  la: LATIN,
  nb: { genitive: norwegian },
  nn: { genitive: norwegian },
  no: { genitive: norwegian },
  os: OSSETIC,
  ru: RUSSIAN,
  sh: SOUTH_SLAVIC,
  sl: { mestnik: before('o'), orodnik: before('z') },
  sv: { genitive: swedish },
  tyv: TUVAN,
  uk: {
    genitive: endings('ія>ії ди>дів цитати>цитат ник>ника'),
    accusative: endings('ія>ію'),
    locative: before('у'),
  },
}

export function inflect(language: string, word: string, wanted: string): string {
  const cases = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language]! : {}
  const rule = Object.hasOwn(cases, wanted) ? cases[wanted]! : []
  if (word === '') return word
  if (typeof rule === 'function') return rule(word)
  const found = rule.find(([ending]) => ending.test(word))
  return found === undefined ? word : word.replace(found[0], found[1])
}
