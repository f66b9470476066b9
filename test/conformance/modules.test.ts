/** Pages of modules over the API: what they are, how they are shown, and which are refused. */
import { beforeAll, describe, expect, test } from 'vitest'
import { MODULE } from '../../src/domain/namespaceIds.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { facts, fileEntry } from '../support/files.js'
import { MODULE_SITE } from '../support/moduleSite.js'
import { SearchWiki } from '../support/searchWiki.js'
import { folderWith, page, revision } from './busyWiki.js'
import { create, pageOf, sendJson, update } from './editing.js'
import { type Answer, startServer, type TestServer } from './garden.js'
import { change, createToken, createUser } from './signedIn.js'

const SUMS = `return {
  add = function (frame) return frame.args[1] + frame.args[2] end,
  saving = function () return tostring(mw.isSubsting()) end,
  fail = function () error('no') end,
  lead = function () return '#REDIRECT [[Flowers]] roses' end,
  endless = function () while true do pcall(error) end end,
  text = function (frame) return frame:preprocess('{{lc:A}} {{subst:lc:A}} ~~~') end,
  files = function () return '[[File:Rose.png]] [[de:Summe]] [[Category:Sums]]' end,
}`
const BROKEN = 'local a = 1\nreturn ='

let wiki: TestServer
/** The same without Lua. */
let still: TestServer
let sysop: Readonly<Record<string, string>>

async function folderOfModules(): Promise<string> {
  const module = { ...revision(2, SUMS), contentModel: 'Scribunto' }
  const broken = { ...revision(3, BROKEN), contentModel: 'Scribunto' }
  const pages = [
    page(1, 'Flowers', [revision(1, 'roses')]),
    { ...page(2, 'Sums', [module]), namespace: MODULE },
    { ...page(3, 'Broken', [broken]), namespace: MODULE },
  ]
  return folderWith(pages, { site: MODULE_SITE })
}

beforeAll(async () => {
  const folder = await folderOfModules()
  const store = Store.open(folder)
  const applier = new Applier(store)
  const token = createToken(applier, createUser(applier, 'Ruth', ['sysop']))
  sysop = { authorization: `Bearer ${token}` }
  const searched = new SearchWiki(store, applier, folder)
  applier.submit(fileEntry('Rose.png', facts({ sha256: '0'.repeat(64) })))
  searched.write('Led', '{{#invoke:Sums|lead}} shimmer')
  searched.write('Module:Glitter', 'return {glitter = "[[roses]]"}', 'Scribunto')
  await store.close()
  wiki = await startServer(folder, { anonymousEdits: true, luaTimeMs: '200' })
  still = await startServer(await folderOfModules(), { anonymousEdits: true, lua: false })
})

const refusal = ({ status, body }: Answer) => {
  const { actionModuleErrorCode, errorKey, messageTranslations } = body as {
    actionModuleErrorCode?: string
    errorKey?: string
    messageTranslations?: { en: string }
  }
  return [status, actionModuleErrorCode, errorKey, messageTranslations?.en]
}
const refused = (key: string, text: string) => [400, key, key, text]
const sourceOf = async (title: string) => pageOf(await wiki.send(`/v1/page/${title}`)).source
const htmlOf = async (title: string) => (await wiki.send(`/v1/page/${title}/html`)).bytes.toString()

