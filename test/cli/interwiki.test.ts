/** Other wikis: the command that names them, and all that follows from it on a running server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { create, pageOf, update } from '../conformance/editing.js'
import { folderWith, page, revision } from '../conformance/busyWiki.js'
import { startServer, type TestServer } from '../conformance/garden.js'
import { runHosted } from '../support/command.js'
import { problems, temporaryFolder } from '../support/store.js'

const command = (folder: string, ...parts: string[]) => {
  const [action = '', ...rest] = parts
  return runHosted(['interwiki', action, '--data-dir', folder, ...rest])
}

/** Prefixes with the rest of their lines. */
const listOf = (folder: string): Map<string, string> => {
  const { out } = command(folder, 'list')
  return new Map(
    out
      .trimEnd()
      .split('\n')
      .map((line) => [line.split(' ')[0]!, line.replace(/^\S+ +/, '').replace(/ {2,}/g, ' ')]),
  )
}

describe('palimpsest interwiki', () => {
  test('sets and removes prefixes on top of those that every wiki has', () => {
    const folder = temporaryFolder()
    expect(command(folder, 'set', 'moon', 'https://moon.example/wiki/$1')).toMatchObject({
      status: 0,
      err: '',
    })
    command(folder, 'set', 'de', 'https://de.moon.example/$1')
    command(folder, 'set', 'tlh', 'https://tlh.moon.example/$1', '--language', 'tlhIngan Hol')
    command(folder, 'set', 'fr', 'https://fr.moon.example/$1', '--no-language')
    command(folder, 'remove', 'wiki', 'google')
    const list = listOf(folder)
    expect(list.get('moon')).toBe('https://moon.example/wiki/$1')
    expect(list.get('de')).toBe('https://de.moon.example/$1 Deutsch')
    expect(list.get('tlh')).toBe('https://tlh.moon.example/$1 tlhIngan Hol')
    expect(list.get('fr')).toBe('https://fr.moon.example/$1')
    expect(list.get('commons')).toBe('https://commons.wikimedia.org/wiki/$1')
    expect(list.has('wiki') || list.has('google')).toBe(false)
    expect([...list.keys()]).toEqual([...list.keys()].sort())
  })

  test.each([
    ['lines', '# ours\n\nmoon https://moon.example/$1\nde\thttps://de.moon.example/$1\n'],
    [
      'siteinfo',
      JSON.stringify({
        query: {
          interwikimap: [
            { prefix: 'de', language: 'Deutsch', bcp47: 'de', url: 'https://de.moon.example/$1' },
            { prefix: 'moon', local: '', url: 'https://moon.example/$1' },
          ],
        },
      }),
    ],
  ])('takes over a list of %s, with --only in place of all others', (_kind, text) => {
    const folder = temporaryFolder()
    const file = join(folder, 'list')
    writeFileSync(file, text)
    command(folder, 'set', 'sun', 'https://sun.example/$1')
    expect(command(folder, 'import', file).out).toMatch(/^2 changed, \d{3} in all\n$/)
    const list = listOf(folder)
    expect(list.get('de')).toBe('https://de.moon.example/$1 Deutsch')
    expect(list.has('sun') && list.has('fr')).toBe(true)
    expect(command(folder, 'import', '--only', file).out).toBe('2 changed, 2 in all\n')
    expect([...listOf(folder).keys()]).toEqual(['de', 'moon'])
  })

  test.each([
    [['set', 'Moon', 'https://moon.example/$1'], '"Moon" is no prefix'],
    [['set', 'a:b', 'https://moon.example/$1'], '"a:b" is no prefix'],
    [['set', 'moon', 'https://moon.example/'], 'is no address of another wiki'],
    [['set', 'moon', 'javascript:alert($1)'], 'is no address of another wiki'],
    [['set', 'moon', 'https://moon.example/"$1'], 'is no address of another wiki'],
    [['import', '/nowhere/list'], 'cannot open /nowhere/list: there is no such file'],
  ])('refuses %j', (parts, message) => {
    const { status, out, err } = command(temporaryFolder(), ...parts)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toContain(message)
  })
})

