/** A wiki's answer to `meta=siteinfo`, as `follow` and `site import` read it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import type { WikiRules } from '../../src/domain/site.js'
import { SpecialPages } from '../../src/domain/specialPages.js'
import { statedSite } from '../../src/follow/api/siteinfo.js'
import { languageOf } from '../../src/language/language.js'

type Query = Record<string, unknown>

/** Answers of Wikipedias that the package `parsoid` has, in both versions of the format. */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('parsoid/package.json')), 'baseconfig')
const answerOf = (name: string, version: '' | '2'): Query =>
  (JSON.parse(readFileSync(join(FOLDER, version, `${name}.json`), 'utf8')) as { query: Query }).query

const refuse = (what: string): never => {
  throw new Error(what)
}

describe.each(['arwiki', 'dewiki', 'enwiki', 'fawiki', 'srwiki', 'trwiki', 'zhwiki'])(
  'the answer of %s',
  (name) => {
    const [one, two] = (['', '2'] as const).map((version) =>
      statedSite(answerOf(name, version), { bots: [] }, refuse),
    )

    test('means the same in both versions of the format', () => {
      expect(one).toEqual(two)
    })

    test('tells namespaces, subpages and string functions', () => {
      const { site } = two!
      expect(site.wikiId).toBe(name)
      expect(site.stringFunctions).toBe(false)
      const namespaces = new Namespaces(site)
      expect([0, 1, 2, 6, 10, 828].map((id) => namespaces.statedSubpages(id))).toEqual([
        ...[false, true, true, false, true, true],
      ])
      expect(site.protocols).toContain('https://')
      expect(site.extensionTags).toEqual(expect.arrayContaining(['nowiki', 'ref', 'math']))
      expect(site.logo).toMatch(/^\/\/[a-z]+\.wikipedia\.org\//)
    })

    test('makes each of its aliases a name of the namespace', () => {
      const namespaces = new Namespaces(two!.site)
      const rows = answerOf(name, '2')['namespacealiases'] as { id: number; alias: string }[]
      expect(rows.length).toBeGreaterThan(1)
      expect(rows.map(({ alias }) => [alias, namespaces.idByName(alias)])).toEqual(
        rows.map(({ alias, id }) => [alias, id]),
      )
    })

    test('makes each name of its special pages known', () => {
      const special = SpecialPages.of(two!.site)
      const rows = answerOf(name, '2')['specialpagealiases'] as { realname: string; aliases: string[] }[]
      for (const { realname, aliases } of rows) {
        expect(special.names.get(realname)).toEqual(aliases)
        // Some pages share a name.
        expect(special.names.get(special.named(aliases[0]!)!)?.join().toLowerCase()).toContain(
          aliases[0]!.toLowerCase(),
        )
      }
    })
  },
)

const GENERAL = { sitename: 'Small', wikiid: 'smallwiki', lang: 'en', base: '', case: 'first-letter' }
const NAMESPACES = { 0: { id: 0, name: '' }, 2: { id: 2, name: 'User' }, 4: { id: 4, name: 'Small' } }
const SOUND: Query = { general: GENERAL, namespaces: NAMESPACES, interwikimap: [] }

function rulesOf(parts: Query, known: WikiRules = {}): { rules: WikiRules; omitted: string[] } {
  const omitted: string[] = []
  const { site } = statedSite({ ...SOUND, ...parts }, { ...known, bots: [] }, (what) => omitted.push(what))
  const { aliases, subpages, stringFunctions, extensionTags, protocols, fileExtensions } = site
  const rules = { aliases, subpages, stringFunctions, extensionTags, protocols, fileExtensions }
  const stated = Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined))
  return { rules: stated, omitted }
}

describe('rules', () => {
  test('that the answer does not state stay as they were', () => {
    const known: WikiRules = { aliases: [['WP', 4]], stringFunctions: true, subpages: { 0: true } }
    expect(rulesOf({}, known)).toEqual({ rules: known, omitted: [] })
    expect(rulesOf({})).toEqual({ rules: {}, omitted: [] })
  })

  test.each<[string, Query, WikiRules]>([
    [
      'aliases, but those that are known, of no namespace, or no prefix',
      {
        namespacealiases: [
          { id: 4, alias: 'WP' },
          { id: 4, '*': 'W_T' },
          { id: 2, alias: 'user' },
          { id: 99, alias: 'None' },
          { id: 4, alias: 'a:b' },
        ],
      },
      {
        aliases: [
          ['W T', 4],
          ['WP', 4],
        ],
      },
    ],
    [
      'subpages',
      { namespaces: { ...NAMESPACES, 0: { id: 0, name: '', subpages: true } } },
      { subpages: { 0: true, 2: false, 4: false } },
    ],
    ['string functions', { functionhooks: ['if', 'len'] }, { stringFunctions: true }],
    ['tags', { extensiontags: ['<ref>', '<a b>', 'x'] }, { extensionTags: ['ref'] }],
    [
      'protocols, but none that could run a script',
      { protocols: ['https://', 'javascript:', 'data:'] },
      { protocols: ['https://'] },
    ],
    ['files', { fileextensions: [{ ext: 'PNG' }, { ext: '../x' }] }, { fileExtensions: ['png'] }],
  ])('are read: %s', (_what, parts, rules) => {
    expect(rulesOf(parts)).toEqual({ rules, omitted: [] })
  })

  test.each<[string, Query]>([
    ['null', { namespacealiases: null }],
    ['a text', { namespacealiases: 'WP' }],
    ['another kind of number', { namespacealiases: [{ id: '4', alias: 'WP' }] }],
    ['a long name', { namespacealiases: [{ id: 4, alias: 'x'.repeat(301) }] }],
    ['very many', { namespacealiases: Array(2001).fill({ id: 4, alias: 'WP' }) }],
  ])('stay as they were, and are named, if the answer has %s', (_what, parts) => {
    const { rules, omitted } = rulesOf(parts, { aliases: [['WP', 4]] })
    expect(rules).toEqual({ aliases: [['WP', 4]] })
    expect(omitted).toEqual([expect.stringMatching(/^namespacealiases of siteinfo: the answer is not one/)])
  })

  test('win over names of the language', () => {
    const { rules } = rulesOf({
      namespacealiases: [{ id: 4, alias: 'Bild' }],
      general: { ...GENERAL, lang: 'de' },
    })
    expect(rules.aliases).toEqual([['Bild', 4]])
    const namespaces = [...Object.values(NAMESPACES), { id: 6, name: 'Datei' }].map((each) => ({
      ...each,
      case: 'first-letter' as const,
    }))
    const site = { namespaces, case: 'first-letter' as const, language: 'de' }
    expect(new Namespaces(site).idByName('Bild')).toBe(6)
    expect(new Namespaces({ ...site, ...rules }).idByName('Bild')).toBe(4)
    expect(languageOf('de').namespaceAliases).toContainEqual(['Bild', 6])
  })
})
