/** Members of categories below their pages, and the list of all categories. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { create, update } from './editing.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'
import { dumpXml } from '../support/dump.js'
import { importInto } from '../support/store.js'

const COUNT = 450
const name = (n: number): string => `P${String(n).padStart(3, '0')}`

let wiki: TestServer
beforeAll(async () => {
  const at = (id: number, title: string, text: string, namespace = 0) => ({
    ...{ id, title, namespace },
    revisions: [{ id, text }],
  })
  const pages = Array.from({ length: COUNT }, (_, n) => at(n + 1, name(n + 1), '[[Category:Many]]'))
  const more = [
    at(501, 'Rose', '[[Category:Flowers|z]]'),
    at(502, 'Aster "& x', '[[Category:Flowers]]'),
    at(503, 'File:Rose.png', '[[Category:Flowers]]', 6),
    at(504, 'Category:Flowers', 'About flowers. [[Category:Plants]]', 14),
    at(505, 'Category:Empty', 'Nothing here', 14),
    at(506, 'Talk:Rose', '[[Category:Flowers]]', 1),
    at(
      508,
      'Counts',
      '{{PAGESINCATEGORY:Many}}, {{PAGESINCATEGORY:Flowers}}, {{PAGESINCATEGORY:Flowers|files}}',
    ),
    at(507, 'Quotes', '[[Category:A "b" & c]]'),
  ]
  const special = '<namespace key="-1" case="first-letter">Special</namespace>'
  const dump = dumpXml([...pages, ...more]).replace('<namespaces>', `<namespaces>${special}`)
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dump.xml'), dump)
  const { error } = await importInto(folder, [join(folder, 'dump.xml')])
  expect(error).toBeUndefined()
  wiki = await startServer(folder, { anonymousEdits: true })
})

async function get(
  path: string,
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  const { status, bytes, headers } = await wiki.send(path)
  return { status, text: bytes.toString(), headers }
}

const members = (text: string): string[] => {
  const lists = text.slice(text.indexOf('category-members'))
  return Array.from(lists.matchAll(/<li><a href="\/wiki\/([^"]*)"><bdi>([^<]*)</g), ([, , shown]) => shown!)
}
const linkTo = (text: string, rel: 'prev' | 'next'): string | undefined =>
  new RegExp(`<a href="([^"]*)" rel="${rel}"`).exec(text)?.[1]?.replaceAll('&amp;', '&')

describe('the page of a category', () => {
  test('shows its text, and below it three lists with letters', async () => {
    const { status, text } = await get('/wiki/Category:Flowers')
    expect([status, text.includes('About flowers.')]).toEqual([200, true])
    expect(members(text)).toEqual(['Aster &quot;&amp; x', 'Talk:Rose', 'Rose', 'Rose.png'])
    expect(text).toContain('Pages in this category (3)')
    expect(text).toContain('Files in this category (1)')
    expect(text).not.toContain('Subcategories')
    expect(Array.from(text.matchAll(/<h3><bdi>(.)<\/bdi>/g), ([, letter]) => letter)).toEqual([
      'A',
      'R',
      'Z',
      'R',
    ])
  })

  test('shows subcategories with their counts, also if nobody wrote the page', async () => {
    const { status, text } = await get('/wiki/Category:Plants')
    expect([status, members(text)]).toEqual([200, ['Flowers']])
    expect(text).toContain('</a> (4)</li>')
    expect((await get('/wiki/Category:Nothing')).status).toBe(404)
    expect((await get('/wiki/Category:Empty')).text).toContain('This category has no members.')
    expect((await get('/wiki/Rose')).text).not.toContain('category-members')
  })

  test('has 200 members in each part, and links both ways', async () => {
    const first = await get('/wiki/Category:Many')
    expect(members(first.text)).toEqual(Array.from({ length: 200 }, (_, n) => name(n + 1)))
    expect(linkTo(first.text, 'prev')).toBeUndefined()
    const second = await get(linkTo(first.text, 'next')!)
    expect(linkTo(first.text, 'next')).toBe('/wiki/Category:Many?pagefrom=P201')
    const third = await get(linkTo(second.text, 'next')!)
    expect([members(second.text)[0], members(third.text)]).toEqual([
      'P201',
      Array.from({ length: 50 }, (_, n) => name(401 + n)),
    ])
    expect(linkTo(third.text, 'next')).toBeUndefined()
    const back = await get(linkTo(third.text, 'prev')!)
    expect(members(back.text)).toEqual(members(second.text))
    expect(members((await get(linkTo(back.text, 'prev')!)).text)).toEqual(members(first.text))
  })

  test.each([
    ['pagefrom=p449', ['P449', 'P450']],
    ['pagefrom=zzz', []],
    ['pageuntil=P002', ['P001']],
    [`pagefrom=${'%F0%9F%98%80'.repeat(200)}`, []],
    ['pagefrom=P449%0A%0Ax', ['P450']],
    ['pageuntil=%00', []],
  ])('begins at the place in the query %#', async (query, wanted) => {
    const { status, text } = await get(`/wiki/Category:Many?${query}`)
    expect([status, members(text).slice(0, 2)]).toEqual([200, wanted])
  })

  test('is never stale', async () => {
    expect(members((await get('/wiki/Category:Fresh')).text)).toEqual([])
    await create(wiki, 'Category:Fresh', 'a category')
    for (const [n, text] of ['[[Category:Fresh]]', 'none', '[[Category:Fresh|x]]'].entries()) {
      const rose = (await wiki.send('/v1/page/Rose/bare')).body as { latest: { id: number } }
      await update(wiki, 'Rose', text, rose.latest.id)
      const wanted = n === 1 ? [] : ['Rose']
      for (let i = 0; i < 3; i++) expect(members((await get('/wiki/Category:Fresh')).text)).toEqual(wanted)
    }
  })

  test('knows categories of templates once a page was rendered', async () => {
    await create(wiki, 'Tall', '<includeonly>[[Category:Tall plants]]</includeonly>')
    await create(wiki, 'Sunflower', '{{:Tall}}')
    expect((await get('/wiki/Category:Tall_plants')).text).not.toContain('Sunflower')
    await get('/wiki/Sunflower')
    await expect
      .poll(async () => members((await get('/wiki/Category:Tall_plants')).text))
      .toContain('Sunflower')
  })
})

describe('Special:Categories', () => {
  test('lists categories with members, and what follows a text', async () => {
    const { status, text } = await get('/wiki/Special:Categories')
    expect(status).toBe(200)
    const names = Array.from(
      text.matchAll(/<bdi>([^<]*)<\/bdi><\/a> \((\d+)\)/g),
      ([, shown, count]) => `${shown} ${count}`,
    )
    expect(names).toEqual(
      expect.arrayContaining(['A &quot;b&quot; &amp; c 1', 'Flowers 3', 'Many 450', 'Plants 1']),
    )
    expect(text).toContain('<a href="/wiki/Category:Plants" class="new">')
    expect(text).toContain('<a href="/wiki/Category:Flowers">')
    const from = await get('/wiki/Special:Categories?from=many')
    expect(from.text).not.toContain('<bdi>Flowers</bdi>')
    expect(from.text).toContain('<bdi>Many</bdi>')
    expect((await get('/wiki/Special:Categories/Plants')).text).not.toContain('<bdi>Many</bdi>')
    expect((await get(`/wiki/Special:Categories?from=${'x'.repeat(2000)}`)).status).toBe(200)
  })
})

test('a page shows the numbers of members of categories', async () => {
  const { text } = await get('/v1/page/Counts/html')
  const numbers = [...text.matchAll(/id="mw\w+">([0-9]+)<\/span>/g)].map(([, number]) => Number(number))
  const entries = await get('/wiki/Category:Flowers')
  expect(numbers).toEqual([COUNT, members(entries.text).length, 1])
})
