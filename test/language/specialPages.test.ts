/** Names of special pages and namespaces in each language, as MediaWiki has them. */
import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { SpecialPages } from '../../src/domain/specialPages.js'
import { describeShared, readRows } from '../support/shared.js'
import { recordedSite } from './recordedWiki.js'

interface Row {
  readonly code: string
  readonly namespaceNames: Readonly<Record<string, string>>
  readonly namespaceAliases: Readonly<Record<string, number>>
  readonly specialPageAliases: Readonly<Record<string, readonly string[]>>
}

describe('special pages', () => {
  test('have the names of the language, those of English, and those of the wiki', () => {
    const pages = SpecialPages.of({ language: 'ru', specialPages: { Search: ['Найти', 'Search'] } })
    expect(
      ['Все_страницы', 'все страницы'.replace(' ', '_'), 'AllPages', 'All_pages/x'].map((name) =>
        pages.named(name),
      ),
    ).toEqual([...['Allpages', 'Allpages', 'Allpages', 'Allpages']])
    expect([pages.named('Найти'), pages.named('Нет такой')]).toEqual(['Search', undefined])
  })
})

describeShared('names of all languages', 'oracle/languages/languages.jsonl.gz', (path) => {
  const rows = readRows<Row>(path)
  const english = rows.find(({ code }) => code === 'en')!

  test('of special pages are those of MediaWiki', () => {
    expect(rows.length).toBeGreaterThan(400)
    for (const { code, specialPageAliases } of rows) {
      const { names } = SpecialPages.of({ language: code })
      const expected = Object.entries({ ...english.specialPageAliases, ...specialPageAliases })
      expect(
        expected.map(([page]) => [page, names.get(page)]),
        code,
      ).toEqual(expected)
    }
  })

  test('of namespaces are those of MediaWiki', () => {
    for (const { code, namespaceNames, namespaceAliases } of rows) {
      const namespaces = new Namespaces(recordedSite(code))
      const expected = Object.entries({ ...english.namespaceNames, ...namespaceNames })
      const isOwn = ([id]: readonly [string, string]): boolean => id !== '4'
      const shown = (name: string): string => name.replaceAll('_', ' ').replace('$1', 'Oracle Wiki')
      const stated = expected.filter(isOwn).map(([id, name]) => [id, shown(name)])
      expect(
        stated.map(([id]) => [id, namespaces.nameOf(Number(id))]),
        code,
      ).toEqual(stated)
      for (const [alias, id] of Object.entries(namespaceAliases))
        if (alias !== '') expect(namespaces.idByName(shown(alias)), `${code}: ${alias}`).toBe(id)
    }
  })
})
