import { describe, expect, test } from 'vitest'
import { parseTree } from '../../../src/render/preprocessor/parser.js'
import { TreeCache } from '../../../src/render/preprocessor/treeCache.js'
import type { Tree } from '../../../src/render/preprocessor/tree.js'

const OPTIONS = { inclusion: false, extensionTags: new Set(['ref', 'nowiki']), keepHidden: false }

/** A tree as a text: `T(target|name=value)` for transclusions, `P(name|default)` for parameters, `X(source)` for tags. */
function shape(tree: Tree): string {
  return tree
    .map((node) => {
      if (typeof node === 'string') return node
      if (node.kind === 'tag') return `X(${node.source})`
      if (node.kind === 'hidden') return `H(${node.source})`
      const first = node.kind === 'parameter' ? node.name : node.target
      const args = node.args.map(({ name, value }) =>
        name ? `${shape(name)}≔${shape(value)}` : shape(value),
      )
      const start = node.kind === 'transclusion' && node.lineStart ? '^' : ''
      return `${start}${node.kind === 'parameter' ? 'P' : 'T'}(${[shape(first), ...args].join('¦')})`
    })
    .join('')
}

describe('the tree of', () => {
  test.each([
    ['plain', 'plain'],
    ['{{a}}', 'T(a)'],
    ['{{a|b|c=d=e}}', 'T(a¦b¦c≔d=e)'],
    ['{{{a|b}}}', 'P(a¦b)'],
    ['{{{{a}}}}', '{P(a)}'],
    ['{{{{{a}}}}}', 'T(P(a))'],
    ['{{{{{{a}}}}}}', 'P(P(a))'],
    ['{{{{{{{a}}}}}}}', '{P(P(a))}'],
    ['{{{{{a}}b}}}', 'P(T(a)b)'],
    ['{{{{{a}}}b}}', 'T(P(a)b)'],
    ['{{{a}}', '{T(a)'],
    ['{{a}}}', 'T(a)}'],
    ['{{{{a}} b}}', 'T(T(a) b)'],
    ['{{a|[[b|c]]|d}}', 'T(a¦[[b|c]]¦d)'],
    ['{{a|[[b}}]]}}', 'T(a¦[[b}}]])'],
    ['{{a|[b|c]}}', 'T(a¦[b¦c])'],
    ['[[a|{{b|c}}]]', '[[a|T(b¦c)]]'],
    ['{{a|<ref>}}|</ref>}}', 'T(a¦X(<ref>}}|</ref>))'],
    ['{{a|<ref name="}}"/>}}', 'T(a¦X(<ref name="}}"/>))'],
    ['{{a|<b>|</b>}}', 'T(a¦<b>¦</b>)'],
    ['{{a|\n=b|c\n}}', 'T(a¦\n≔b¦c\n)'],
    ['{{a|\n==b|c==\n}}', 'T(a¦\n==b|c==\n)'],
    ['{{a|\n==b}}', '{{a|\n==b}}'],
    ['x\n{{a}}', 'x\n^T(a)'],
    ['{{a}}{{b}}', 'T(a)T(b)'],
    ['\n{{{{a}}}}', '\n{P(a)}'],
    ['\n{{{a}}', '\n{T(a)'],
    ['{{a|b={{c|d=e}}}}', 'T(a¦b≔T(c¦d≔e))'],
    ['{{a|{{b|c}}=d}}', 'T(a¦T(b¦c)≔d)'],
    ['{{a=b|c}}', 'T(a=b¦c)'],
    ['{{{a=b|c=d}}}', 'P(a=b¦c≔d)'],
  ])('%s', (text, expected) => {
    expect(shape(parseTree(text, OPTIONS))).toBe(expected)
  })

  test.each([
    ['{{a|-{b|c}-|d}}', 'T(a¦-{b|c}-¦d)'],
    ['{{a|b-{c{{d|e}}|f}-}}', 'T(a¦b-{cT(d¦e)|f}-)'],
    ['{{a|-{{b|c}}-}}', 'T(a¦-T(b¦c)-)'],
    ['-{{{a}}}-', '-P(a)-'],
    ['{{a|-{{{b}} c|d}-}}', 'T(a¦-{T(b) c|d}-)'],
    ['{{a|-{b}}', '{{a|-{b}}'],
    ['-{a|b', '-{a|b'],
  ])('%s in a language with variants', (text, expected) => {
    expect(shape(parseTree(text, { ...OPTIONS, variants: true }))).toBe(expected)
    expect(shape(parseTree('{{a|-{b|c}-}}', OPTIONS))).toBe('T(a¦-{b¦c}-)')
  })

  test('a text that is saved keeps what is hidden', () => {
    const tree = parseTree(
      'a<!-- b -->{{c<!-- d -->|<noinclude>e</noinclude>}}<includeonly>f</includeonly>',
      {
        ...OPTIONS,
        keepHidden: true,
      },
    )
    expect(shape(tree)).toBe(
      'aH(<!-- b -->)T(cH(<!-- d -->)¦H(<noinclude>)eH(</noinclude>))H(<includeonly>f</includeonly>)',
    )
  })
})

describe('kept trees', () => {
  const treeOf = (cache: TreeCache, id: number, text: string): { tree: Tree; parsed: boolean } => {
    let parsed = false
    const tree = cache.get(id, text, () => {
      parsed = true
      return parseTree(text, OPTIONS)
    })
    return { tree, parsed }
  }

  test('are made once for each revision and text', () => {
    const cache = new TreeCache()
    expect(treeOf(cache, 1, '{{a}}').parsed).toBe(true)
    expect(treeOf(cache, 1, '{{a}}').parsed).toBe(false)
    expect(treeOf(cache, 2, '{{a}}').parsed).toBe(true)
    expect(treeOf(cache, 1, '{{b}}')).toMatchObject({ parsed: true, tree: [{ target: ['b'] }] })
  })

  test('go when there are too many, those first that were used least lately', () => {
    const cache = new TreeCache(10)
    treeOf(cache, 1, '{{a}}')
    treeOf(cache, 2, '{{b}}')
    treeOf(cache, 1, '{{a}}')
    treeOf(cache, 3, '{{c}}')
    expect(
      [1, 3, 2].map((id) => treeOf(cache, id, `{{${'acb'['132'.indexOf(String(id))]}}}`).parsed),
    ).toEqual([false, false, true])
  })

  test('are not kept when they alone are too long', () => {
    const cache = new TreeCache(3)
    expect([treeOf(cache, 1, '{{a}}').parsed, treeOf(cache, 1, '{{a}}').parsed]).toEqual([true, true])
  })
})
