import { describe, expect, test } from 'vitest'
import { boundWikitext, MAX_TABLE_CELLS, WikitextLimitError } from '../../src/render/parsoid/limits.js'
import { growth, MOST_GROWTH } from '../support/processorTime.js'

describe('a text that the engine can do', () => {
  test.each([
    ['templates', '{{a|{{b|{{{c|}}}}}}} {{d}}'],
    ['some braces without partners', 'function () {{ return }} {{ {{{ }} }}'.repeat(5)],
    ['formulas', '<math>\\frac{{a}}{{b}}</math>'.repeat(50)],
    ['many templates in a row', '{{a}} '.repeat(3000)],
    ['many rows of few cells', `{|\n${'|-\n| a || b\n'.repeat(MAX_TABLE_CELLS / 2)}|}`],
    ['links 100 deep', `${'[[a|'.repeat(100)}x${']]'.repeat(100)}`],
    ['many links in a row', '[[a]] [[b|c]] [[File:D.jpg|thumb|[[e|f]]]] '.repeat(2000)],
    ['many brackets that open', '[['.repeat(50_000)],
    ['a table and lists', `{|\n${'|-\n| a || b\n'.repeat(500)}|}\n** a\n*** b\n`],
  ])('is left as it is: %s', (_name, text) => {
    expect(boundWikitext(text)).toBe(text)
  })
})

describe('braces that would take the engine minutes', () => {
  test.each([
    ['without partners', '{{'.repeat(3000)],
    ['of arguments', '{{{'.repeat(300)],
    ['nested too deep', `${'{{'.repeat(500)}x${'}}'.repeat(500)}`],
  ])('are shown as they stand: %s', (_name, text) => {
    const bounded = boundWikitext(text)
    expect(bounded).not.toMatch(/[{}]/)
    expect(bounded.replaceAll('&#123;', '{').replaceAll('&#125;', '}')).toBe(text)
  })
})

describe('a text that is too much', () => {
  test.each([
    ['length', 'x'.repeat(2_200_001), /characters/],
    ['list levels', `${'*'.repeat(61)} x`, /levels/],
    ['cells', `{|\n${'| a\n'.repeat(MAX_TABLE_CELLS + 1)}|}`, /more than 30000 table cells/],
    ['references', '<ref>a</ref>'.repeat(2501), /references/],
    ['links within each other', `${'[[a|'.repeat(101)}x${']]'.repeat(101)}`, /more than 100 links within/],
    ['links that are not closed', '[[File:F.jpg|thumb|'.repeat(101), /more than 100 links within/],
  ])('is refused: %s', (_name, text, message) => {
    expect(() => boundWikitext(text)).toThrow(WikitextLimitError)
    expect(() => boundWikitext(text)).toThrow(message)
  })

  test.each(['{', '}', '{{}', "|'", '*\n', '<ref', '||', '[[', '[[a|', '[a|'])(
    'is found out in linear time: %j',
    (sign) => {
      const bound = (length: number) => {
        try {
          boundWikitext(sign.repeat(length / sign.length))
        } catch (error) {
          expect(error).toBeInstanceOf(WikitextLimitError)
        }
      }
      expect(growth(bound, 250_000)).toBeLessThan(MOST_GROWTH)
    },
  )
})
