/** Special pages that list titles by prefix, files and the log, and those that lead elsewhere; hidden categories. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { ChangeReader } from '../../src/storage/changes/changeReader.js'
import { readIndexState } from '../../src/storage/search/indexState.js'
import { writeMeta } from '../../src/storage/tables/meta.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { facts, fileEntry } from '../support/files.js'
import { Store } from '../../src/storage/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create, startEmptyWiki, update } from './editing.js'
import { startServer, type TestServer } from './garden.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startEmptyWiki({ anonymousEdits: true })
  for (let n = 0; n < 105; n++) await create(wiki, `Ray ${String(n).padStart(3, '0')}`, 'A ray.')
  await create(wiki, 'Rayon', '#REDIRECT [[Ray 001]]')
  await create(wiki, 'Ra', 'A sun.')
  await create(wiki, 'Category:Stars', 'About stars.')
  await create(wiki, 'Category:Secret', 'For editors. __HIDDENCAT__')
  await create(wiki, 'Category:Told', 'It says <nowiki>__HIDDENCAT__</nowiki>')
  await create(
    wiki,
    'Sun',
    'A star. [[Category:Stars]] [[Category:Secret]] [[Category:Told]] [[Category:None]]',
  )
})

async function get(path: string, server = wiki): Promise<{ status: number; text: string; shown: string }> {
  const answer = await server.send(path)
  const text = answer.bytes.toString().replaceAll('&amp;', '&')
  const main = text.slice(text.indexOf('class="content"'), text.indexOf('</main>'))
  const shown = main
    .replace(/<form.*?<\/form>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
  return { status: answer.status, text, shown }
}

describe('Special:PrefixIndex', () => {
  test('lists titles that begin so, in parts, and marks redirects', async () => {
    const first = await get('/wiki/Special:PrefixIndex/Ray')
    expect(first.shown).toMatch(/Ray 000.*Ray 099/)
    expect(first.shown).not.toContain('Ray 100')
    expect(first.shown).not.toContain('Sun')
    const [, next] = /href="([^"]*from=[^"]*)"/.exec(first.text)!
    const second = await get(next!)
    expect(second.shown).toMatch(/Ray 100.*Ray 104.*Rayon \(redirect\)/)
    expect(second.text).toContain('href="/wiki/Rayon?redirect=no"')
  })

  test('hides redirects, and knows namespaces', async () => {
    const { shown } = await get('/wiki/Special:PrefixIndex?prefix=Rayo&hideredirects=1')
    expect(shown).toContain('No title of this namespace begins so.')
    expect((await get('/wiki/Special:PrefixIndex?prefix=S&namespace=14')).shown).toMatch(/Secret.*Stars/)
    expect((await get('/wiki/Special:PrefixIndex/Category:St')).shown).toContain('Category:Stars')
  })
})

test('Special:ListFiles lists files with their facts, in parts', async () => {
  const dataDir = await folderWith([page(1, 'Sun', [revision(1, 'A star.')])])
  const store = Store.open(dataDir)
  const applier = new Applier(store)
  for (let n = 0; n < 52; n++) applier.submit(fileEntry(`Ray_${String(n).padStart(2, '0')}.png`, facts()))
  await store.close()
  const server = await startServer(dataDir)
  const first = await get('/wiki/Special:ListFiles', server)
  expect(first.shown).toMatch(/Ray 00.png image\/png 1.2 kB .* Ann .*Ray 49.png/)
  expect(first.text).toContain('href="/wiki/File:Ray_00.png"')
  expect(first.shown).not.toContain('Ray 50')
  const [, next] = /href="([^"]*from=[^"]*)"/.exec(first.text)!
  expect((await get(next!, server)).shown).toMatch(/Ray 50.png.*Ray 51.png/)
  expect((await get('/wiki/Special:ListFiles')).shown).toContain('No file comes at or after this name.')
})

test('Special:PermanentLink leads to a revision', async () => {
  const { body } = await wiki.send('/v1/page/Ra/bare')
  const { id } = (body as { latest: { id: number } }).latest
  const answer = await wiki.send(`/wiki/Special:PermanentLink/${id}`)
  expect([answer.status, answer.headers['location']]).toEqual([302, `/wiki/Ra?oldid=${id}`])
  expect((await wiki.send(`/wiki/Special:PermanentLink?target=${id}`)).status).toBe(302)
})

test('Special:Version names the software and the tags of the wiki', async () => {
  const { shown } = await get('/wiki/Special:Version')
  expect(shown).toMatch(/Palimpsest \d+\.\d+\.\d+/)
  expect(shown).toContain('&lt;templatestyles&gt;')
})

const item = (id: number, user: string, rest: string): string =>
  `<logitem><id>${id}</id><timestamp>2026-01-0${id}T07:00:00Z</timestamp><contributor><username>${user}</username><id>${id + 70}</id></contributor>${rest}</logitem>`
const ITEMS = [
  item(
    1,
    'Ann',
    '<type>delete</type><action>delete</action><logtitle>Old page</logtitle><comment>&lt;b&gt;no&lt;/b&gt;</comment>',
  ),
  item(
    2,
    'Bob',
    '<type>move</type><action>move</action><logtitle>Here</logtitle><params xml:space="preserve">a:1:{s:9:"4::target";s:5:"There";}</params>',
  ),
  '<logitem><id>3</id><timestamp>2026-01-03T07:00:00Z</timestamp><contributor deleted="deleted" /><comment deleted="deleted" /><type>delete</type><action>delete</action><text deleted="deleted" /></logitem>',
]

describe('Special:Log', () => {
  let logged: TestServer
  beforeAll(async () => {
    const dataDir = await folderWith([page(1, 'Here', [revision(1, 'a')])])
    const path = join(dataDir, 'log.xml')
    writeFileSync(
      path,
      `<mediawiki version="0.11" xml:lang="en"><siteinfo><dbname>w</dbname><namespaces><namespace key="-1">Special</namespace><namespace key="0" /><namespace key="2">User</namespace></namespaces></siteinfo>\n${ITEMS.join('\n')}\n</mediawiki>`,
    )
    await importDumps({ dataDir, paths: [path] })
    logged = await startServer(dataDir)
  })

  test('lists entries newest first, and says what is hidden', async () => {
    const { shown, text } = await get('/wiki/Special:Log', logged)
    expect(shown).toMatch(
      /\(page removed\).*username removed.*edit summary removed.*move Here → There.*Bob.*delete Old page.*Ann/,
    )
    expect(text).toContain('(&lt;b&gt;no&lt;/b&gt;)')
    expect(text).not.toContain('<b>no')
  })

  test.each([
    ['/wiki/Special:Log/move', ['There'], ['Old page']],
    ['/wiki/Special:Log?type=delete', ['Old page'], ['There']],
    ['/wiki/Special:Log?user=Bob', ['There'], ['Old page']],
    ['/wiki/Special:Log?page=Old+page', ['Old page'], ['There']],
    ['/wiki/Special:Log?user=Nobody', ['no such entries'], ['There']],
  ])('%s chooses', async (path, present, absent) => {
    const { shown } = await get(path, logged)
    for (const words of present) expect(shown).toContain(words)
    for (const words of absent) expect(shown).not.toContain(words)
  })
})

test('categories that their pages hide are not shown, as long as the HTML of the page is the same', async () => {
  const shown = async () => {
    const { text } = await get('/wiki/Sun')
    return [
      ...(/<nav class="categories"[^]*?<\/nav>/.exec(text)?.[0] ?? '').matchAll(/dir="auto">([^<]*)<\/a>/g),
    ].map(([, name]) => name)
  }
  expect(await shown()).toEqual(['Stars', 'Told', 'None'])
  const { body } = await wiki.send('/v1/page/Category:Secret/bare')
  await update(wiki, 'Category:Secret', 'Open.', (body as { latest: { id: number } }).latest.id)
  expect(await shown()).toEqual(['Stars', 'Told', 'None'])
  const sun = (await wiki.send('/v1/page/Sun')).body as { latest: { id: number }; source: string }
  await update(wiki, 'Sun', `${sun.source} More.`, sun.latest.id)
  expect(await shown()).toEqual(['Stars', 'Secret', 'Told', 'None'])
  expect((await get('/wiki/Special:WhatLinksHere/Category:Stars')).shown).not.toContain('transclusion')
})

test('a wiki has names of its own for special pages and for the switch that hides a category', async () => {
  const site = { ...DEFAULT_SITE, name: 'Вики', language: 'ru' }
  const server = await startServer(await folderWith([page(1, 'Роза', [revision(1, 'а')])], { site }))
  expect((await get(`/wiki/${encodeURIComponent('Служебная:Версия')}`, server)).shown).toContain('Palimpsest')
  expect(
    (await get(`/wiki/${encodeURIComponent('Служебная:Указатель_по_началу_названия/Ро')}`, server)).shown,
  ).toContain('Роза')
})

test.each([
  ['/wiki/Special:PrefixIndex', 200],
  ['/wiki/Special:PrefixIndex?prefix=%3Cb%3E', 200],
  ['/wiki/Special:PrefixIndex?namespace=x', 400],
  ['/wiki/Special:ListFiles?from=%3Cb%3E%7C', 200],
  ['/wiki/Special:PermanentLink', 200],
  ['/wiki/Special:PermanentLink/x', 400],
  ['/wiki/Special:PermanentLink/99999', 404],
  ['/wiki/Special:Log', 404],
  ['/wiki/Special:Version', 200],
])('%s is a page with status %d', async (path, status) => {
  const answer = await get(path)
  expect(answer.status).toBe(status)
  expect(answer.text).not.toContain('<b>')
})

test('tools answer 503 as long as the store has no indexes for them', async () => {
  const dataDir = await folderWith([page(1, 'Sun', [revision(1, 'A star.')])])
  const store = Store.open(dataDir)
  const { links: _links, ...older } = readIndexState(store.tables)
  store.transact(() => writeMeta(store.tables, 'index', older))
  await store.close()
  const server = await startServer(dataDir)
  for (const path of ['WhatLinksHere/Sun', 'RecentChangesLinked/Sun']) {
    const { status, shown } = await get(`/wiki/Special:${path}`, server)
    expect([path, status]).toEqual([path, 503])
    expect(shown).toContain('palimpsest reindex')
  }
  const isComplete = vi.spyOn(ChangeReader.prototype, 'isComplete').mockReturnValue(false)
  try {
    for (const path of ['Contributions/Ann', 'NewPages']) {
      const { status, shown } = await get(`/wiki/Special:${path}`, server)
      expect([path, status]).toEqual([path, 503])
      expect(shown).toContain('not complete yet')
    }
  } finally {
    isComplete.mockRestore()
  }
})
