/** Forms of the pages for readers: to edit, and to log in and out. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { PoolFullError } from '../../src/workers/hosting/poolErrors.js'
import { WriteTimeoutError } from '../../src/workers/writer/writer.js'
import { stopClock } from '../support/clock.js'
import { revision as storedRevision } from '../support/store.js'
import { Following, present } from '../support/upstream.js'
import { PASSWORD, wikiWithAccounts } from './actionClient.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create, startEmptyWiki, update } from './editing.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'
import { formOf, FormReader } from './formReader.js'
import { change, createUser, folderForWriters } from './signedIn.js'

const HOSTILE = `</textarea><script>alert(1)</script>"'><img src=x onerror=alert(2)>`

describe('a reader who edits', () => {
  let wiki: TestServer
  beforeAll(async () => {
    wiki = await startEmptyWiki()
    await create(wiki, 'Moon', 'line one\nline two\nline three\nline four\nline five')
  })

  const source = async (title: string): Promise<string> =>
    ((await wiki.send(`/v1/page/${title}`)).body as { source: string }).source

  test('saves the text of the form, and sees it in the history', async () => {
    await create(wiki, 'Star', 'old text')
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/Star?action=edit')
    expect(form.status).toBe(200)
    expect(formOf(form)['wpTextbox1']).toBe('old text')
    expect(form.headers['cache-control']).toContain('private')
    expect(form.words).toContain('You are not logged in.')
    const saved = await browser.send('/wiki/Star', form, {
      wpTextbox1: 'new text',
      wpSummary: 'a <b>word</b>',
    })
    expect([saved.status, saved.location]).toEqual([303, '/wiki/Star'])
    expect(await source('Star')).toBe('new text')
    const history = await browser.get('/wiki/Star?action=history')
    expect(history.html).toContain('(a &lt;b&gt;word&lt;/b&gt;)')
    const comparison = await browser.get('/wiki/Star?diff=cur')
    expect(comparison.html).toContain('<ins>new</ins>')
  })

  test('creates a page', async () => {
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/New_page?action=edit')
    expect(form.words).toContain('This page does not exist yet.')
    expect((await browser.send('/wiki/New_page', form, { wpTextbox1: 'hello' })).location).toBe(
      '/wiki/New_page',
    )
    expect(await source('New_page')).toBe('hello')
    expect((await browser.edit('/wiki/Turned', { wpTextbox1: '#REDIRECT [[Moon]]' })).location).toBe(
      '/wiki/Turned?redirect=no',
    )
  })

  test('keeps every sign of a text', async () => {
    const texts = [
      '\nfirst line is empty',
      `a\u00a0b &amp; &lt; ${HOSTILE}`,
      '  blanks\n\n\nend',
      'שלום 🌙 \u202e',
    ]
    for (const [n, text] of texts.entries()) {
      await create(wiki, `Signs ${n}`, text)
      const browser = new FormReader(wiki)
      const form = await browser.get(`/wiki/Signs_${n}?action=edit`)
      expect(form.html).not.toContain('<script>alert')
      expect(formOf(form)['wpTextbox1']).toBe(await source(`Signs ${n}`.replace(' ', '%20')))
    }
  })

  test('sees a preview, and the changes, before anything is saved', async () => {
    const browser = new FormReader(wiki)
    const text = `== Head ==\nSome ''text'' by ~~~~\n${HOSTILE}`
    const preview = await browser.edit('/wiki/Moon', { wpTextbox1: text, wpSummary: HOSTILE }, 'wpPreview')
    expect(preview.status).toBe(200)
    expect(preview.words).toContain('This is only a preview.')
    expect(preview.html).toMatch(/<i[^>]*>text<\/i>/)
    expect(preview.html).toContain('127.0.0.1')
    expect(preview.html).not.toContain('<script>alert')
    expect(formOf(preview)['wpTextbox1']).toBe(text)
    const changes = await browser.send('/wiki/Moon', preview, { wpTextbox1: 'line one\nline 2' }, 'wpDiff')
    expect(changes.html).toContain('<ins>2</ins>')
    expect(await source('Moon')).toContain('line five')
  })

  test('gets style blocks of templates in the preview, by their hash', async () => {
    await create(wiki, 'Template:Box/styles.css', '.box { color: red }')
    const preview = await new FormReader(wiki).edit(
      '/wiki/Moon',
      { wpTextbox1: '<templatestyles src="Box/styles.css" /><div class="box">x</div>' },
      'wpPreview',
    )
    expect(preview.html).toContain('<style')
    expect(preview.headers['content-security-policy']).toMatch(/style-src-elem 'self' 'sha256-[\w+/=]{44}'/)
  })

  test('whose edit meets another one gets both texts, and can save again', async () => {
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/Moon?action=edit')
    const base = Number(formOf(form)['parentRevId'])
    await update(wiki, 'Moon', 'line one\nTHEIRS\nline three\nline four\nline five', base)
    const mine = 'line one\nMINE\nline three\nline four\nline five'
    const conflict = await browser.send('/wiki/Moon', form, { wpTextbox1: mine, wpSummary: 'my change' })
    expect(conflict.status).toBe(409)
    expect(conflict.words).toContain('Someone else changed this page')
    expect(formOf(conflict)['wpTextbox1']).toContain('THEIRS')
    expect(conflict.html).toContain('id="wpTextbox2"')
    expect(conflict.html).toContain('>MINE</div>')
    expect(conflict.html).toContain('value="my change"')
    const saved = await browser.send('/wiki/Moon', conflict, { wpTextbox1: mine })
    expect([saved.status, await source('Moon')]).toEqual([303, mine])
  })

  test('whose edit fits beside another one sees no conflict', async () => {
    await create(wiki, 'Merge', 'one\ntwo\nthree\nfour\nfive')
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/Merge?action=edit')
    await update(wiki, 'Merge', 'ONE\ntwo\nthree\nfour\nfive', Number(formOf(form)['parentRevId']))
    const saved = await browser.send('/wiki/Merge', form, {
      wpTextbox1: 'one\r\ntwo\r\nthree\r\nfour\r\nFIVE',
    })
    expect([saved.status, await source('Merge')]).toEqual([303, 'ONE\ntwo\nthree\nfour\nFIVE'])
  })

  test('whose new page was created meanwhile gets both texts', async () => {
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/Twice?action=edit')
    await create(wiki, 'Twice', 'theirs')
    const conflict = await browser.send('/wiki/Twice', form, { wpTextbox1: 'mine' })
    expect([conflict.status, formOf(conflict)['wpTextbox1']]).toEqual([409, 'theirs'])
    expect(conflict.words).toContain('Someone else created this page')
  })

  test('may edit an old revision, and is told so', async () => {
    const id = (title: string) => wiki.send(`/v1/page/${title}`)
    await create(wiki, 'Old', 'first')
    const first = (await id('Old')).body as { latest: { id: number } }
    await update(wiki, 'Old', 'second', first.latest.id)
    const browser = new FormReader(wiki)
    const form = await browser.get(`/wiki/Old?action=edit&oldid=${first.latest.id}`)
    expect(form.words).toContain('You are editing an old revision')
    expect(formOf(form)['wpTextbox1']).toBe('first')
    await browser.send('/wiki/Old', form, {})
    expect(await source('Old')).toBe('first')
  })

  test('of a long page gets all of it', async () => {
    const long = 'many words & <b>more</b>\n'.repeat(10_000).trimEnd()
    await create(wiki, 'Long', long)
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/Long?action=edit')
    expect(formOf(form)['wpTextbox1']).toBe(long)
    const changes = await browser.send('/wiki/Long', form, { wpTextbox1: `${long}\nend` }, 'wpDiff')
    expect(changes.html).toContain('>end</div>')
  })

  test.each([
    ['/wiki/Special:Statistics?action=submit', 405],
    ['/wiki/Moon', 405],
    ['/wiki/%5B?action=submit', 400],
    ['/wiki/Moon?action=submit', 400],
  ])('who sends no form to %s gets a page with status %d', async (path, status) => {
    const page = await new FormReader(wiki).post(path, {})
    expect([page.status, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
  })

  test('of a page that is gone may create it again', async () => {
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/Gone?action=edit')
    const gone = await browser.send('/wiki/Gone', form, { wpTextbox1: 'still here', parentRevId: '1' })
    expect([gone.status, gone.words.includes('This page was deleted')]).toEqual([409, true])
    expect((await browser.send('/wiki/Gone', gone, {})).status).toBe(303)
    expect(await source('Gone')).toBe('still here')
  })

  test.each([
    [new WriteTimeoutError(false), 503, 'Your text is not saved:'],
    [new WriteTimeoutError(true), 503, 'It may still be saved'],
    [new PoolFullError('full'), 503, 'Your text is not saved:'],
  ])('keeps the text when the server cannot save it (%s)', async (error, status, words) => {
    const browser = new FormReader(wiki)
    const form = await browser.get('/wiki/Moon?action=edit')
    vi.spyOn(wiki.app.context.writer, 'write').mockRejectedValueOnce(error)
    const page = await browser.send('/wiki/Moon', form, { wpTextbox1: 'not lost' })
    expect([page.status, page.headers['retry-after'], formOf(page)['wpTextbox1']]).toEqual([
      status,
      '1',
      'not lost',
    ])
    expect(page.words).toContain(words)
  })

  test('with a title that no page can have is refused, and keeps the text', async () => {
    const page = await new FormReader(wiki).edit('/wiki/De:Mond', { wpTextbox1: 'kept & shown' })
    expect([page.status, page.html.includes('kept &amp; shown')]).toEqual([400, true])
  })
})

describe('forms of other sites', () => {
  let wiki: TestServer
  beforeAll(async () => {
    wiki = await startEmptyWiki()
    await create(wiki, 'Moon', 'old')
  })

  const FIELDS = { wpTextbox1: 'spam', wpSave: '1' }

  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another host of this site', { 'sec-fetch-site': 'same-site' }],
    ['with another origin', { origin: 'https://evil.example' }],
    ['with a hidden origin', { origin: 'null' }],
  ])('%s are refused, even with the token', async (_case, headers) => {
    const browser = new FormReader(wiki)
    const form = formOf(await browser.get('/wiki/Moon?action=edit'))
    const answer = await browser.post('/wiki/Moon?action=submit', { ...form, ...FIELDS }, headers)
    expect(answer.status).toBe(403)
    expect((await wiki.send('/v1/page/Moon')).body).toMatchObject({ source: 'old' })
  })

  test.each([
    ['no token', {}],
    ['the token of everyone', { wpEditToken: '+\\' }],
    ['the token of another session', undefined],
  ])('with %s are shown again instead of saved', async (_case, token) => {
    const stranger = formOf(await new FormReader(wiki).get('/wiki/Moon?action=edit'))['wpEditToken']!
    const browser = new FormReader(wiki)
    const { wpEditToken: _own, ...form } = formOf(await browser.get('/wiki/Moon?action=edit'))
    const fields = { ...form, ...FIELDS, ...(token ?? { wpEditToken: stranger }) }
    const answer = await browser.post('/wiki/Moon?action=submit', fields)
    expect(answer.status).toBe(403)
    expect(formOf(answer)['wpTextbox1']).toBe('spam')
    expect((await wiki.send('/v1/page/Moon')).body).toMatchObject({ source: 'old' })
    // The form that is shown again has the right token.
    expect((await browser.send('/wiki/Moon', answer, { wpTextbox1: 'old' })).status).toBe(303)
  })

  test('without a cookie are shown again', async () => {
    const form = formOf(await new FormReader(wiki).get('/wiki/Moon?action=edit'))
    const answer = await new FormReader(wiki).post('/wiki/Moon?action=submit', { ...form, ...FIELDS })
    expect(answer.status).toBe(403)
  })
})

describe('readers who cannot edit', () => {
  test('see the source, and why', async () => {
    const folder = await folderForWriters((applier) => {
      const protect = { kind: 'protect', namespace: 0, create: 'none', expires: null } as const
      change(applier, { ...protect, dbkey: 'Sun', edit: 'sysop' })
    })
    const open = await startServer(folder, { anonymousEdits: true })
    const locked = await new FormReader(open).get('/wiki/Sun?action=edit')
    expect([locked.status, locked.words.includes('This page has been protected')]).toEqual([200, true])
    expect(locked.html).toMatch(/<textarea[^>]*readonly/)
    expect(locked.html).not.toContain('wpSave')
    const sent = await new FormReader(open).post('/wiki/Sun?action=submit', { wpTextbox1: 'my text' })
    expect([sent.status, sent.html.includes('my text')]).toEqual([403, true])
  })

  test('are asked to log in where only users edit', async () => {
    const closed = await startServer(await folderForWriters())
    const page = await new FormReader(closed).get('/wiki/Sun?action=edit')
    expect(page.words).toContain('Only users who are logged in can edit')
    expect(page.html).toContain('/wiki/Special:UserLogin?returnto=Sun')
    expect((await new FormReader(closed).get('/wiki/Nowhere?action=edit')).status).toBe(404)
  })

  test('of a mirror are told so, and get the source', async () => {
    const folder = temporaryFolder()
    const store = Store.open(folder, { create: true })
    new Following(store, new Applier(store)).pages(present(1, 'Moon', { add: [storedRevision(1, 'grey')] }))
    await store.close()
    const mirror = await startServer(folder, { anonymousEdits: true })
    const page = await new FormReader(mirror).get('/wiki/Moon?action=edit')
    expect(page.words).toContain('This wiki is a mirror of https://wiki.example')
    expect(page.words).toContain('View source')
    expect(page.html).toMatch(/<textarea[^>]*readonly[^>]*>\ngrey</)
    expect((await new FormReader(mirror).get('/wiki/Nowhere?action=edit')).status).toBe(404)
    const sent = await new FormReader(mirror).post('/wiki/Moon?action=submit', { wpTextbox1: 'mine' })
    expect([sent.status, sent.html.includes('mine')]).toEqual([403, true])
  })

  test('of a read-only wiki are told so', async () => {
    const closed = await startServer(await folderForWriters(), { readOnly: true })
    const page = await new FormReader(closed).get('/wiki/Sun?action=edit')
    expect(page.words).toContain('The wiki is currently in read-only mode.')
  })

  test('never get a hidden text', async () => {
    const hidden = { ...revision(2, 'secret'), text: undefined, statedSizeBytes: 6 }
    const folder = await folderWith([page(1, 'Moon', [revision(1, 'shown'), hidden])])
    const server = await startServer(folder, { anonymousEdits: true })
    for (const query of ['action=edit', 'action=edit&oldid=2', 'action=raw', 'action=raw&oldid=2']) {
      const { status, html } = await new FormReader(server).get(`/wiki/Moon?${query}`)
      expect([query, status >= 400, html.includes('<textarea')]).toEqual([query, true, false])
    }
  })
})

describe('a reader who logs in', () => {
  let wiki: TestServer
  let folder: string
  beforeAll(async () => {
    ;({ folder } = await wikiWithAccounts())
    wiki = await startServer(folder)
  })

  test('edits under a name, and logs out', async () => {
    const browser = new FormReader(wiki)
    const back = await browser.logIn('Ben the Second', PASSWORD, 'moon')
    expect([back.status, back.location]).toEqual([303, '/wiki/Moon'])
    const form = await browser.get('/wiki/Moon?action=edit')
    expect(form.words).toContain('Ben the Second My changes Log out')
    expect(form.html).toContain('name="wpMinoredit"')
    await browser.send('/wiki/Moon', form, { wpTextbox1: 'by Ben', wpMinoredit: '1' })
    const history = await browser.get('/wiki/Moon?action=history')
    expect(history.words).toContain('Ben the Second')
    expect(history.html).toContain('>m</abbr>')
    expect(history.headers['set-cookie']).toBeUndefined()
    const leaving = await browser.get('/wiki/Special:UserLogout?returnto=Moon')
    const left = await browser.post('/wiki/Special:UserLogout', formOf(leaving))
    expect([left.status, left.words.includes('You are logged out.')]).toEqual([200, true])
    expect([...browser.cookies.keys()]).toEqual([])
    expect((await browser.get('/wiki/Moon?action=edit')).words).toContain('Only users who are logged in')
  })

  test('finds the form from every page, and comes back to the page before it', async () => {
    const browser = new FormReader(wiki)
    const article = await browser.get('/wiki/Moon')
    expect(article.html).toContain('href="/wiki/Special:UserLogin"')
    const before = async (referer: string): Promise<string | undefined> => {
      const { html } = await browser.get('/wiki/Special:UserLogin', { referer })
      return /name="returnto" value="([^"]*)"/.exec(html)?.[1]
    }
    expect(await before('http://127.0.0.1:1/wiki/Moon?action=history')).toBe('Moon')
    expect(await before('http://127.0.0.1:1/wiki/Special:RecentChanges')).toBe('Special:RecentChanges')
    for (const elsewhere of [
      '',
      'nonsense',
      'http://x/',
      'http://x/wiki/Special:UserLogout',
      'http://x/wiki/[[x]]',
    ]) {
      expect([elsewhere, await before(elsewhere)]).toEqual([elsewhere, ''])
    }
  })

  test('is not asked where nobody can edit', async () => {
    const closed = await startServer(folder, { readOnly: true })
    expect((await new FormReader(closed).get('/wiki/Moon')).html).not.toContain('Special:UserLogin')
  })

  test('gets another session than before', async () => {
    const browser = new FormReader(wiki)
    await browser.get('/wiki/Special:UserLogin')
    const before = browser.cookies.get('palimpsest_session')
    await browser.logIn('Ann', PASSWORD)
    expect(browser.cookies.get('palimpsest_session')).not.toBe(before)
    expect((await browser.get('/wiki/Special:UserLogin')).words).toContain('You are logged in as Ann')
  })

  test('cannot be logged out by a link or without the token', async () => {
    const browser = new FormReader(wiki)
    await browser.logIn('Ann', PASSWORD)
    await browser.get('/wiki/Special:UserLogout')
    expect((await browser.post('/wiki/Special:UserLogout', {})).status).toBe(403)
    const crossed = await browser.post('/wiki/Special:UserLogout', {}, { 'sec-fetch-site': 'cross-site' })
    expect(crossed.status).toBe(403)
    expect((await browser.get('/wiki/Special:UserLogin')).words).toContain('You are logged in as Ann')
  })

  test('with a wrong password, name or token is refused', async () => {
    const wrong = await new FormReader(wiki).logIn('Ann', 'guess')
    expect([wrong.status, wrong.words.includes('Incorrect user name or password')]).toEqual([403, true])
    expect(wrong.headers['set-cookie']).toBeUndefined()
    const hostile = await new FormReader(wiki).logIn(HOSTILE, 'guess')
    expect([hostile.status, hostile.html.includes('<script>alert')]).toEqual([403, false])
    const browser = new FormReader(wiki)
    await browser.get('/wiki/Special:UserLogin')
    const fields = { wpName: 'Ann', wpPassword: PASSWORD, wpLoginToken: 'x' }
    expect((await browser.post('/wiki/Special:UserLogin', fields)).words).toContain('did not send the cookie')
  })

  test.each(['https://evil.example/', '//evil.example', '/\\evil', 'javascript:alert(1)', '[[x]]', ''])(
    'goes nowhere but to pages of this wiki (%s)',
    async (returnto) => {
      const { status, location } = await new FormReader(wiki).logIn('Ann', PASSWORD, returnto)
      expect(status).toBe(303)
      expect(location).toMatch(/^\/(wiki\/|$)/)
    },
  )

  test('too often is told to wait', async () => {
    stopClock()
    const limited = await startServer(
      await folderForWriters((applier) => {
        createUser(applier, 'Zoe', [], null)
      }),
    )
    const browser = new FormReader(limited)
    for (let n = 0; n < 5; n++) expect((await browser.logIn('Zoe', 'guess')).status).toBe(403)
    const page = await browser.logIn('Zoe', 'guess')
    expect([page.status, page.words.includes('too many attempts')]).toEqual([429, true])
  })
})

describe('a reader who creates an account', () => {
  const PATH = '/wiki/Special:CreateAccount'

  async function create(browser: FormReader, name: string, password = PASSWORD, retype = password) {
    const form = await browser.get(`${PATH}?returnto=Moon`)
    return browser.post(PATH, { ...formOf(form), wpName: name, wpPassword: password, retype })
  }

  test('is logged in with it, and finds the own changes', async () => {
    const wiki = await startServer(await folderForWriters(), { createAccounts: true })
    const browser = new FormReader(wiki)
    const login = await browser.get('/wiki/Special:UserLogin?returnto=Moon')
    expect(login.html).toContain(`href="${PATH}?returnto=Moon"`)
    const made = await create(browser, 'zoe_hart')
    expect([made.status, made.location]).toEqual([303, '/wiki/Moon'])
    expect((await browser.edit('/wiki/Moon', { wpTextbox1: 'by Zoe' })).status).toBe(303)
    const own = await browser.get('/wiki/Special:MyContributions')
    expect(own.location).toBe('/wiki/Special:Contributions/Zoe_hart')
    expect((await browser.get(own.location!)).html).toContain('/wiki/Moon?action=history')
    expect((await browser.get('/wiki/Moon?action=edit')).html).toContain(`href="${own.location}"`)
    expect((await browser.get(PATH)).words).toContain('You are logged in as Zoe hart')
    expect((await new FormReader(wiki).logIn('Zoe hart', PASSWORD)).status).toBe(303)
  })

  test('without an account is led to the form to log in, and then to the own changes', async () => {
    const { folder } = await wikiWithAccounts()
    const browser = new FormReader(await startServer(folder))
    const asked = await browser.get('/wiki/Special:MyContributions')
    expect(asked.location).toBe('/wiki/Special:UserLogin?returnto=Special%3AMyContributions')
    const back = await browser.logIn('Ann', PASSWORD, 'Special:MyContributions')
    expect(back.location).toBe('/wiki/Special:MyContributions')
    expect((await browser.get(back.location!)).location).toBe('/wiki/Special:Contributions/Ann')
  })

  test('hears what is wrong, six times a day at most', async () => {
    stopClock()
    const wiki = await startServer(await folderForWriters(), { createAccounts: true })
    const browser = () => new FormReader(wiki)
    const refused = async (
      answer: Promise<{ status: number; words: string; html: string }>,
      words: string,
    ) => {
      const { status, html, words: shown } = await answer
      expect([shown.includes(words), html.includes('<script>alert')]).toEqual([true, false])
      return status
    }
    expect(await refused(create(browser(), HOSTILE), 'This name cannot be used')).toBe(400)
    expect(await refused(create(browser(), '192.0.2.1'), 'This name cannot be used')).toBe(400)
    expect(await refused(create(browser(), 'User 1'), 'This name is taken')).toBe(409)
    expect(await refused(create(browser(), 'Zoe', 'short'), 'This password cannot be used')).toBe(400)
    expect(await refused(create(browser(), 'Zoe', PASSWORD, 'other'), 'The two passwords differ')).toBe(400)
    for (let n = 0; n < 6; n++) expect((await create(browser(), `Person ${n}`)).status).toBe(303)
    expect(await refused(create(browser(), 'Zoe'), 'Too many accounts')).toBe(429)
  })

  test('does so by a form of this session alone', async () => {
    const wiki = await startServer(await folderForWriters(), { createAccounts: true })
    const fields = { wpName: 'Zoe', wpPassword: PASSWORD, retype: PASSWORD }
    expect((await new FormReader(wiki).post(PATH, fields)).status).toBe(403)
    const stranger = formOf(await new FormReader(wiki).get(PATH))
    const browser = new FormReader(wiki)
    const own = formOf(await browser.get(PATH))
    expect((await browser.post(PATH, { ...stranger, ...fields })).status).toBe(403)
    const crossed = await browser.post(PATH, { ...own, ...fields }, { 'sec-fetch-site': 'cross-site' })
    expect(crossed.status).toBe(403)
    expect((await browser.post(PATH, { ...own, ...fields })).status).toBe(303)
  })

  test.each([
    [{}, 'Readers cannot create accounts here'],
    [{ createAccounts: true, readOnly: true }, 'read-only mode'],
  ])('is refused by the settings %j', async (flags, words) => {
    const wiki = await startServer(await folderForWriters(), flags)
    const browser = new FormReader(wiki)
    expect((await browser.get('/wiki/Special:UserLogin')).html).not.toContain('CreateAccount')
    for (const page of [await browser.get(PATH), await browser.post(PATH, { wpName: 'Zoe' })])
      expect([page.status, page.words.includes(words)]).toEqual([403, true])
  })
})
