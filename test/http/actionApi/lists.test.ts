/** Lists of `action=query` over the tables of links and changes. The recorded requests have their answers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type ReuseNotes, SILENT_CHANGE_MS } from '../../../src/http/actionApi/frame/call.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { categoryMembers } from '../../../src/http/actionApi/query/list/categorymembers.js'
import { linkIndex } from '../../../src/http/actionApi/query/linkIndex.js'
import type { QueryCall } from '../../../src/http/actionApi/query/module.js'
import { startGarden, startServer, temporaryFolder, type TestServer } from '../../conformance/garden.js'
import { create } from '../../conformance/editing.js'
import { runHosted } from '../../support/command.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startGarden()
})

type Json = Readonly<Record<string, unknown>>
const query = async (rest: string): Promise<Json> => {
  const answer = await wiki.send(`/api.php?action=query&format=json&formatversion=2&${rest}`)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.bytes.toString()) as Json
}

async function hits(): Promise<number> {
  const text = (await wiki.send('/metrics')).bytes.toString()
  return Number(/hot_answers_total\{result="hit"\} (\d+)/.exec(text)![1])
}

test('pages by language links have a warning without the table, and do not go on from an odd place', async () => {
  const answer = await query('list=langbacklinks&lbllang=de')
  expect(answer).toMatchObject({ query: { langbacklinks: [] } })
  expect(JSON.stringify(answer['warnings'])).toContain('langlinks')
  expect(await query('list=langbacklinks&lblcontinue=x')).toMatchObject({ error: { code: 'badcontinue' } })
  expect(await query('list=langbacklinks&lbltitle=x')).toMatchObject({ error: { code: 'invalidparammix' } })
})

test('a category is hidden by a word of the language of the wiki', async () => {
  const dataDir = temporaryFolder()
  const created = await startServer(dataDir, { anonymousEdits: true })
  await created.app.close()
  runHosted(['site', 'set', '--data-dir', dataDir, 'language', 'de'])
  const german = await startServer(dataDir, { anonymousEdits: true })
  await create(german, 'Kategorie:Geheim', '__VERSTECKTE_KATEGORIE__')
  await create(german, 'Kategorie:Offen', '<nowiki>__VERSTECKTE_KATEGORIE__</nowiki>')
  await create(german, 'Mond', '[[Kategorie:Geheim]] [[Kategorie:Offen]]')
  const rest = 'action=query&format=json&formatversion=2&prop=categories&clprop=hidden&titles=Mond'
  expect(JSON.parse((await german.send(`/api.php?${rest}`)).bytes.toString())).toMatchObject({
    query: { pages: [{ categories: [{ title: 'Category:Geheim', hidden: true }, { hidden: false }] }] },
  })
})

describe('members of a category by time', () => {
  test('are an error as long as the index lacks times', () => {
    const categories = { hasTimes: () => false }
    const call = { context: { store: { categories } }, wiki: { namespaces: new Namespaces(DEFAULT_SITE) } }
    const run = (sort: string, prop: string[]): unknown =>
      categoryMembers.run({ ...call, module: { prefix: 'cm' } } as unknown as QueryCall, {
        title: 'Category:X',
        sort,
        prop,
        dir: 'asc',
      })
    for (const [sort, prop] of [
      ['timestamp', 'ids'],
      ['sortkey', 'timestamp'],
    ])
      expect(() => run(sort!, [prop!])).toThrow(expect.objectContaining({ code: 'notready' }))
  })

  test('do not go on from an odd place', async () => {
    const rest = 'list=categorymembers&cmtitle=Category:X&cmsort=timestamp&cmcontinue=page%7C41%7C1'
    expect(await query(rest)).toMatchObject({ error: { code: 'badcontinue' } })
  })
})

describe('a list of links', () => {
  test('is an error as long as the index lacks pages', () => {
    const context = { store: { pageLinks: { isComplete: () => false } } }
    const call = { reuse: {}, context } as unknown as QueryCall
    expect(() => linkIndex(call)).toThrow(expect.objectContaining({ code: 'notready' }))
    expect(() => linkIndex(call)).toThrow(/palimpsest reindex/)
  })

  test('is ready for others for a second, since new HTML may bring links', async () => {
    const reuse: ReuseNotes = { isPersonal: false, goodUntilMs: undefined }
    const context = { store: { pageLinks: { isComplete: () => true } } }
    linkIndex({ reuse, context, nowMs: 5000 } as unknown as QueryCall)
    expect(reuse.goodUntilMs).toBe(5000 + SILENT_CHANGE_MS)
    await expect
      .poll(
        async () => {
          const before = await hits()
          await query('prop=links&titles=Compost&pllimit=max')
          return (await hits()) - before
        },
        { timeout: 20_000 },
      )
      .toBe(1)
  })

  test.each([
    'prop=links&titles=Moon&plcontinue=odd',
    'prop=linkshere&titles=Moon&lhcontinue=1',
    'prop=extlinks&titles=Moon&elcontinue=1%7Cx',
    'list=backlinks&bltitle=Moon&blcontinue=x',
    'list=alllinks&alcontinue=x',

    'list=exturlusage&eucontinue=1%7Chttp',
    'list=usercontribs&ucuser=Someone&uccontinue=1',
    'list=recentchanges&rccontinue=20260101000000',
    'list=allrevisions&arvcontinue=x%7C1',
    'list=protectedtitles&ptcontinue=x',
  ])('does not go on from an odd place: %s', async (rest) => {
    expect(await query(rest)).toMatchObject({ error: { code: 'badcontinue' } })
  })
})

interface Answer {
  readonly continue?: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, readonly Json[]>>
}

/** All entries of a list, a few at a time. */
async function walked(list: string, rest: string): Promise<Json[]> {
  const entries: Json[] = []
  for (let more: Readonly<Record<string, string>> | undefined = {}; more !== undefined;) {
    const place = new URLSearchParams(more).toString()
    const answer = (await query(`list=${list}&${rest}&${place}`)) as unknown as Answer
    entries.push(...answer.query[list]!)
    more = answer.continue
  }
  return entries
}