describe('a server', () => {
  let folder: string
  let wiki: TestServer
  beforeAll(async () => {
    folder = await folderWith([
      page(1, 'Rose', [revision(1, '[[moon:Crater]] [[de:Rose]] [[tlh:Rose]]')]),
      page(2, 'Moon:_old_page', [revision(2, 'came with a dump')]),
    ])
    command(folder, 'set', 'moon', 'https://moon.example/wiki/$1')
    command(folder, 'set', 'tlh', 'https://tlh.example/$1', '--language', 'tlhIngan Hol')
    wiki = await startServer(folder, { anonymousEdits: true })
  })

  test.each(['moon:Crater', 'Moon: crater', ':moon:Crater', 'Talk:moon:Crater', 'de:Krater', 'W:Crater'])(
    'makes no page %s',
    async (title) => {
      expect(await create(wiki, title, 'x')).toMatchObject({
        status: 400,
        body: {
          actionModuleErrorCode: 'invalidtitle',
          messageTranslations: { en: `Bad title "${title.replace(/^:/, '&#58;')}".` },
        },
      })
      expect((await update(wiki, encodeURIComponent(title), 'x')).status).toBe(400)
    },
  )

  test.each(['Crater: moon', 'moonshine:Crater', 'Help:moon:Crater'])('makes a page %s', async (title) => {
    expect((await create(wiki, title, 'x')).status).toBe(201)
  })

  test('shows and changes a page that came under such a title', async () => {
    const read = pageOf(await wiki.send('/v1/page/Moon:_old_page'))
    expect(read.source).toBe('came with a dump')
    expect((await update(wiki, 'Moon:_old_page', 'changed', read.latest.id)).status).toBe(200)
  })

  test('tells clients of all prefixes', async () => {
    const path = '/api.php?action=query&meta=siteinfo&siprop=interwikimap&format=json'
    const mapOf = async (version: number) => {
      const { bytes } = await wiki.send(`${path}&formatversion=${version}`)
      return (JSON.parse(bytes.toString()) as { query: { interwikimap: { prefix: string }[] } }).query
        .interwikimap
    }
    const map = await mapOf(2)
    expect(map.find(({ prefix }) => prefix === 'moon')).toEqual({
      prefix: 'moon',
      url: 'https://moon.example/wiki/$1',
      protorel: false,
    })
    expect((await mapOf(1)).find(({ prefix }) => prefix === 'tlh')).toEqual({
      prefix: 'tlh',
      language: 'tlhIngan Hol',
      local: '',
      url: 'https://tlh.example/$1',
    })
  })

  test('follows a change: in links of HTML, in languages of a page, and in what may be created', async () => {
    const html = async () => (await wiki.send('/v1/page/Rose/html')).bytes.toString()
    const languages = async () => (await wiki.send('/v1/page/Rose/links/language')).body
    const before = (await wiki.send('/v1/page/Rose/links/language')).headers
    const [known, date] = [String(before.etag), String(before['last-modified'])]
    expect(await html()).toContain('href="https://moon.example/wiki/Crater"')
    expect(await languages()).toMatchObject([{ code: 'de' }, { code: 'tlh', name: 'tlhIngan Hol' }])
    command(folder, 'remove', 'tlh')
    command(folder, 'set', 'moon', 'https://luna.example/$1')
    command(folder, 'set', 'sun', 'https://sun.example/$1')
    // The process may still use the snapshot from before the commands.
    wiki.app.context.store.refresh()
    wiki.app.context.store.reloadSite()
    expect(await html()).toContain('href="https://luna.example/Crater"')
    expect(await languages()).toMatchObject([{ code: 'de' }])
    for (const headers of [{ 'If-None-Match': known }, { 'If-Modified-Since': date }])
      expect((await wiki.send('/v1/page/Rose/links/language', { headers })).status).toBe(200)
    expect((await create(wiki, 'tlh:Rose', 'x')).status).toBe(201)
    expect((await create(wiki, 'sun:Rose', 'x')).status).toBe(400)
    expect(problems(wiki.app.context.store)).toEqual([])
  })
})
