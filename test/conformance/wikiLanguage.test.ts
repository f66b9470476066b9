/** A wiki in Russian: its own names in the action API and in addresses of pages for readers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { recordedSite } from '../language/recordedWiki.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { run } from '../support/command.js'
import { folderWith, page, revision } from './busyWiki.js'
import { startServer, type TestServer } from './garden.js'

let wiki: TestServer
let folder: string
beforeAll(async () => {
  const site = { ...recordedSite('ru'), name: 'Вики', wikiId: 'ruwiki' }
  const message = (id: number, dbkey: string, text: string) => ({
    ...page(id, dbkey, [revision(id, text)]),
    namespace: 8,
  })
  const pages = [
    page(1, 'Кот', [revision(1, 'Кот [[File:A.png]] 1')]),
    message(2, 'Recentchanges', 'Свежие правки'),
    message(3, 'Randompage', '<script>alert(1)</script>'),
    message(4, 'Vector-view-history', 'История'),
    message(5, 'Statistics', `"'&`),
  ]
  folder = await folderWith(pages, { site })
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

describe('pages for readers', () => {
  const get = async (title: string): Promise<string> =>
    (await wiki.send(`/wiki/${encodeURIComponent(title)}`)).bytes.toString()

  test("have the wiki's own words, else English ones, and dates of its language", async () => {
    const recent = await get('Special:RecentChanges')
    expect(recent).toContain('<h1 dir="auto">Свежие правки</h1>')
    expect(recent).toContain('>Random page</a>')
    expect(recent).toContain('<h2>1 января 2021</h2>')
    expect(recent).not.toContain('alert(1)</script>')
    const article = await get('Кот')
    expect(article).toContain('<span lang="ru" dir="auto">История</span>')
    expect(article).toContain('00:00, 1 января 2021</time>')
    expect(await get('Special:Statistics')).toContain('<h1 dir="auto">Statistics</h1>')
  })

  test('lose a word whose page goes', async () => {
    const words = async () => /<a href="[^"]*Special:RecentChanges">(.*?)<\/a>/.exec(await get('Кот'))?.[1]
    expect(await words()).toBe('<span lang="ru" dir="auto">Свежие правки</span>')
    const erasing = run('erase', '--data-dir', folder, '--page', 'MediaWiki:Recentchanges', '--yes')
    // The server of this process goes on meanwhile: what it sees of the store cannot be overwritten.
    expect(await erasing.exit).toBe(0)
    await expect.poll(words).toBe('Recent changes')
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
