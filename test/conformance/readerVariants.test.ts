/** Pages in the variants of the wiki's language: how a reader chooses one, and what it shows. */
import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create } from './editing.js'
import { type Answer, startServer, type TestServer } from './garden.js'

const TEXT = `'''軟體'''是-{zh-hans:程序;zh-hant:程式}-。第一段的文字要夠長，才會成為說明文字，所以這裡多寫一些。
-{H|zh-cn:内存;zh-tw:記憶體}-
== -{zh-hans:发;zh-hant:發}-展 ==
記憶體 <code>記憶體</code> https://例子.example/記憶體 <span lang="ja">軟體</span>
== 其他 ==
[[软件]] [[不存在]] [[File:沒有.jpg|thumb|alt=-{zh-hans:图;zh-hant:圖}-|-{zh-hans:图;zh-hant:圖}-畫]]
== 連結 ==
{{软体框}} <span title="-{zh-hans:甲;zh-hant:乙}-">x</span> <nowiki>-{x}-</nowiki>
[[Category:電腦]]`

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

let server: TestServer
beforeAll(async () => {
  const pages = [
    page(1, '軟體', [revision(1, TEXT)]),
    page(2, '平文', [revision(2, '這個頁面沒有標記。')]),
    page(3, '改名', [revision(3, '-{T|zh-hans:新名字;zh-hant:新名稱}-內容')]),
    page(4, '不轉', [revision(4, '__NOCC__ __NOTC__ 軟體')]),
    { ...page(5, '軟體框', [revision(5, '軟體模板')]), namespace: 10 },
  ]
  const dataDir = await folderWith(pages, { site: { ...DEFAULT_SITE, language: 'zh' } })
  server = await startServer(dataDir, { anonymousEdits: true })
})

const shown = (answer: Answer): string => answer.bytes.toString()
const get = (path: string, language = ''): Promise<Answer> =>
  server.send(encodeURI(path), { headers: language === '' ? {} : { 'accept-language': language } })

