/** Views beside the article: histories, comparisons, lists, searches, sources. */
import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { create, startEmptyWiki } from './editing.js'
import { startGarden, startServer, type TestServer } from './garden.js'

let garden: TestServer
beforeAll(async () => {
  garden = await startGarden({ anonymousEdits: true })
})

interface Page {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

async function get(path: string, server = garden, headers: Record<string, string> = {}): Promise<Page> {
  const answer = await server.send(path, { headers })
  return { status: answer.status, text: answer.bytes.toString(), headers: answer.headers }
}

/** What the page shows between tags, blanks joined. */
const shown = ({ text }: Page): string =>
  text
    .slice(text.indexOf('<main'))
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
const links = ({ text }: Page): string[] =>
  [...text.slice(text.indexOf('<main')).matchAll(/href="([^"]*)"/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&'),
  )

describe('?action=history', () => {
  test('lists revisions with their facts, newest first', async () => {
    const page = await get('/wiki/Compost?action=history')
    expect(page.status).toBe(200)
    expect(page.text).toContain('<title>Compost: revision history – Garden Notes</title>')
    expect(page.text).toContain('<meta name="robots" content="noindex,follow">')
    const ids = [...page.text.matchAll(/name="diff" value="(\d+)"/g)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 25 }, (_, n) => 125 - n))
    expect(shown(page)).toContain('4 March 2024, 08:04 Bert (talk | contribs) (157 bytes) +42 (layer 4)')
    expect(shown(page)).toContain('192.0.2.7')
    expect(links(page)).toEqual(
      expect.arrayContaining([
        '/wiki/Compost?diff=cur&oldid=104',
        '/wiki/Compost?diff=prev&oldid=104',
        '/wiki/Compost?oldid=104',
        '/wiki/User:Bert',
      ]),
    )
    expect(links(page)).not.toContain('/wiki/Compost?diff=cur&oldid=125')
    expect(links(page)).not.toContain('/wiki/Compost?diff=prev&oldid=101')
  })

  test('says which parts are hidden, and shows none of them', async () => {
    const page = await get('/wiki/Rain_barrel?action=history')
    expect(shown(page)).toContain('(username removed)')
    expect(shown(page)).toContain('(edit summary removed)')
  })

  test('comes in segments of 50', async () => {
    const revisions = Array.from({ length: 120 }, (_, n) => revision(n + 1, `text ${n}`))
    const server = await startServer(await folderWith([page(1, 'Long', revisions)]))
    const newest = await get('/wiki/Long?action=history', server)
    expect(links(newest)).toContain('/wiki/Long?action=history&older_than=71')
    const middle = await get('/wiki/Long?action=history&older_than=71', server)
    expect(links(middle)).toEqual(
      expect.arrayContaining([
        '/wiki/Long?action=history',
        '/wiki/Long?action=history&older_than=21',
        '/wiki/Long?action=history&newer_than=70',
      ]),
    )
    const oldest = await get('/wiki/Long?action=history&older_than=21', server)
    expect(links(oldest).filter((link) => link.includes('older_than'))).toEqual([])
    expect((await get('/wiki/Long?action=history&older_than=1', server)).status).toBe(200)
  })

  test('has a tag that changes with the page', async () => {
    const first = await get('/wiki/Rain_barrel?action=history')
    const tag = first.headers['etag'] as string
    expect(first.headers['cache-control']).toBe('no-cache')
    expect((await get('/wiki/Rain_barrel?action=history', garden, { 'if-none-match': tag })).status).toBe(304)
  })

  test.each([
    ['/wiki/Nowhere?action=history', 404],
    ['/wiki/Compost?action=history&older_than=999999', 404],
    ['/wiki/Compost?action=history&older_than=201', 404],
    ['/wiki/Compost?action=history&older_than=x%22%3E%3Cb%3E', 400],
    ['/wiki/Compost?action=history&older_than=7&newer_than=3', 400],
  ])('%s is a page with status %d', async (path, status) => {
    const page = await get(path)
    expect(page.status).toBe(status)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).not.toContain('<b>')
  })
})

