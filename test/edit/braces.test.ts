import { describe, expect, test } from 'vitest'
import { parseBraces, type Node } from '../../src/edit/braces.js'
import { findLiteralParts } from '../../src/edit/literalParts.js'
import { randomNumbers } from '../support/random.js'

const parse = (text: string) => parseBraces(text, findLiteralParts(text))
const SIGNS = { template: 'T', argument: 'A', link: 'L' }

/** `T(a,b)` for a template of two parts, `A` an argument, `L` a link. */
function shape(nodes: readonly Node[]): string {
  return nodes
    .map((node) =>
      typeof node === 'string'
        ? node
        : `${SIGNS[node.kind]}(${node.parts.map((part) => shape(part)).join(',')})`,
    )
    .join('')
}

/** The text again, from the tree. */
function written(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      const inside = node.parts.map((part) => written(part)).join('|')
      return { template: `{{${inside}}}`, argument: `{{{${inside}}}}`, link: `[[${inside}]]` }[node.kind]
    })
    .join('')
}

test.each([
  ['{{a}}', 'T(a)'],
  ['{{a|b|c=d}}', 'T(a,b,c=d)'],
  ['{{{a|b}}}', 'A(a,b)'],
  ['[[a|b]]', 'L(a,b)'],
  ['{{a|[[b|c]]|d}}', 'T(a,L(b,c),d)'],
  ['{{a|{{b|c}}|{{{d}}}}}', 'T(a,T(b,c),A(d))'],
  ['{{{{a}}}}', '{A(a)}'],
  ['{{{{{a}}}}}', 'T(A(a))'],
  ['{{{{{a}}}|b}}', 'T(A(a),b)'],
  ['{{{{{a}}|b}}}', 'A(T(a),b)'],
  ['{{{{{{a}}}}}}', 'A(A(a))'],
  ['{{{{{|safesubst:}}}a}}', 'T(A(,safesubst:)a)'],
  ['{{{a}}', '{T(a)'],
  ['{{a}}}', 'T(a)}'],
  ['{a}', '{a}'],
  ['{{a', '{{a'],
  ['{{a|b [[c|d', '{{a|b [[c|d'],
  ['{{a|[[b}}', '{{a|[[b}}'],
  ['a}} [[b]] c', 'a}} L(b) c'],
  ['a|b', 'a|b'],
  ['{{a|<nowiki>}}|</nowiki>b}}', 'T(a,<nowiki>}}|</nowiki>b)'],
  ['{{a<!-- }} -->}}', 'T(a<!-- }} -->)'],
  ['{{a|{{b}} {{c}}', '{{a|T(b) T(c)'],
])('%s', (text, expected) => {
  expect(shape(parse(text))).toBe(expected)
})

test('offsets reach from the first bracket to the last', () => {
  const text = 'x{{{{a}}}|b}} {{c}}'
  const places: string[] = []
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (typeof node === 'string') continue
      places.push(text.slice(node.start, node.end))
      node.parts.forEach(visit)
    }
  }
  visit(parse(text))
  expect(places).toEqual(['{{{a}}}', '{{c}}'])
})

test('any text is there again when the tree is written', () => {
  const PIECES = [
    '{{',
    '}}',
    '{{{',
    '}}}',
    '[[',
    ']]',
    '{',
    '}',
    '|',
    'a',
    '<!--',
    '-->',
    '<pre>',
    '</pre>',
    '{{{{{{{',
  ]
  const random = randomNumbers(21)
  for (let i = 0; i < 10_000; i++) {
    const length = Math.floor(random() * 24)
    const text = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('')
    expect(written(parse(text))).toBe(text)
  }
})

describe('a hostile text of a million letters is parsed', () => {
  test.each([
    ['open braces', '{'],
    ['open brackets', '['],
    ['openings', '{{a|'],
    ['openings of both kinds', '{{[['],
    ['openings and pipes', '{{a|[[b|'],
    ['closing braces', '}'],
    ['pipes', '|'],
    ['templates', '{{a}}'],
    ['runs of 13', `${'{'.repeat(13)}a`],
  ])('%s', (_case, unit) => {
    const text = unit.repeat(1_000_000 / unit.length)
    expect(written(parse(text))).toBe(text)
    const closed = `${text}${'}'.repeat(500_000)}${']]'.repeat(250_000)}`
    expect(written(parse(closed))).toBe(closed)
  })
})
