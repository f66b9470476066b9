/**
 * Noun cases, for languages whose modules request the name of a wiki in a grammatical case. A word without a rule stays
 * unchanged.
 */

type Rule = readonly [ending: RegExp, replacement: string]

const RULES: Readonly<Record<string, Readonly<Record<string, readonly Rule[]>>>> = {
  ru: {
    genitive: [
      [/ия$/u, 'ии'],
      [/ья$/u, 'ьи'],
      [/ка$/u, 'ки'],
      [/ник$/u, 'ника'],
      [/ти$/u, 'тей'],
      [/ды$/u, 'дов'],
    ],
    dative: [
      [/ия$/u, 'ии'],
      [/ка$/u, 'ке'],
      [/ник$/u, 'нику'],
    ],
    accusative: [
      [/ия$/u, 'ию'],
      [/ка$/u, 'ку'],
    ],
    instrumental: [
      [/ия$/u, 'ией'],
      [/ка$/u, 'кой'],
      [/ник$/u, 'ником'],
    ],
    prepositional: [
      [/ия$/u, 'ии'],
      [/ка$/u, 'ке'],
      [/ник$/u, 'нике'],
      [/ти$/u, 'тях'],
      [/ды$/u, 'дах'],
    ],
  },
  fi: {
    genitive: [[/$/u, 'n']],
    elative: [
      [/([aou][^äöy]*)$/iu, '$1sta'],
      [/$/u, 'stä'],
    ],
    partitive: [
      [/([aou][^äöy]*)$/iu, '$1a'],
      [/$/u, 'ä'],
    ],
    illative: [[/(.)$/u, '$1$1n']],
    inessive: [
      [/([aou][^äöy]*)$/iu, '$1ssa'],
      [/$/u, 'ssä'],
    ],
  },
}

export function inflect(language: string, word: string, wanted: string): string {
  const rule = RULES[language]?.[wanted]?.find(([ending]) => ending.test(word))
  return rule === undefined ? word : word.replace(rule[0], rule[1])
}