describe('lists of changes', () => {
  test.each([
    ['recentchanges', 'rcprop=ids%7Ctimestamp', 'rclimit', 'rcdir'],
    ['allrevisions', 'arvprop=ids%7Ctimestamp', 'arvlimit', 'arvdir'],
  ])('%s goes on from each place, in both directions', async (list, rest, limit, dir) => {
    const whole = await walked(list, `${rest}&${limit}=max`)
    expect(whole.length).toBeGreaterThan(3)
    const keys = (entries: readonly Json[]): unknown[] =>
      entries.flatMap(({ revid, revisions = [{ revid }] }) =>
        (revisions as Json[]).map((each) => each['revid']),
      )
    expect(keys(await walked(list, `${rest}&${limit}=1`))).toEqual(keys(whole))
    expect(keys(await walked(list, `${rest}&${limit}=2&${dir}=newer`))).toEqual(keys(whole).reverse())
  })

  test('have an id for each change, which stays the same', async () => {
    const ids = (entries: readonly Json[]): unknown[] => entries.map(({ rcid }) => rcid)
    const one = ids(await walked('recentchanges', 'rclimit=max'))
    expect(new Set(one).size).toBe(one.length)
    expect(ids(await walked('recentchanges', 'rclimit=3'))).toEqual(one)
  })

  test('give pages or revisions as generators', async () => {
    const { query: pages } = (await query('generator=recentchanges&grclimit=max')) as unknown as Answer
    expect(pages['pages']).toContainEqual(expect.objectContaining({ title: 'Bird bath' }))
    const revisions = (await query(
      'generator=allrevisions&garvlimit=2&prop=revisions&rvprop=ids',
    )) as unknown as Answer
    expect(revisions.query['pages']![0]).toHaveProperty('revisions')
  })

  test('show the HTML of one revision after the other', async () => {
    const { query: found } = (await query(
      'prop=revisions&titles=Bird%20bath&rvprop=ids%7Ccontent&rvslots=main&rvparse=1',
    )) as unknown as Answer
    const [{ revisions }] = found['pages'] as unknown as [
      { revisions: { slots: { main: { content: string } } }[] },
    ]
    expect(revisions[0]!.slots.main.content).toMatch(/^<div class="mw-parser-output"><p>/)
  })

  test.each([
    ['list=recentchanges&rcshow=minor%7C!minor', 'show'],
    ['list=recentchanges&rcprop=patrolled', 'permissiondenied'],
    ['list=recentchanges&rcuser=A&rcexcludeuser=B', 'invalidparammix'],
    ['list=recentchanges&rctitle=%5B', 'invalidtitle'],
    ['list=allrevisions&arvuser=A&arvexcludeuser=B', 'invalidparammix'],
    ['list=users&ususers=A&ususerids=1', 'invalidparammix'],
    ['list=allusers&augroup=bot&auexcludegroup=sysop', 'invalidparammix'],
  ])('refuse %s', async (rest, code) => {
    expect(await query(rest)).toMatchObject({ error: { code } })
  })
})

