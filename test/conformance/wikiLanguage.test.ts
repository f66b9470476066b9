/** A wiki in Russian: its own names in the action API and in addresses of pages for readers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { recordedSite } from '../language/recordedWiki.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { startServer, type TestServer } from './garden.js'

let wiki: TestServer
beforeAll(async () => {
  const site = { ...recordedSite('ru'), name: 'Вики', wikiId: 'ruwiki' }
  const folder = await folderWith([page(1, 'Кот', [revision(1, 'Кот [[File:A.png]] 1')])], { site })
  const store = Store.open(folder)
  new Applier(store).submit({
    kind: 'settings',
    id: 'a'.repeat(32),
    time: 1_700_000_000,
    site: { aliases: [['ВП', 4]], specialPages: { Search: ['Найти', 'Search'] }, subpages: { 0: true } },
  })
  await store.close()
  wiki = await startServer(folder)
})

interface Answer {
  readonly query: {
    readonly general: Readonly<Record<string, unknown>>
    readonly specialpagealiases: readonly { readonly realname: string; readonly aliases: readonly string[] }[]
    readonly namespacealiases: readonly { readonly id: number; readonly alias: string }[]
    readonly namespaces: Readonly<Record<string, { readonly name: string; readonly subpages: boolean }>>
    readonly pages: readonly Readonly<Record<string, unknown>>[]
  }
}
const query = async (rest: string): Promise<Answer['query']> => {
  const { bytes } = await wiki.send(`/api.php?action=query&format=json&formatversion=2&${rest}`)
  return (JSON.parse(bytes.toString()) as Answer).query
}

describe('the action API', () => {
  test('names special pages, namespaces and letters of links as the wiki does', async () => {
    const props = 'general|specialpagealiases|namespaces|namespacealiases'
    const { general, specialpagealiases, namespaces, namespacealiases } = await query(
      `meta=siteinfo&siprop=${props}`,
    )
    const aliasesOf = (name: string) => specialpagealiases.find(({ realname }) => realname === name)?.aliases
    expect(aliasesOf('Allpages')).toEqual(['Все_страницы', 'AllPages'])
    expect(aliasesOf('Search')).toEqual(['Найти', 'Search'])
    expect([namespaces['6'], namespaces['0']]).toMatchObject([{ name: 'Файл' }, { subpages: true }])
    expect(namespacealiases).toContainEqual({ id: 4, alias: 'ВП' })
    expect(namespacealiases).toContainEqual({ id: 2, alias: 'Участница' })
    expect(general).toMatchObject({ lang: 'ru', fallback: [{ code: 'en' }], linkprefix: '' })
    expect(general['linktrail']).toMatch(/абвг/)
  })

  test('knows special pages by all their names', async () => {
    const titles = ['Служебная:Найти', 'Special:AllPages', 'Служебная:Все страницы', 'Special:Нет']
    const { pages } = await query(`titles=${encodeURIComponent(titles.join('|'))}`)
    const missing = new Map(pages.map(({ title, missing }) => [title, missing]))
    expect(missing).toEqual(
      new Map([
        ['Служебная:Найти', undefined],
        ['Служебная:AllPages', undefined],
        ['Служебная:Все страницы', undefined],
        ['Служебная:Нет', true],
      ]),
    )
  })
})

test.each([
  ['Служебная:Найти', 200],
  ['Служебная:Все_страницы', 200],
  ['Special:Свежие_правки', 200],
  ['Special:RecentChanges', 200],
  ['Служебная:Нет_такой', 404],
])('a reader finds the special page %s: %i', async (title, status) => {
  expect((await wiki.send(`/wiki/${encodeURIComponent(title)}`)).status).toBe(status)
})