describe('the content model of a page in the namespace Module', () => {
  test.each([
    ['Module:Fresh', 'return {}', 'Scribunto'],
    ['Module:Fresh/sandbox', '-- nothing', 'Scribunto'],
    ['Module:Fresh/doc', 'About [[Fresh]]', 'wikitext'],
    ['Module:Fresh/rates.json', '{"a":1}', 'json'],
    ['Module:Fresh/styles.css', '.a { color: red }', 'sanitized-css'],
    ['Module talk:Fresh', 'Hello', 'wikitext'],
  ])('%s is chosen by its title', async (title, source, model) => {
    const answer = await create(wiki, title, source)
    expect(answer.status).toBe(201)
    const { key, content_model: saved, latest } = pageOf(answer)
    expect(saved).toBe(model)
    const path = encodeURIComponent(key)
    for (const read of [`/v1/page/${path}`, `/v1/page/${path}/bare`, `/v1/revision/${latest.id}`])
      expect((await wiki.send(read)).body).toMatchObject({ content_model: model })
  })

  test('may be stated', async () => {
    const answer = await create(wiki, 'Module:Stated', 'return {}', { content_model: 'Scribunto' })
    expect(pageOf(answer)).toMatchObject({ content_model: 'Scribunto', source: 'return {}' })
  })

  test.each([
    ['Module:Other', 'wikitext'],
    ['Module:Other/doc', 'Scribunto'],
    ['Other', 'Scribunto'],
  ])('of %s cannot be %s for everybody', async (title, model) => {
    expect(refusal(await create(wiki, title, 'return {}', { content_model: model }))).toEqual(
      refused('cantchangecontentmodel', "You don't have permission to change the content model of a page."),
    )
  })

  const createAs = (title: string, model: string) => {
    const body = { title, source: 'return {}', comment: '', content_model: model }
    return sendJson(wiki, 'POST', '/v1/page', body, sysop)
  }

  test('can be another with the right to change it, in this namespace alone', async () => {
    expect(pageOf(await createAs('Module:Prose', 'wikitext'))).toMatchObject({ content_model: 'wikitext' })
    expect(refusal(await createAs('Talk:Other', 'Scribunto'))).toEqual(
      refused(
        'content-not-allowed-here',
        '"Scribunto module" content is not allowed on page [[:Talk:Other]] in slot "main"',
      ),
    )
  })

  test('is not wikitext: what a save does to wikitext leaves a module alone', async () => {
    const source = 'return "~~~~ {{subst:x}} [[a (b)|]] #REDIRECT [[x]]"'
    expect(pageOf(await create(wiki, 'Module:Literal', source)).source).toBe(source)
    expect(pageOf(await create(wiki, 'Module:Led', '-- #REDIRECT [[Flowers]]\nreturn {}')).source).toContain(
      'REDIRECT',
    )
  })

  test('leaves its revisions to be compared', async () => {
    const first = pageOf(await create(wiki, 'Module:Compared', 'local a = 1\nreturn a')).latest.id
    const second = pageOf(await update(wiki, 'Module:Compared', 'local a = 2\nreturn a', first)).latest.id
    const { status, body } = await wiki.send(`/v1/revision/${first}/compare/${second}`)
    expect([status, (body as { diff: object[] }).diff[0]]).toMatchObject([200, { text: 'local a = 12' }])
  })

  test('is not told by siteinfo, which names models of namespaces that have no other', async () => {
    const path = '/api.php?action=query&meta=siteinfo&siprop=namespaces&format=json&formatversion=2'
    const { query } = JSON.parse((await wiki.send(path)).bytes.toString()) as {
      query: { namespaces: Record<number, object> }
    }
    const { namespaces } = query
    expect(namespaces[MODULE]).toMatchObject({ canonical: 'Module', content: false })
    expect(namespaces[MODULE]).not.toHaveProperty('defaultcontentmodel')
  })
})

describe('a module that is no Lua', () => {
  const fault = refused(
    'scribunto-lua-error-location',
    "Lua error in Module:New_one at line 2: unexpected symbol near '='.",
  )

  test('is not created', async () => {
    expect(refusal(await create(wiki, 'Module:New one', BROKEN))).toEqual(fault)
    expect(refusal(await update(wiki, 'Module:New_one', BROKEN))).toEqual(fault)
    expect((await wiki.send('/v1/page/Module:New_one')).status).toBe(404)
  })

  test('is not saved over one that is', async () => {
    const { latest } = pageOf(await create(wiki, 'Module:Sound', 'return {}'))
    const answer = await update(wiki, 'Module:Sound', BROKEN, latest.id)
    expect(refusal(answer)[3]).toBe("Lua error in Module:Sound at line 2: unexpected symbol near '='.")
    expect(await sourceOf('Module:Sound')).toBe('return {}')
  })

  test('is not what two edits that are Lua are merged to', async () => {
    const lines = ['local a = 1', '-- one', '-- two', '-- ]==]', '-- three', 'return {}']
    const base = pageOf(await create(wiki, 'Module:Merged', lines.join('\n'))).latest.id
    const withLine = (n: number, text: string) => lines.with(n, text).join('\n')
    expect((await update(wiki, 'Module:Merged', withLine(3, '-- end'), base)).status).toBe(200)
    const answer = await update(wiki, 'Module:Merged', withLine(0, 'local a --[==['), base)
    expect(refusal(answer)).toEqual(
      refused(
        'scribunto-lua-error-location',
        "Lua error in Module:Merged at line 6: unfinished long comment near '<eof>'.",
      ),
    )
    const merged = await update(wiki, 'Module:Merged', withLine(0, 'local a = 2'), base)
    expect(pageOf(merged).source).toBe(withLine(3, '-- end').replace('a = 1', 'a = 2'))
  })

  test('is saved where it is none: as documentation, or in another namespace', async () => {
    expect((await create(wiki, 'Module:Any/doc', BROKEN)).status).toBe(201)
    expect((await create(wiki, 'Any', BROKEN)).status).toBe(201)
  })

  test('comes with a dump all the same, and can be mended', async () => {
    expect(await sourceOf('Module:Broken')).toBe(BROKEN)
    expect((await update(wiki, 'Module:Broken', 'return {}', 3)).status).toBe(200)
  })

  test('is not checked where modules do not run', async () => {
    expect(pageOf(await create(still, 'Module:New one', BROKEN))).toMatchObject({
      content_model: 'Scribunto',
    })
  })

  test('that would take the compiler a minute is refused before that', async () => {
    // Each name is looked for among the local variables of all functions around it.
    const levels = Array.from({ length: 190 }, (_, level) => {
      const names = Array.from({ length: 190 }, (_, n) => `v${level}_${n}`)
      return `local ${names.join(',')}\nlocal function f()`
    })
    const source = `${levels.join('\n')}\n${'x()'.repeat(300_000)}\n${'end '.repeat(190)}`
    expect(refusal(await create(wiki, 'Module:Slow', source))).toEqual(
      refused('scribunto-lua-error', 'Lua error: the source takes too long to compile.'),
    )
  })
})

