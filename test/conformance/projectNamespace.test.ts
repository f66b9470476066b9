/** A wiki without a dump, named by `site set name`: all routes name its project namespace after it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { runHosted } from '../support/command.js'
import { create, pageOf } from './editing.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'

let server: TestServer
beforeAll(async () => {
  const folder = temporaryFolder()
  const run = (...parts: string[]) => runHosted([...parts, '--data-dir', folder])
  expect(run('site', 'set', 'name', 'Mywiki')).toMatchObject({ status: 0 })
  server = await startServer(folder, { anonymousEdits: true })
  await create(server, 'Project:About this wiki', 'What this wiki is.')
  await create(server, 'Moon', '[[Project:About this wiki]] and [[Mywiki talk:Nothing]]')
})

const body = async (path: string): Promise<unknown> => JSON.parse((await server.send(path)).bytes.toString())

describe('the project namespace of a wiki that was given a name', () => {
  test('is named in titles, and found by both names', async () => {
    for (const prefix of ['Mywiki', 'Project', 'project', 'MYWIKI']) {
      const answer = await server.send(`/v1/page/${prefix}:About_this_wiki`)
      expect(pageOf(answer)).toMatchObject({
        key: 'Mywiki:About_this_wiki',
        title: 'Mywiki:About this wiki',
      })
    }
  })

  test('is named in site information, with its canonical name', async () => {
    const { query } = (await body(
      '/api.php?action=query&format=json&formatversion=2&meta=siteinfo&siprop=namespaces',
    )) as { query: { namespaces: Record<string, unknown> } }
    expect(query.namespaces['4']).toMatchObject({ name: 'Mywiki', canonical: 'Project' })
    expect(query.namespaces['5']).toMatchObject({ name: 'Mywiki talk', canonical: 'Project talk' })
  })

  test('is named in links of HTML', async () => {
    const { bytes } = await server.send('/v1/page/Moon/html')
    const html = bytes.toString()
    expect(html).toContain('href="./Mywiki:About_this_wiki"')
    expect(html).toContain('title="Mywiki:About this wiki"')
    expect(html).toContain('href="./Mywiki_talk:Nothing')
  })

  test.each(['search/page', 'search/title'])('is searched by both names (%s)', async (route) => {
    for (const prefix of ['Mywiki', 'Project']) {
      const { pages } = (await body(`/v1/${route}?q=${prefix}:About`)) as { pages: { key: string }[] }
      expect(pages.map(({ key }) => key)).toEqual(['Mywiki:About_this_wiki'])
    }
  })
})

describe('site set name', () => {
  test('is refused where a page could not be found any more', async () => {
    const folder = temporaryFolder()
    const open = await startServer(folder, { anonymousEdits: true })
    await create(open, 'Atlas:Moon', 'a page of the main namespace')
    await open.app.close()
    const set = (name: string) => runHosted(['site', 'set', 'name', name, '--data-dir', folder])
    expect(set('Atlas')).toEqual({
      status: 1,
      out: '',
      err: expect.stringContaining(
        'the name is not changed: the page "Atlas:Moon" could not be found any more',
      ) as string,
    })
    expect(set('Globe')).toMatchObject({ status: 0 })
  })

  test('renames the pages of a server that runs', async () => {
    const folder = temporaryFolder()
    const running = await startServer(folder, { anonymousEdits: true })
    await create(running, 'Project:About', 'text')
    const { status } = runHosted(['site', 'set', 'name', 'Globe', '--data-dir', folder])
    expect(status).toBe(0)
    expect(pageOf(await running.send('/v1/page/Project:About')).key).toBe('Globe:About')
  })
})
