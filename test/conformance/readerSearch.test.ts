/** Results of `Special:Search`: the section of a match, and the members of a category. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { PoolFullError } from '../../src/workers/hosting/poolErrors.js'
import { wikiWith } from '../support/searchWiki.js'
import { formOf, FormReader, type Shown } from './formReader.js'
import { startServer, type TestServer } from './garden.js'

const LONG = 'Words about nothing in particular. '.repeat(30)
const ROSE = `The rose is a plant & more.
== Kinds ==
A list in the text says Kinds of gardens. ${LONG}
== ''Sharp'' [[Weed|thorns]] & spines ==
${LONG} Marmalade <nowiki><b></nowiki> is made of hips. ${LONG}
=== Kinds ===
{{Missing}} Porridge is not.
== {{Missing|heading}} ==
Gooseberry under a heading from a template.
== Kinds ==
Quince at the end.
{| class="wikitable"
| tabular
|}
[[Category:Plants]]`

describe('a reader who searches', () => {
  let wiki: TestServer
  beforeAll(async () => {
    const trees = Array.from(
      { length: 21 },
      (_, n) => [`Tree ${n}`, 'A tree. [[Category:Tall "trees"]]'] as const,
    )
    const written = wikiWith({
      Rose: ROSE,
      Weed: 'A weed. [[Category:Plants]]',
      ...Object.fromEntries(trees),
    })
    await written.store.close()
    wiki = await startServer(written.dataDir)
  })

  const get = (path: string) => new FormReader(wiki).get(path)
  const search = (words: string, more = '') =>
    get(`/wiki/Special:Search?search=${encodeURIComponent(words)}${more}`)
  const sectionLinks = ({ html }: Shown) =>
    [...html.matchAll(/\(section <a href="([^"]*)"><bdi>([^<]*)<\/bdi>/g)].map(([, href, name]) => [
      href,
      name,
    ])
  const titles = ({ html }: Shown) =>
    [...html.matchAll(/class="result-title">\s*<a href="\/wiki\/([^"]*)"/g)].map(([, key]) => key)

  test.each([
    ['Marmalade', '/wiki/Rose#Sharp_thorns_&amp;_spines', 'Sharp thorns &amp; spines'],
    ['porridge', '/wiki/Rose#Kinds_2', 'Kinds'],
    ['quince', '/wiki/Rose#Kinds_3', 'Kinds'],
    ['"Kinds of gardens"', '/wiki/Rose#Kinds', 'Kinds'],
  ])('for %s is led to the section', async (words, href, name) => {
    const [[link, heading] = []] = sectionLinks(await search(words))
    expect(link).toBe(href)
    expect(heading).toBe(name)
    const id = href.slice(href.indexOf('#') + 1)
    expect((await get('/wiki/Rose')).html).toContain(`id="${id}"`)
  })

  test.each(['rose', 'plant', 'tabular'])('for %s gets no section', async (words) => {
    const page = await search(words)
    expect([titles(page).includes('Rose'), sectionLinks(page)]).toEqual([true, []])
  })

  test('gets the results without sections while no thread is free', async () => {
    const { pool } = wiki.app.context
    const run = pool.run.bind(pool) as (task: string, ...rest: unknown[]) => Promise<never>
    const spy = vi.spyOn(pool, 'run')
    spy.mockImplementation((task: string, ...rest: unknown[]) =>
      task === 'matchSections' ? Promise.reject(new PoolFullError('full')) : run(task, ...rest),
    )
    const page = await search('quince', '&namespace=all')
    expect([page.status, titles(page), sectionLinks(page)]).toEqual([200, ['Rose'], []])
    spy.mockRestore()
  })

  test('finds members of a category, which the form and the links keep', async () => {
    const page = await search('a', '&category=Plants')
    expect(titles(page).sort()).toEqual(['Rose', 'Weed'])
    expect(page.html).toMatch(/name="category"\s+value="Plants"/)
    const members = await search('', `&category=${encodeURIComponent('Tall "trees"')}`)
    expect(titles(members)).toHaveLength(20)
    const next = /href="([^"]*offset=20)"/.exec(members.html)![1]!.replaceAll('&amp;', '&')
    expect(titles(await get(next))).toHaveLength(1)
    expect((await search('tre incategory:Plants')).words).toContain('Nothing was found')
    expect(titles(await search('', '&category=Mars'))).toEqual([])
    const suggested = await search('quinze', '&category=Plants')
    expect(suggested.html).toContain('search=quince&amp;category=Plants')
  })

  test('finds a search on the page of a long category', async () => {
    const page = await get(`/wiki/${encodeURIComponent('Category:Tall_"trees"')}`)
    expect(formOf(page)).toMatchObject({ category: 'Tall "trees"', namespace: 'all' })
    expect((await get('/wiki/Category:Plants')).html).not.toContain('name="category"')
  })
})
