/** `serve --html upstream` as processes, beside a follower. */
// @module-tag slow
import { describe, expect, test } from 'vitest'
import { folderOfFile } from '../support/cleanUp.js'
import { ADDRESS, portOf, run, type Run } from '../support/command.js'
import { htmlOf, SmallWiki } from '../support/smallWiki.js'
import { START } from '../support/store.js'
import { UpstreamServer } from '../support/upstreamServer.js'

interface Mirror {
  readonly wiki: SmallWiki
  readonly server: UpstreamServer
  readonly serve: Run
  /** Follows until the mirror is equal. */
  follow(): Promise<void>
  html(title: string): Promise<string>
  status(title: string): Promise<number>
  metric(name: string): Promise<string | undefined>
}

async function mirrorOf(wiki: SmallWiki, ...flags: string[]): Promise<Mirror> {
  const server = await UpstreamServer.start(wiki)
  server.time = START + 1_000_000
  const dataDir = folderOfFile()
  const follow = async (): Promise<void> => {
    const once = run(
      'follow',
      '--data-dir',
      dataDir,
      '--upstream',
      server.url,
      '--once',
      '--overlap',
      '1000000s',
    )
    if ((await once.exit) !== 0) throw new Error(once.output.stderr)
  }
  await follow()
  server.seen.length = 0
  const serve = run('serve', '--data-dir', dataDir, '--port', '0', '--html', 'upstream', ...flags)
  const base = `http://127.0.0.1:${portOf(await serve.printed(ADDRESS))}`
  const get = async (path: string): Promise<Response> => fetch(`${base}${path}`)
  return {
    wiki,
    server,
    serve,
    follow,
    html: async (title) => (await get(`/v1/page/${title}/html`)).text(),
    status: async (title) => (await get(`/v1/page/${title}`)).status,
    metric: async (name) =>
      (await (await get('/metrics')).text()).split('\n').find((line) => line.startsWith(name)),
  }
}

const asked = ({ server }: Mirror): string[] =>
  server.seen.flatMap(({ parameters }) => parameters['rest'] ?? [])

describe('serve --html upstream', () => {
  test('shows the HTML of the wiki, cleaned, and that of the next revision after a change', async () => {
    const wiki = new SmallWiki()
    wiki.edit('Oak', 'an acorn')
    wiki.html = (id) => ({
      revisionId: id,
      renderedAt: START + 10,
      html: htmlOf(id, wiki.revisions.get(id)!.text).replace(
        '<p>',
        '<script>alert(1)</script><p onclick="x">',
      ),
    })
    const mirror = await mirrorOf(wiki, '--upstream-contact', 'admin@mirror.example')
    const first = await mirror.html('Oak')
    expect(first).toContain('of the wiki: an acorn')
    expect(first).not.toMatch(/script|onclick/)
    expect(mirror.server.seen[0]?.headers['user-agent']).toMatch(
      /^Palimpsest\/\S+ \(admin@mirror\.example\)$/,
    )
    expect(await mirror.html('Oak')).toBe(first)
    expect(asked(mirror)).toEqual(['/v1/revision/1/html'])
    expect(await mirror.metric('palimpsest_upstream_html_total')).toMatch(/result="kept".* 1$/)
    wiki.edit('Oak', 'two acorns')
    await mirror.follow()
    // In the background, without any request.
    await expect.poll(() => asked(mirror), { timeout: 20_000 }).toContain('/v1/revision/2/html')
    expect(await mirror.html('Oak')).toContain('of the wiki: two acorns')
  })

  test('renders pages here that the wiki does not give, or that cannot be cleaned', async () => {
    const wiki = new SmallWiki()
    for (const title of ['Lost', 'Deep', 'Late']) wiki.edit(title, `words of ${title}`)
    const answer = wiki.html.bind(wiki)
    wiki.html = (id) => {
      const html = htmlOf(id, '<div>'.repeat(20_000)).replace(/content="[0-9a-f]{40}"/, 'content=""')
      return id === 1 ? undefined : { ...answer(id)!, html }
    }
    const mirror = await mirrorOf(wiki, '--upstream-wait-ms', '300')
    expect(await mirror.html('Lost')).toContain('>words of Lost<')
    expect(await mirror.html('Deep')).toContain('>words of Deep<')
    mirror.server.faultOf = () => ({ stall: true })
    const began = performance.now()
    expect(await mirror.html('Late')).toContain('>words of Late<')
    expect(performance.now() - began).toBeGreaterThan(290)
    // Pages that need no HTML wait for nothing.
    expect(await mirror.status('Oak')).toBe(404)
    expect(await mirror.status('Late')).toBe(200)
    expect(await mirror.metric('palimpsest_upstream_html_waiting')).toMatch(/ 1$/)
    mirror.serve.child.kill('SIGTERM')
    expect(await mirror.serve.exit).toBe(0)
  })

  test.runIf(process.platform === 'linux')(
    'asks with one request at a time from several processes',
    async () => {
      const wiki = new SmallWiki()
      const titles = Array.from({ length: 12 }, (_, n) => `Tree${n}`)
      for (const title of titles) wiki.edit(title, `words of ${title}`)
      const mirror = await mirrorOf(wiki, '--processes', '2', '--upstream-wait-ms', '60000')
      const pages = await Promise.all([...titles, ...titles].map((title) => mirror.html(title)))
      for (const [n, html] of pages.entries())
        expect(html).toContain(`of the wiki: words of ${titles[n % titles.length]}<`)
      expect(mirror.server.mostOpen).toBe(1)
      expect(asked(mirror).sort()).toEqual(titles.map((_, n) => `/v1/revision/${n + 1}/html`).sort())
      expect(mirror.server.seen).toHaveLength(24)
    },
  )

  test('needs the address of its operator for wikis that ask for it', async () => {
    const dataDir = folderOfFile()
    const { Following } = await import('../support/upstream.js')
    const { openFolder } = await import('../support/store.js')
    const { Applier } = await import('../../src/storage/apply/applier.js')
    const store = openFolder(dataDir, { create: true })
    new Following(store, new Applier(store), 'https://simple.wikipedia.org/w/api.php').pages()
    await store.close()
    const serve = run('serve', '--data-dir', dataDir, '--port', '0', '--html', 'upstream')
    expect(await serve.exit).toBe(1)
    expect(serve.output.stderr).toMatch(
      /upstreamContact: simple\.wikipedia\.org asks programs .* give --upstream-contact/,
    )
  })
})