describe('contributions', () => {
  test('of users whose names begin so come by name', async () => {
    const all = (await walked('allusers', 'aulimit=max')).map(({ name }) => String(name))
    const prefix = all[0]!.slice(0, 1)
    const expected = all.filter((name) => name.startsWith(prefix))
    const found = await walked('usercontribs', `ucuserprefix=${encodeURIComponent(prefix)}&uclimit=2`)
    expect(found.length).toBeGreaterThan(0)
    const users = [...new Set(found.map(({ user }) => String(user)))]
    expect(users).toEqual([...users].sort().reverse())
    expect(expected).toEqual(expect.arrayContaining(users))
    expect(await walked('usercontribs', 'ucuserprefix=Nobody')).toEqual([])
  })
})

describe('lists of users', () => {
  test('go by name, from a name or a beginning on, in both directions', async () => {
    const names = (entries: readonly Json[]): unknown[] => entries.map(({ name }) => name)
    const all = names(await walked('allusers', 'aulimit=max'))
    expect(all.length).toBeGreaterThan(1)
    expect(all).toEqual([...all].sort())
    expect(names(await walked('allusers', 'aulimit=1'))).toEqual(all)
    expect(names(await walked('allusers', 'aulimit=1&audir=descending'))).toEqual([...all].reverse())
    expect(names(await walked('allusers', `auprefix=${String(all[0])}`))).toContain(all[0])
    expect(await walked('allusers', 'auprefix=Nobody')).toEqual([])
  })

  test('know who is there', async () => {
    const [first] = await walked('allusers', 'aulimit=max')
    const { query: found } = (await query(
      `list=users&ususers=${encodeURIComponent(String(first!['name']))}%7CNobody%7C127.0.0.1&usprop=groups`,
    )) as unknown as Answer
    expect(found['users']).toEqual([
      { name: '127.0.0.1', invalid: true },
      { ...first, groups: expect.arrayContaining(['*', 'user']) as unknown },
      { name: 'Nobody', missing: true },
    ])
  })
})

test('pages of a generator keep its order in version 1 of the format, and the order of ids in version 2', async () => {
  const titles = ['Pond', 'Arbour', '1 "\\u00003": "x']
  const created = await startServer(temporaryFolder(), { anonymousEdits: true })
  for (const title of titles) await create(created, title, title)
  const rest = 'action=query&format=json&generator=allpages&prop=info'
  const first = (await created.send(`/api.php?${rest}`)).bytes.toString()
  const { pages } = (JSON.parse(first) as { query: { pages: Record<string, { title: string }> } }).query
  expect([...first.matchAll(/"(\d+)":\{"pageid"/g)].map(([, id]) => pages[id!]!.title)).toEqual([
    ...['1 "\\u00003": "x', 'Arbour', 'Pond'],
  ])
  const second = JSON.parse((await created.send(`/api.php?${rest}&formatversion=2`)).bytes.toString()) as {
    query: { pages: { title: string }[] }
  }
  expect(second.query.pages.map(({ title }) => title)).toEqual(titles)
})

test('a chain of redirects has the place in the results at its first step alone', async () => {
  const created = await startServer(temporaryFolder(), { anonymousEdits: true })
  await create(created, 'Quay', '#REDIRECT [[Dock]]')
  await create(created, 'Dock', '#REDIRECT [[Harbour]]')
  await create(created, 'Harbour', 'x')
  const rest = 'action=query&format=json&formatversion=2&generator=prefixsearch&gpssearch=Qu&redirects=1'
  const { query: found } = JSON.parse((await created.send(`/api.php?${rest}`)).bytes.toString()) as Json
  expect(found).toEqual({
    redirects: [
      { index: 1, from: 'Quay', to: 'Dock' },
      { from: 'Dock', to: 'Harbour' },
    ],
    pages: [{ pageid: 3, ns: 0, title: 'Harbour', index: 1 }],
  })
})

test('a namespace has each further name once', async () => {
  expect(await query('meta=siteinfo&siprop=namespacealiases')).toMatchObject({
    query: {
      namespacealiases: [
        { id: 6, alias: 'Image' },
        { id: 7, alias: 'Image talk' },
      ],
    },
  })
})
