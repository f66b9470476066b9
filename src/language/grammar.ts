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

/** Pairs such as `ия>ии`. An ending is no whole word. */
const endings = (pairs: string): Rule =>
  pairs.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('>')
    return [new RegExp(`(?<=.)${from}$`, 'u'), to] as const
  })

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

const LANGUAGES: Readonly<Record<string, Cases>> = {
  bs: SOUTH_SLAVIC,
  dsb: { instrumental: before('wo z'), lokatiw: before('wo') },
  fi: FINNISH,
  he: HEBREW,
  hsb: { instrumental: before('z'), lokatiw: before('wo') },
  nb: { genitive: norwegian },
  nn: { genitive: norwegian },
  no: { genitive: norwegian },
  ru: RUSSIAN,
  sh: SOUTH_SLAVIC,
  sl: { mestnik: before('o'), orodnik: before('z') },
  sv: { genitive: swedish },
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
