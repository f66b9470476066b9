/** `action=delete` and `undelete`: pages that go and come back, as clients of the action API see them. */
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../conformance/actionClient.js'
import { runHosted } from '../../support/command.js'
import { type WritingWiki, writingWiki } from './writingWiki.js'

let wiki: WritingWiki
beforeAll(async () => {
  wiki = await writingWiki()
})

const events = async (letitle: string): Promise<Json[]> => {
  const { query } = await wiki.sue.client.get({ action: 'query', list: 'logevents', letitle })
  return (query as { logevents: Json[] }).logevents
}
const pageOf = async (titles: string): Promise<Json> => {
  const { query } = await wiki.sue.client.get({ action: 'query', prop: 'info', titles })
  return (query as { pages: Json[] }).pages[0]!
}

test('a page goes with its history, and comes back with it', async () => {
  const { sue, ann, server } = wiki
  await ann.save('Gone', 'one [[Category:Lost]]')
  await sue.save('Gone', 'two [[Category:Lost]]')
  const { pageid } = await pageOf('Gone')
  expect((await server.send('/v1/page/Gone')).status).toBe(200)
  expect(await sue.do('delete', { title: 'Gone', reason: 'why' })).toEqual({
    delete: { title: 'Gone', reason: 'why', logid: 1 },
  })
  expect((await server.send('/v1/page/Gone')).status).toBe(404)
  expect((await server.send('/v1/page/Gone/history')).status).toBe(404)
  expect(await pageOf('Gone')).toMatchObject({ missing: true })
  expect(await events('Gone')).toMatchObject([
    { type: 'delete', action: 'delete', user: 'Sue', comment: 'why', pageid: 0, logpage: pageid, params: {} },
  ])
  expect(await sue.do('undelete', { title: 'Gone', reason: 'back' })).toEqual({
    undelete: { title: 'Gone', revisions: 2, fileversions: 0, reason: 'back' },
  })
  expect(await pageOf('Gone')).toMatchObject({ pageid })
  expect(await sue.history('Gone')).toMatchObject([{ text: 'two [[Category:Lost]]' }, { user: 'Ann' }])
  expect((await events('Gone'))[0]).toMatchObject({
    action: 'restore',
    params: { count: { revisions: 2, files: 0 } },
  })
  const members = { action: 'query', list: 'categorymembers', cmtitle: 'Category:Lost' }
  expect(await sue.client.get(members)).toMatchObject({ query: { categorymembers: [{ pageid }] } })
})

test.each([
  [
    'by one editor',
    ['ann'],
    ['spam'],
    /^content was: "spam", and the only contributor was "\[\[Special:Contr/,
  ],
  ['by several', ['ann', 'sue'], ['a', 'b'], /^content was: "b"$/],
  ['that was blanked', ['ann', 'ann'], ['was', ''], /^content before blanking was: "was"$/],
  ['of a long text', ['ann', 'sue'], ['x', 'y'.repeat(600)], /^content was: "y{200,252}\.\.\."$/],
] as const)('a reason quotes a page %s', async (title, editors, texts, reason) => {
  for (const [n, text] of texts.entries()) await wiki[editors[n]!].save(title, text)
  const { delete: done } = (await wiki.sue.do('delete', { title })) as { delete: { reason: string } }
  expect(done.reason).toMatch(reason)
})

test('the talk page goes and comes back too, if there is one', async () => {
  const { sue } = wiki
  for (const title of ['Both', 'Talk:Both', 'Single']) await sue.save(title, 'x')
  await sue.do('delete', { title: 'Both', deletetalk: '1' })
  expect(await pageOf('Talk:Both')).toMatchObject({ missing: true })
  await sue.do('undelete', { title: 'Both', undeletetalk: '1' })
  expect(await pageOf('Talk:Both')).not.toHaveProperty('missing')
  expect(await sue.do('delete', { title: 'Single', deletetalk: '1' })).toMatchObject({
    warnings: { delete: { warnings: 'Cannot delete a non-existing associated talk page.' } },
  })
})

test('a new page under the title is not protected as the old one was', async () => {
  const { sue, ann } = wiki
  await ann.save('Renewed', 'x')
  runHosted(['page', 'protect', 'Renewed', '--edit', 'sysop', '--data-dir', wiki.folder])
  expect(await ann.code('edit', { title: 'Renewed', text: 'y' })).toBe('protectedpage')
  await sue.do('delete', { title: 'Renewed' })
  expect(await ann.code('edit', { title: 'Renewed', text: 'y' })).toBeUndefined()
})

test.each([
  ['delete', 'of a missing page', { title: 'Nowhere' }, 'missingtitle'],
  ['delete', 'of an unknown id', { pageid: '99999' }, 'nosuchpageid'],
  ['delete', 'of no page', {}, 'missingparam'],
  ['delete', 'of no title', { title: '<' }, 'invalidtitle'],
  ['delete', 'of a special page', { title: 'Special:Version' }, 'pagecannotexist'],
  ['delete', 'of an old version of a file', { title: 'File:X.png', oldimage: 'x' }, 'nodeleteablefile'],
  ['delete', 'with a wrong token', { title: 'Kept', token: 'x' }, 'badtoken'],
  ['undelete', 'of a page that was never there', { title: 'Nowhere' }, 'cantundelete'],
  ['undelete', 'of a page that is there', { title: 'Kept' }, 'cantundelete'],
  ['undelete', 'of no title', { title: '<' }, 'invalidtitle'],
  ['undelete', 'of nothing', {}, 'missingparam'],
  ['undelete', 'of some revisions', { title: 'Kept', timestamps: '2020-01-01T00:00:00Z' }, 'unsupported'],
  ['undelete', 'under a title that is taken', { title: 'Taken' }, 'articleexists'],
])('a %s %s is refused', async (action, _case, fields, code) => {
  const { sue } = wiki
  await sue.save('Kept', 'x')
  await sue.save('File:Pier.png', 'x')
  if (code === 'articleexists')
    for (const _ of [1, 2]) {
      await sue.save('Taken', 'x')
      if (_ === 1) await sue.do('delete', { title: 'Taken' })
    }
  expect(await sue.code(action, fields)).toBe(code)
})

test('accounts without the right can neither delete nor restore', async () => {
  const { ann } = wiki
  await ann.save('Mine', 'x')
  expect(await ann.code('delete', { title: 'Mine' })).toBe('permissiondenied')
  expect(await ann.code('undelete', { title: 'Mine' })).toBe('permissiondenied')
})

test(
  'the operator erases deleted pages by their title, and none of them comes back',
  { tags: ['slow'] },
  async () => {
    const { sue, folder } = wiki
    for (const text of ['first', 'second']) {
      await sue.save('Twice', text)
      await sue.do('delete', { title: 'Twice' })
    }
    const { out } = runHosted(['erase', '--page', 'Twice', '--yes', '--data-dir', folder])
    expect(out).toMatch(/^deleted page \d+, "Twice": 1 revisions?.*\ndeleted page \d+, "Twice"/)
    expect(await sue.code('undelete', { title: 'Twice' })).toBe('cantundelete')
    expect(await events('Twice')).toEqual([])
  },
)

test('an edit that began before the deletion makes no new page, unless it says so', async () => {
  const { sue, ann } = wiki
  await ann.save('Slow', 'x')
  await sue.do('delete', { title: 'Slow' })
  const edit = { title: 'Slow', text: 'y', starttimestamp: '2020-01-01T00:00:00Z' }
  expect(await ann.code('edit', edit)).toBe('pagedeleted')
  expect(await ann.code('edit', { ...edit, recreate: '1' })).toBeUndefined()
})
