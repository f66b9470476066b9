/** The tables of opencc-js, which the product reads itself: one walk then also follows the rules of a page. */
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'

interface Tables {
  readonly Locale: { readonly configs: Record<string, { readonly conversionChain: readonly string[][] }> }
}

const require = createRequire(import.meta.url)

describe('opencc-js', () => {
  test.each([
    ['opencc-js/t2cn', 't2s', '頭 头'],
    ['opencc-js/cn2t', 's2t', '头发 頭髮'],
    ['opencc-js/cn2t', 's2tw', ''],
  ])('%s has words and letters as pairs: %s', (module, name, entry) => {
    const { conversionChain } = (require(module) as Tables).Locale.configs[name]!
    const entries = conversionChain[0]!.flatMap((dictionary) => dictionary.split('|'))
    expect(entries.every((pair) => /^\S+ \S+$/.test(pair))).toBe(true)
    if (entry !== '') expect(entries).toContain(entry)
  })

  test('has the letters of Taiwan in a second step', () => {
    const { conversionChain } = (require('opencc-js/cn2t') as Tables).Locale.configs['s2tw']!
    expect(conversionChain).toHaveLength(2)
    expect(conversionChain[1]!.flatMap((dictionary) => dictionary.split('|'))).toContain('爲 為')
  })
})