describe('the HTML of a module', { timeout: 120_000 }, () => {
  const CODE =
    /<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr" dir="ltr"[^>]*><pre class="mw-code mw-scribunto"[^>]*>(.*?)<\/pre><\/div>/s
  const codeIn = (html: string) =>
    CODE.exec(html)?.[1]
      ?.replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&')

  test('is its source, with marks', async () => {
    const source = '-- a <b> & "c"\n\nreturn {x = "</pre>"}'
    await create(wiki, 'Module:Shown', source)
    const html = await htmlOf('Module:Shown')
    expect(codeIn(html)).toBe(source)
    expect(html).toContain('<span class="hljs-keyword">return</span>')
    expect(html).toContain('<title>Module:Shown</title>')
  })

  test('begins with its documentation, and is made again when that comes or changes', async () => {
    await create(wiki, 'Module:Told', 'return {told = 1}')
    const before = await htmlOf('Module:Told')
    expect(before).toMatch(
      /<i[^>]*>Documentation for this module may be created at <a [^>]*class="new"[^>]*>Module:Told\/doc/,
    )
    const documentation =
      'Tells ~~ <syntaxhighlight lang="lua">x = 1</syntaxhighlight> <pre class="mw-code">y</pre>'
    const text = `${documentation}<noinclude>, alone</noinclude><includeonly>, [[Category:Told]]</includeonly>`
    const { latest } = pageOf(await create(wiki, 'Module:Told/doc', text))
    const after = await htmlOf('Module:Told')
    expect(after).toMatch(/Tells ~~ .*<hr.*class="mw-code mw-scribunto"/s)
    expect(after).toContain('href="./Category:Told"')
    expect(after).not.toContain('alone')
    expect(codeIn(after)).toBe('return {told = 1}')
    await update(wiki, 'Module:Told%2Fdoc', 'Other words', latest.id)
    expect(await htmlOf('Module:Told')).toContain('Other words')
    expect(await htmlOf('Module:Told%2Fdoc')).not.toContain('mw-code')
  })

  test('shows that without running the module, and without a check', async () => {
    expect(codeIn((await still.send('/v1/page/Module:Broken/html')).bytes.toString())).toBe(BROKEN)
  })

  test('of data and styles is that of such pages elsewhere', async () => {
    await create(wiki, 'Module:Kinds/a.json', '{"red":"rose"}')
    await create(wiki, 'Module:Kinds/a.css', '.a > b {}')
    expect(await htmlOf('Module:Kinds%2Fa.json')).toMatch(/class="mw-json[^"]*".*rose/s)
    expect(await htmlOf('Module:Kinds%2Fa.css')).toContain('.a > b {}</pre>')
  })

  test('can be converted back: as it was when nothing changed, and with what did', async () => {
    await create(wiki, 'Module:Back/doc', '<pre class="mw-code">not this</pre>')
    const source = '\nreturn {a = "<"}'
    const { latest } = pageOf(await create(wiki, 'Module:Back', source))
    const html = await htmlOf('Module:Back')
    const convert = (changed: string) => {
      const body = new URLSearchParams({ html: changed, oldid: String(latest.id) }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return wiki.send(`/${MODULE_SITE.wikiId}/Module:Back`, { method: 'POST', body, headers })
    }
    expect((await convert(html)).bytes.toString()).toBe(source)
    expect((await convert(html.replace('&lt;', 'b'))).bytes.toString()).toBe('\nreturn {a = "b"}')
  })
})

describe('links of modules', { timeout: 120_000 }, () => {
  const languages = async (title: string, query = '') => {
    const { body } = await wiki.send(`/v1/page/${title}/links/language${query}`)
    return (body as { code: string }[]).map(({ code }) => code)
  }
  const files = async (title: string, query = '') => {
    const { body } = await wiki.send(`/v1/page/${title}/links/media${query}`)
    return (body as { files: { title: string }[] }).files.map((file) => file.title)
  }

  test('of a page that calls one are those that it gives', async () => {
    await create(wiki, 'Linking', '{{#invoke:Sums|files}}')
    expect(await files('Linking')).toEqual(['Rose.png'])
    expect(await languages('Linking')).toEqual(['de'])
    expect(await htmlOf('Linking')).toContain('<link rel="mw:PageProp/Category" href="./Category:Sums"')
  })

  test('of a module are those of its documentation', async () => {
    await create(wiki, 'Module:Linked', 'return "[[fr:Code]]"')
    expect(await languages('Module:Linked')).toEqual([])
    expect(await files('Module:Linked')).toEqual([])
    await create(wiki, 'Module:Linked/doc', '<includeonly>[[de:Modul]]</includeonly> [[File:Rose.png]]')
    expect(await languages('Module:Linked', '?again')).toEqual(['de'])
    expect(await files('Module:Linked', '?again')).toEqual(['Rose.png'])
  })
})

describe('a module in a text that is saved', () => {
  const saved = async (source: string) => pageOf(await create(wiki, `Saved ${++pages}`, source)).source
  let pages = 0

  test.each([
    ['{{subst:#invoke:Sums|add|1|2}}', '3'],
    ['{{SUBST: #invoke: Sums | add | 1 | 2 }} {{safesubst:#invoke:Sums|add|2|2}}', '3 4'],
    ['{{#invoke:Sums|add|1|2}}', '{{#invoke:Sums|add|1|2}}'],
    ['{{#invoke:Sums|add|1|{{subst:#invoke:Sums|add|1|1}}}}', '{{#invoke:Sums|add|1|2}}'],
    [
      '{{subst:#invoke:Sums|saving}} <nowiki>{{subst:#invoke:Sums|saving}}</nowiki>',
      'true <nowiki>{{subst:#invoke:Sums|saving}}</nowiki>',
    ],
    ['{{subst:#invoke:Sums|text}}', '{{lc:A}} a [[Special:Contributions/127.0.0.1|127.0.0.1]]'],
    ['{{subst:#invoke:Sums|endless}}', '{{subst:#invoke:Sums|endless}}'],
  ])('%s becomes %s', async (source, text) => {
    expect(await saved(source)).toBe(text)
  })

  test.each([
    ['Sums|fail', 'Lua error in Module:Sums at line 4: no.'],
    ['Sums|none', 'Script error: The function &quot;none&quot; does not exist.'],
    ['Nowhere|f', 'Script error: No such module &quot;Nowhere&quot;.'],
  ])('%s leaves its error', async (call, text) => {
    expect(await saved(`a {{subst:#invoke:${call}}} b`)).toBe(
      `a <strong class="error"><span class="scribunto-error" id="mw-scribunto-error-0">${text}</span></strong> b`,
    )
  })

  test('is not put in where modules do not run', async () => {
    const text = '{{subst:#invoke:Sums|add|1|2}}'
    expect(pageOf(await create(still, 'Saved', text)).source).toBe(text)
  })
})

describe('the search', () => {
  const found = async (query: string) => {
    const { body } = await wiki.send(`/v1/search/page?q=${query}`)
    return (body as { pages: { key: string }[] }).pages.map(({ key }) => key)
  }

  test('finds pages by their own text, not by what modules give', async () => {
    expect(await found('shimmer')).toEqual(['Led'])
    expect(await found('roses')).toEqual([])
  })

  test('finds modules by their source', async () => {
    expect(await found('Module:glitter%20roses')).toEqual(['Module:Glitter'])
  })
})

test('a page is no redirect because a module gives the words for one', async () => {
  expect((await wiki.send('/v1/page/Led')).body).toMatchObject({ title: 'Led' })
  expect((await wiki.send('/v1/page/Led/history')).status).toBe(200)
  expect(wiki.app.context.store.counters().redirects).toBe(0)
})

test(
  'the protection of a page shows in HTML, and drops it when it changes',
  { timeout: 120_000 },
  async () => {
    const levels = `return {f = function ()
    local title = mw.title.new('Flowers')
    return 'edit: ' .. (title.protectionLevels.edit[1] or 'all') .. ' of ' .. mw.site.stats.usersInGroup('sysop')
  end}`
    await create(wiki, 'Module:Levels', levels)
    await create(wiki, 'Guarded', '{{#invoke:Levels|f}}, {{PROTECTIONLEVEL:edit|Flowers}}.')
    expect(await htmlOf('Guarded')).toMatch(/edit: all of 1<.*, <span[^>]*><\/span>\./s)
    const protection = {
      namespace: 0,
      dbkey: 'Flowers',
      edit: 'sysop',
      create: 'none',
      expires: null,
    } as const
    change(new Applier(wiki.app.context.store), { kind: 'protect', ...protection })
    expect(await htmlOf('Guarded')).toMatch(/edit: sysop of 1<.*, <span[^>]*>sysop<\/span>\./s)
  },
)