describe('a reader gets a variant', () => {
  test('by path, by query, and by the languages of the browser', async () => {
    const answers = await Promise.all([
      get('/zh-cn/軟體'),
      get('/wiki/軟體?variant=zh-cn'),
      get('/wiki/軟體', 'en, zh-CN;q=0.5'),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(shown(answer)).toContain('<html lang="zh-Hans-CN"')
      expect(shown(answer)).toMatch(/<b[^>]*>软件<\/b>是程序。/)
    }
    expect(answers.map(({ headers }) => String(headers['vary']).includes('Accept-Language'))).toEqual([
      false,
      false,
      true,
    ])
  })

  test('with tags of its own, and ready answers do not mix', async () => {
    const tags = new Set<unknown>()
    for (const language of ['', 'zh-TW', 'zh-CN', 'zh-HK', 'de']) {
      const [first, second, third] = [
        await get('/wiki/軟體', language),
        await get('/wiki/軟體', language),
        await get('/wiki/軟體', language),
      ]
      expect(shown(second)).toBe(shown(first))
      expect(shown(third)).toBe(shown(first))
      tags.add(first.headers['etag'])
      const again = await server.send(encodeURI('/wiki/軟體'), {
        headers: { 'accept-language': language, 'if-none-match': String(first.headers['etag']) },
      })
      expect(again.status).toBe(304)
    }
    expect(tags.size).toBe(4)
  })

  test('or the text as it was written, without markup', async () => {
    const text = shown(await get('/wiki/軟體'))
    expect(text).toMatch(/<b[^>]*>軟體<\/b>是程序。/)
    expect(text).toContain('<html lang="zh"')
    expect(shown(await get('/zh/軟體', 'zh-TW'))).toMatch(/<b[^>]*>軟體<\/b>是程序。/)
  })

  test('by links to each of them', async () => {
    const text = shown(await get('/wiki/平文'))
    const links = [
      ...text.matchAll(
        /<a href="([^"]*)" lang="([^"]*)" hreflang="[^"]*" dir="auto" rel="nofollow"( aria-current="true")?>/g,
      ),
    ]
    expect(links.map(([, path]) => decodeURI(path!))).toContain('/zh-tw/平文')
    expect(links.filter(([, , , current]) => current !== undefined).map(([, , tag]) => tag)).toEqual(['zh'])
    expect(shown(await get('/zh-tw/平文'))).toContain('<base href="/zh-tw/">')
  })

  test('and edits there', async () => {
    const form = shown(await get('/zh-tw/平文?action=edit'))
    const [, action] = /<form[^>]* action="([^"]*)"[^>]*>/.exec(form.slice(form.indexOf('<main'))) ?? []
    expect(decodeURI(action ?? '')).toMatch(/^\/zh-tw\/平文\?action=submit/)
    // Without the token of its form, it is refused as elsewhere.
    const sent = { method: 'POST', headers: FORM, body: 'wpTextbox1=x' }
    const [here, elsewhere] = [
      await server.send(action!, sent),
      await server.send(action!.replace('/zh-tw/', '/wiki/'), sent),
    ]
    expect([here.status, elsewhere.status]).toEqual([403, 403])
  })

  test('whose script sets the direction', async () => {
    const site = { ...DEFAULT_SITE, language: 'kk' }
    const kazakh = await startServer(
      await folderWith([page(1, 'Алма', [revision(1, 'Алма өсті.')])], { site }),
    )
    const text = shown(await kazakh.send(encodeURI('/kk-arab/Алма')))
    expect(text).toContain('<html lang="kk-Arab" dir="rtl">')
    expect(text).toContain('<h1 dir="auto">الما</h1>')
    expect(shown(await kazakh.send(encodeURI('/kk-latn/Алма')))).toContain('<html lang="kk-Latn" dir="ltr">')
  })

  test('whose front leads to the main page in it', async () => {
    const { status, headers } = await get('/zh-tw/')
    expect({ status, to: String(headers['location']).slice(0, 7) }).toEqual({ status: 302, to: '/zh-tw/' })
  })

  test('and none where the language has no variants', async () => {
    expect((await get('/sr-ec/平文')).status).toBe(404)
    expect((await get('/wiki/平文?variant=sr-ec')).status).toBe(200)
  })
})

