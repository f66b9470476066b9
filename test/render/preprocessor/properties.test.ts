/** Properties of every text, tested on random ones that are built from meaningful pieces. */
import { expect, test } from 'vitest'
import { parseTree } from '../../../src/render/preprocessor/parser.js'
import { EXTENSION_TAGS } from '../../../src/domain/extensionTags.js'
import { TreeCache } from '../../../src/render/preprocessor/treeCache.js'
import { randomNumbers } from '../../support/random.js'
import { expandOn, substituteOn } from './memoryWiki.js'

const PIECES = [
  ...[
    '{{',
    '}}',
    '{{{',
    '}}}',
    '{',
    '}',
    '[[',
    ']]',
    '|',
    '=',
    '\n',
    ' ',
    'a',
    'b',
    '1',
    ':',
    '#',
    '*',
    '<',
    '>',
  ],
  ...[
    '<!--',
    '-->',
    '<nowiki>',
    '</nowiki>',
    '<ref name="a">',
    '</ref>',
    '<ref/>',
    '\n==',
    '==\n',
    '{|',
    "''",
  ],
  ...['<noinclude>', '</noinclude>', '<includeonly>', '</includeonly>', '<onlyinclude>', '</onlyinclude>'],
  ...[
    '{{#if:',
    '{{#switch:',
    '{{#expr:',
    '{{#time:',
    '{{#tag:',
    '{{lc:',
    '{{padleft:',
    '{{A|',
    '{{B',
    '{{!}}',
  ],
  ...[
    '{{PAGENAME}}',
    '{{#iferror:',
    '{{formatnum:',
    '{{#titleparts:',
    '{{#invoke:',
    '{{int:',
    '~~~~',
    '\u0301',
  ],
]
const PAGES = {
  'Template:A': '<onlyinclude>{{{1|{{{b}}}}}}{{B|{{{1}}}}}</onlyinclude>',
  'Template:B': '* {{{1|}}}<noinclude>{{A}}</noinclude>{{#if:{{{1|}}}|{{A}}}}',
}
const RUNS = 3000

const random = randomNumbers(20_260_314)

function randomText(): string {
  const length = 1 + Math.floor(random() * 25)
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('')
}

/** The plain wikitext of a result. Fails if anything is left to expand. */
function outsideTags(wikitext: string): string {
  const options = { inclusion: false, extensionTags: EXTENSION_TAGS, keepHidden: false }
  const nodes = parseTree(wikitext, options)
  expect(nodes.every((node) => typeof node === 'string' || node.kind === 'tag')).toBe(true)
  return nodes.map((node) => (typeof node === 'string' ? node : ' ')).join('')
}

test('every text has an expansion, without braces outside tags, and the same each time', () => {
  const cache = new TreeCache(100)
  for (let run = 0; run < RUNS; run++) {
    const text = randomText()
    const { wikitext } = expandOn(text, { pages: PAGES })
    expect(outsideTags(wikitext), text).not.toContain('{{')
    expect(wikitext, text).not.toContain('UNIQ')
    expect(expandOn(text, { pages: PAGES, options: { cache } }).wikitext, text).toBe(wikitext)
  }
})

test('every text without subst is saved as it is', () => {
  for (let run = 0; run < RUNS; run++) {
    const text = randomText()
    expect(substituteOn(text, PAGES)).toBe(text)
  }
})