describe('?diff=', () => {
  test('shows both texts side by side, with what changed', async () => {
    const page = await get('/wiki/Compost?diff=104&oldid=102')
    expect(page.status).toBe(200)
    expect(shown(page)).toContain('One revision in between is not shown.')
    expect(page.text).toContain(
      '<td class="diff-sign new">+</td><td class="diff-line diff-added new"><div dir="auto">* Layer 4: leaves',
    )
    expect(page.text).toContain('<td class="diff-line diff-context old">')
    expect(links(page)).toContain('/wiki/Compost?diff=prev&oldid=102')
    expect(links(page)).toContain('/wiki/Compost?diff=next&oldid=104')
    const again = await get('/wiki/Compost?diff=104&oldid=102')
    expect(again.text).toBe(page.text)
  })

  test.each([
    ['diff=prev&oldid=104', 'diff=104&oldid=103'],
    ['diff=104', 'diff=104&oldid=103'],
    ['diff=103&oldid=104', 'diff=104&oldid=103'],
    ['diff=next&oldid=103', 'diff=104&oldid=103'],
    ['diff=cur&oldid=124', 'diff=125&oldid=124'],
    ['diff=0&oldid=124', 'diff=125&oldid=124'],
    ['diff=cur', 'diff=125&oldid=124'],
    ['diff=prev', 'diff=125&oldid=124'],
  ])('%s is %s', async (asked, same) => {
    expect((await get(`/wiki/Compost?${asked}`)).text).toBe((await get(`/wiki/Compost?${same}`)).text)
  })

  test('of the first revision says that there is none before', async () => {
    const page = await get('/wiki/Compost?diff=prev&oldid=101')
    expect(page.status).toBe(200)
    expect(shown(page)).toContain('no earlier revision')
  })

  test('finds the page of its revisions', async () => {
    const { status, headers } = await get('/wiki/Elsewhere?diff=104&oldid=103')
    expect([status, headers['location']]).toEqual([302, '/wiki/Compost?diff=104&oldid=103'])
  })

  test.each([
    ['diff=99999&oldid=104', 404],
    ['diff=104&oldid=99999', 404],
    ['diff=104&oldid=201', 400],
    ['diff=abc&oldid=104', 400],
    ['diff=-1', 400],
  ])('%s is refused with %d', async (query, status) => {
    const page = await get(`/wiki/Compost?${query}`)
    expect([page.status, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
  })

  test('shows moved lines, words and line numbers', async () => {
    const before = 'one\ntwo\nthis line is long enough to be moved elsewhere\nfour\nfive\nsix\nseven\n'
    const after = 'one\n2 <b>\nfour\nfive\nsix\nseven\nthis line is long enough to be moved somewhere\n'
    const folder = await folderWith([page(1, 'Moves', [revision(1, before), revision(2, after)])])
    const server = await startServer(folder)
    const moves = await get('/wiki/Moves?diff=2&oldid=1', server)
    expect(moves.text).toContain('2 &lt;b&gt;')
    expect(moves.text).toContain('moved <ins>somewhere</ins>')
    const [from] =
      /id="movedpara_\w+_lhs" class="diff-move" href="[^"]*#(movedpara_\w+_rhs)"/.exec(moves.text) ?? []
    expect(from).toBeDefined()
    expect(shown(moves)).toContain('Line 1:')
  })
})

describe('hidden texts', () => {
  let server: TestServer
  beforeAll(async () => {
    const hidden = { ...revision(2, 'secret words'), text: undefined, statedSizeBytes: 12 }
    const folder = await folderWith([page(1, 'Diary', [revision(1, 'first'), hidden, revision(3, 'third')])])
    server = await startServer(folder)
  })

  test.each([
    ['?diff=3&oldid=2', 403],
    ['?diff=2&oldid=1', 403],
    ['?action=raw&oldid=2', 403],
  ])('%s answers %d', async (query, status) => {
    expect((await get(`/wiki/Diary${query}`, server)).status).toBe(status)
  })

  test('have no links in the history', async () => {
    const page = await get('/wiki/Diary?action=history', server)
    expect(shown(page)).toContain('(text removed)')
    expect(links(page).filter((link) => /=2(&|$)/.test(link))).toEqual([])
    expect(page.text).toMatch(/value="2" aria-label="[^"]*" disabled/)
  })
})

describe('Special:Search', () => {
  test('shows results with their excerpts', async () => {
    const page = await get('/wiki/Special:Search?search=soil')
    expect(page.status).toBe(200)
    expect(page.text).toContain("<span class='searchmatch'>soil</span>")
    expect(links(page)).toContain('/wiki/Compost')
    expect(shown(page)).toContain('Results 1 to')
  })

  test.each([
    ['compost', '/wiki/Compost'],
    ['Special:Statistics', '/wiki/Special:Statistics'],
    ['rain barrel', '/wiki/Rain_barrel'],
  ])('with go leads from %s straight to the page', async (words, place) => {
    const { status, headers } = await get(`/wiki/Special:Search?search=${encodeURIComponent(words)}&go=1`)
    expect([status, headers['location']]).toEqual([302, place])
  })

  test('says that there is no such page, with a way to create it', async () => {
    const page = await get('/wiki/Special:Search?search=Zebra+crossing&go=1')
    expect(page.status).toBe(200)
    expect(shown(page)).toContain('There is no page titled “Zebra crossing”. Create the page')
    expect(links(page)).toContain('/wiki/Zebra_crossing?action=edit')
    expect(shown(page)).toContain('Nothing was found for Zebra crossing.')
  })

  test('links to another spelling when nothing is found', async () => {
    const page = await get('/wiki/Special:Search?search=compsot')
    expect(shown(page)).toContain('Nothing was found for compsot. Did you mean compost?')
    expect(links(page)).toContain('/wiki/Special:Search?search=compost')
  })

  test.each([
    ['a chosen namespace', 'namespace=1', ['/wiki/Talk:Compost'], ['/wiki/Compost']],
    ['all namespaces', 'namespace=all', ['/wiki/Talk:Compost', '/wiki/Compost'], []],
    ["all namespaces by MediaWiki's address", 'profile=all', ['/wiki/Talk:Compost', '/wiki/Compost'], []],
    ["several by MediaWiki's address", 'ns0=1&ns1=1', ['/wiki/Talk:Compost', '/wiki/Compost'], []],
    ['the usual ones for none that exists', 'namespace=4711', ['/wiki/Compost'], ['/wiki/Talk:Compost']],
  ])('looks in %s', async (_case, choice, found, absent) => {
    const page = await get(`/wiki/Special:Search?search=compost&${choice}`)
    const results = /<ol class="results"[^]*<\/ol>/.exec(page.text)![0]
    for (const path of found) expect(results).toContain(`href="${path}"`)
    for (const path of absent) expect(results).not.toContain(`href="${path}"`)
  })

  test('keeps the choice of namespaces in its form and its links', async () => {
    const one = await get('/wiki/Special:Search?search=compsot&namespace=1')
    expect(one.text).toMatch(/<option value="1" selected>\s*Talk\s*<\/option>/)
    expect(one.text).toContain('search=compost&amp;namespace=1')
    const several = await get('/wiki/Special:Search?search=compsot&ns0=1&ns1=1')
    expect(several.text).toContain('search=compost&amp;ns0=1&amp;ns1=1')
    const all = await get('/wiki/Special:Search?search=compost&profile=all')
    expect(all.text).toContain('<option value="all" selected>')
  })

  test('shows a form for no words', async () => {
    for (const query of ['', '?search=', '?search=+&go=1']) {
      const page = await get(`/wiki/Special:Search${query}`)
      expect([page.status, shown(page).includes('Type some words')]).toEqual([200, true])
    }
  })

  test('escapes the words', async () => {
    const page = await get(`/wiki/Special:Search?search=${encodeURIComponent('"><script>x</script>')}`)
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<script>x')
  })

  test('comes in pages of 20', async () => {
    const server = await startEmptyWiki()
    await Promise.all(Array.from({ length: 45 }, (_, n) => create(server, `Bean ${n}`, 'a bean')))
    const seen = new Set<string>()
    for (const [offset, count] of [
      [0, 20],
      [20, 20],
      [40, 5],
    ] as const) {
      const found = await get(`/wiki/Special:Search?search=bean&offset=${offset}`, server)
      const titles = links(found).filter((link) => /^\/wiki\/Bean_\d+$/.test(link))
      expect(titles).toHaveLength(count)
      titles.forEach((title) => seen.add(title))
      expect(links(found).includes(`/wiki/Special:Search?search=bean&offset=${offset + 20}`)).toBe(
        offset < 40,
      )
    }
    expect(seen.size).toBe(45)
    expect((await get('/wiki/Special:Search?search=bean&offset=99999', server)).status).toBe(200)
    expect((await get('/wiki/Special:Search?search=bean&offset=-1', server)).status).toBe(400)
  })
})

describe('lists of pages', () => {
  test('Special:AllPages lists titles of a namespace', async () => {
    const page = await get('/wiki/Special:AllPages')
    expect(page.status).toBe(200)
    expect(links(page)).toContain('/wiki/Compost')
    const from = await get('/wiki/Special:AllPages?from=d')
    expect(links(from)).not.toContain('/wiki/Compost')
    const talk = await get('/wiki/Special:AllPages?namespace=1')
    expect(links(talk).filter((link) => /^\/wiki\/(?!Talk|Special)/.test(link))).toEqual([])
    expect((await get('/wiki/Special:AllPages?namespace=x')).status).toBe(400)
    expect((await get('/wiki/Special:AllPages?from=%3Cscript%3E')).text).not.toContain('<script>')
  })

  test('Special:AllPages has pages of 200 titles, forwards and backwards', async () => {
    const pages = Array.from({ length: 450 }, (_, n) => {
      const title = `P${String(n).padStart(3, '0')}_x`
      return page(n + 1, title, [revision(n + 1, 'x')])
    })
    const server = await startServer(await folderWith(pages))
    const first = await get('/wiki/Special:AllPages', server)
    expect(links(first)).toContain('/wiki/Special:AllPages?from=P200+x')
    const second = await get('/wiki/Special:AllPages?from=P200+x', server)
    expect(links(second)).toEqual(
      expect.arrayContaining(['/wiki/Special:AllPages?from=P000+x', '/wiki/Special:AllPages?from=P400+x']),
    )
    const last = await get('/wiki/Special:AllPages?from=P400+x', server)
    expect(links(last).filter((link) => /^\/wiki\/P/.test(link))).toHaveLength(50)
  })

  test('Special:Random leads to a page', async () => {
    const { status, headers } = await get('/wiki/Special:Random')
    expect(status).toBe(302)
    expect(headers['location']).toMatch(/^\/wiki\/./)
    expect(headers['cache-control']).toContain('no-cache')
    expect((await get('/wiki/Special:Random/Nowhere')).status).toBe(404)
    expect((await get('/wiki/Special:Random/Help')).status).toBe(404)
  })

  test('Special:RecentChanges lists the newest revisions', async () => {
    const page = await get('/wiki/Special:RecentChanges')
    expect(page.status).toBe(200)
    expect(shown(page)).toContain('(username removed)')
    expect(links(page)).toContain('/wiki/Compost?diff=prev&oldid=125')
    expect(links(page)).toContain('/wiki/Compost?action=history')
    expect((await get('/wiki/Special:RecentChanges?older_than=1')).status).toBe(200)
    expect((await get('/wiki/Special:RecentChanges?older_than=0')).status).toBe(200)
    expect((await get('/wiki/Special:RecentChanges?older_than=x')).status).toBe(400)
  })

  test.each(['Statistics', 'SpecialPages', 'special pages', 'sTATISTICS'])(
    'Special:%s is there',
    async (name) => {
      expect((await get(`/wiki/Special:${encodeURIComponent(name)}`)).status).toBe(200)
    },
  )

  test('figures are those of the store', async () => {
    const { pages, revisions } = garden.app.context.store.counters()
    const words = shown(await get('/wiki/Special:Statistics'))
    expect(words).toContain(`Pages ${pages} `)
    expect(words).toContain(`Revisions ${revisions} `)
  })
})

describe('?action=raw', () => {
  test('answers the source as plain text', async () => {
    const { status, text, headers } = await get('/wiki/Compost?action=raw&oldid=101')
    expect([status, text]).toEqual([200, 'Compost is soil in the making.\n'])
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    const latest = await get('/wiki/Compost?action=raw')
    expect(latest.text).toBe(garden.app.context.store.getText(125))
    const tag = latest.headers['etag'] as string
    expect((await get('/wiki/Compost?action=raw', garden, { 'if-none-match': tag })).status).toBe(304)
  })

  test('reads long texts in a thread', async () => {
    const long = `<b>${'words and more '.repeat(20_000)}`
    const server = await startServer(await folderWith([page(1, 'Long', [revision(1, long)])]))
    expect((await get('/wiki/Long?action=raw', server)).text).toBe(long)
  })

  test.each([
    ['/wiki/Nowhere?action=raw', 404],
    ['/wiki/Compost?action=raw&oldid=201', 404],
    ['/wiki/Compost?action=raw&oldid=x', 400],
  ])('%s is refused with %d', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })
})