describe('a page in a variant', () => {
  const VARIANTS = ['zh', 'zh-hans', 'zh-hant', 'zh-cn', 'zh-hk', 'zh-mo', 'zh-my', 'zh-sg', 'zh-tw']
  test.each(VARIANTS)('has no markup in what readers see: %s', async (variant) => {
    const text = shown(await get(`/${variant}/軟體`)).replace(
      /<span typeof="mw:Nowiki"[^>]*>-\{x\}-<\/span>/,
      '',
    )
    const visible = text.replace(/ (?:id|href|data-mw|resource)=(?:"[^"]*"|'[^']*')/g, '')
    expect(visible).not.toContain('-{')
    expect(visible).not.toContain('mw:LanguageVariant')
    expect(text).toContain('<link rel="canonical" href="/wiki/')
  })

  test('has headings, contents, description, pictures and categories in it', async () => {
    const text = shown(await get('/zh-cn/軟體'))
    expect(text).toContain('<h1 dir="auto">软件</h1>')
    expect(text).toContain('<title>软件 – ')
    expect(text).toMatch(/<nav class="contents[^]*发展[^]*<\/nav>/)
    expect(text).toMatch(/<h2 id="[^"]*"[^>]*>(?:<span[^>]*><\/span>)?发展<\/h2>/)
    expect(text).toContain('<meta name="description" content="软件是程序。第一段的文字要够长')
    expect(text).toContain('图画')
    expect(text).toContain('title="甲"')
    expect(text).toMatch(/<nav class="categories"[^]*>电脑<\/a>/)
  })

  test('follows the rules of the page, and leaves code, addresses and foreign words', async () => {
    const text = shown(await get('/zh-cn/軟體'))
    expect(text).toContain('内存 <code')
    expect(text).toMatch(/<code[^>]*>記憶體<\/code>/)
    expect(text).toMatch(/>https:\/\/例子.example\/記憶體<\/a>/)
    expect(text).toMatch(/<span lang="ja"[^>]*>軟體<\/span>/)
  })

  test('has the title that it gives itself, and keeps what its author keeps', async () => {
    expect(shown(await get('/zh-cn/改名'))).toContain('<h1 dir="auto">新名字</h1>')
    expect(shown(await get('/zh-tw/改名'))).toContain('<h1 dir="auto">新名稱</h1>')
    const kept = shown(await get('/zh-cn/不轉'))
    expect(kept).toContain('<h1 dir="auto">不轉</h1>')
    expect(kept).toContain('軟體')
  })

  test('finds pages, links and templates under the letters of another variant', async () => {
    const moved = await get('/zh-cn/软体')
    expect({ status: moved.status, to: decodeURI(String(moved.headers['location'])) }).toEqual({
      status: 302,
      to: '/zh-cn/軟體',
    })
    const text = shown(await get('/wiki/軟體'))
    expect(text).toMatch(/<a rel="mw:WikiLink" href="\.\/软件"(?![^>]*class="new")/)
    expect(text).toMatch(/<a rel="mw:WikiLink" href="\.\/不存在"[^>]*class="new"/)
    expect(text).toContain('軟體模板')
    expect((await get('/wiki/全無')).status).toBe(404)
  })

  test('has a preview in it', async () => {
    const preview = (await get('/zh-cn/軟體?action=preview')).body as { readonly text: string }
    expect(preview.text).toMatch(/^软件是程序。/)
    const written = (await get('/wiki/軟體?action=preview')).body as { readonly text: string }
    expect(written.text).toMatch(/^軟體是程序。/)
  })
})

describe('a search', () => {
  const found = async (words: string): Promise<string[]> => {
    const { body } = await get(`/v1/search/page?q=${words}`)
    return (body as { pages: { title: string; excerpt: string }[] }).pages.map(({ title, excerpt }) => {
      expect(excerpt).not.toContain('-{')
      return `${title}: ${excerpt.replace(/<[^>]*>/g, '')}`
    })
  }

  test('is found by programs that ask for `converttitles`', async () => {
    const ask = async (more: string): Promise<unknown> => {
      const path = '/api.php?action=query&format=json&formatversion=2&titles=软件|template:软体框|没有|平文'
      return (JSON.parse(shown(await get(path + more))) as { query: unknown }).query
    }
    expect(await ask('&converttitles=1')).toMatchObject({
      normalized: [{ from: 'template:软体框', to: 'Template:软体框' }],
      converted: [
        { from: '软件', to: '軟體' },
        { from: 'Template:软体框', to: 'Template:軟體框' },
      ],
      pages: [
        { title: '没有', missing: true },
        { pageid: 1, title: '軟體' },
        { pageid: 2, title: '平文' },
        { pageid: 5, title: 'Template:軟體框' },
      ],
    })
    expect(await ask('')).not.toHaveProperty('converted')
  })

  test('completes titles in the letters of another variant', async () => {
    const titlesAt = async (path: string): Promise<string[]> => {
      const { body } = await get(path)
      return (body as { pages: { title: string }[] }).pages.map(({ title }) => title)
    }
    expect((await create(server, '計劃', '計劃')).status).toBe(201)
    expect(await titlesAt('/v1/search/title?q=计')).toEqual(['計劃'])
    expect(await titlesAt('/v1/search/title?q=計')).toEqual(['計劃'])
    expect(await titlesAt('/v1/search/title?q=没')).toEqual([])
    const prefix = await get(
      '/api.php?action=query&list=prefixsearch&pssearch=软&format=json&formatversion=2',
    )
    expect(JSON.parse(shown(prefix))).toMatchObject({ query: { prefixsearch: [{ title: '軟體' }] } })
    const open = await get('/api.php?action=opensearch&search=template:软&format=json')
    expect((JSON.parse(shown(open)) as unknown[])[1]).toEqual(['Template:軟體框'])
  })

  test('finds a page by words of each variant, and shows it in them', async () => {
    const text = '軟體是-{zh-hans:程序;zh-hant:程式}-。第一段的文字要夠長。'
    expect((await create(server, '搜尋', text)).status).toBe(201)
    expect(await found('軟體 要夠長')).toEqual(['搜尋: 軟體是程序。第一段的文字要夠長。'])
    expect((await found('软件 要够长'))[0]).toContain('软件是程序。第一段的文字要够长。')
    // A text that the markup hides, and the title in another variant.
    expect(await found('程式')).toHaveLength(1)
    expect(await found('搜寻')).toHaveLength(1)
  })

  test('leads to the page that has the title in another variant', async () => {
    const { status, headers } = await get('/wiki/Special:Search?search=软件&go=1')
    expect({ status, to: decodeURI(String(headers['location'])) }).toEqual({ status: 302, to: '/wiki/軟體' })
  })
})

describe('lists show titles in the variant', () => {
  const NONCHARACTERS = /[\ufdd0-\ufdef]/
  const PATHS = [
    'Special:AllPages',
    'Special:PrefixIndex?prefix=軟',
    'Special:RecentChanges',
    'Special:NewPages',
    'Special:Contributions/User_1',
    'Special:WhatLinksHere/不存在',
    'Special:RecentChangesLinked/指路',
    'Category:電腦',
  ]
  beforeAll(async () => {
    expect((await create(server, '指路', '[[軟體]] [[Category:電腦]]')).status).toBe(201)
    expect((await create(server, '程序頁', '#REDIRECT [[軟體]]')).status).toBe(201)
    // Imported pages are in no index of words.
    expect((await create(server, '長文', '計劃和網絡都在這裡')).status).toBe(201)
  })

  test.each(PATHS)('of %s, and links lead to the pages', async (path) => {
    const [converted, written] = [shown(await get(`/zh-cn/${path}`)), shown(await get(`/wiki/${path}`))]
    expect(converted).toContain('<bdi>软件</bdi>')
    expect(converted).not.toContain('<bdi>軟體</bdi>')
    expect(written).toContain('<bdi>軟體</bdi>')
    expect(converted + written).not.toMatch(NONCHARACTERS)
    const [, href = ''] = /<a [^>]*href="([^"?]*)[^"]*"[^>]*><bdi>软件<\/bdi>/.exec(converted) ?? []
    expect(decodeURI(href)).toBe('/zh-cn/軟體')
    expect((await server.send(href)).status).toBe(200)
  })

  test.each([
    ['軟體?action=history', '<bdi>软件</bdi>: revision history'],
    ['軟體?action=info', 'Information about <bdi>软件</bdi>'],
    ['軟體?diff=cur', '<bdi>软件</bdi>: difference between revisions'],
    ['Special:WhatLinksHere/軟體', 'Pages that link to 软件'],
    ['Special:RecentChangesLinked/軟體', 'Related changes of 软件'],
    ['Special:CiteThisPage/軟體', 'Cite 软件'],
    ['程序頁', '>程序页</a>.'],
    ['沒有這頁', '<strong dir="auto">没有这页</strong>'],
    ['Special:Categories', '<bdi>电脑</bdi>'],
  ])('and headings of %s', async (path, text) => {
    const page = shown(await get(`/zh-cn/${path}`))
    expect(page).toContain(text)
    expect(page).not.toMatch(NONCHARACTERS)
  })

  test('by the languages of the browser, with tags of their own', async () => {
    const tags = new Set<unknown>()
    for (const language of ['', 'zh-TW', 'zh-CN']) {
      const answer = await get('/wiki/Special:AllPages', language)
      expect(shown(answer)).toContain(language === 'zh-CN' ? '<bdi>软件</bdi>' : '<bdi>軟體</bdi>')
      tags.add(answer.headers['etag'])
      const headers = { 'accept-language': language, 'if-none-match': String(answer.headers['etag']) }
      expect((await server.send('/wiki/Special:AllPages', { headers })).status).toBe(304)
      // Ready from the second request on.
      for (let n = 0; n < 2; n++)
        expect(shown(await get('/wiki/Special:AllPages', language))).toBe(shown(answer))
    }
    expect(tags.size).toBe(3)
  })

  test('with what was found', async () => {
    const text = shown(await get('/zh-cn/Special:Search?search=網絡'))
    expect(text).toContain('<bdi>长文</bdi>')
    expect(text).toMatch(/计划和<span class='searchmatch'>网络<\/span>都在这里/)
  })

  test('but not in fields and forms, which are sent back as they are', async () => {
    const links = shown(await get('/zh-cn/Special:WhatLinksHere/軟體'))
    expect(links).toContain('name="target" value="軟體"')
    const marked = '\ufdd0軟體\ufdd1 \ufdd2記憶體\ufdd3'
    expect((await create(server, '標記', marked)).status).toBe(201)
    const form = shown(await get('/zh-cn/標記?action=edit'))
    expect(form).toContain(marked)
    expect(form).toContain('Editing <bdi>標記</bdi>')
    expect(shown(await get('/zh-cn/標記?action=raw'))).toBe(marked)
  })

  test('in completions', async () => {
    const pagesAt = async (path: string): Promise<unknown> =>
      ((await get(path)).body as { readonly pages: unknown }).pages
    for (const path of ['/v1/search/title?q=長', '/v1/search/page?q=網絡']) {
      for (let n = 0; n < 3; n++) {
        const written = await pagesAt(path)
        expect(await pagesAt(`${path}&variant=zh`)).toEqual(written)
        expect(await pagesAt(`${path}&variant=nowhere`)).toEqual(written)
      }
    }
    expect(await pagesAt('/v1/search/title?q=長&variant=zh-cn')).toMatchObject([
      { key: '長文', title: '长文', excerpt: '长文' },
    ])
    expect(await pagesAt('/v1/search/page?q=網絡&variant=zh-cn')).toMatchObject([
      { key: '長文', title: '长文', excerpt: expect.stringContaining('计划和<span') as string },
    ])
    expect(shown(await get('/zh-cn/平文'))).toContain('data-variant="zh-cn"')
    for (const path of ['/wiki/平文', '/zh/平文'])
      expect(shown(await get(path))).not.toContain('data-variant')
  })

  test('and leave English words in English', async () => {
    const site = { ...DEFAULT_SITE, language: 'sr' }
    const text = 'Program je napisan.'
    const serbian = await startServer(await folderWith([page(1, 'Program', [revision(1, text)])], { site }))
    const list = shown(await serbian.send('/sr-ec/Special:RecentChanges'))
    expect(list).toContain('<bdi>Програм</bdi>')
    expect(list).toContain('<h1 dir="auto">Recent changes</h1>')
    expect(list).toContain('href="/sr-ec/Program"')
  })
})

describe('the API', () => {
  test('answers extracts and parsed texts without markup', async () => {
    const ask = async (query: string): Promise<string> =>
      shown(await get(`/api.php?format=json&formatversion=2&${query}`))
    const extract = await ask('action=query&prop=extracts&explaintext=1&titles=軟體')
    expect(extract).toContain('軟體是程序。')
    expect(extract.replace('-{x}-', '')).not.toContain('-{')
    const parsed = await ask('action=parse&page=軟體&prop=text')
    expect(parsed).toContain('是程序。')
  })

  test('answers HTML with the markup', async () => {
    const { bytes } = await get('/v1/page/軟體/html', 'zh-CN')
    expect(bytes.toString()).toContain('mw:LanguageVariant')
    expect(bytes.toString()).toContain('軟體')
  })
})
