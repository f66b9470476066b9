/** `action=edit`: pages saved by clients of the action API. */
import { beforeAll, expect, test } from 'vitest'
import { Client, wikiWithAccounts } from '../../conformance/actionClient.js'
import { startServer } from '../../conformance/garden.js'

let client: Client
let token: string
beforeAll(async () => {
  const { folder } = await wikiWithAccounts()
  client = new Client(await startServer(folder), '/api.php', { format: 'json', formatversion: '2' })
  await client.logIn('Ann')
  token = await client.token()
})

const edit = (fields: Record<string, string>): Promise<unknown> =>
  client.post({ action: 'edit', token, ...fields })
const textOf = async (titles: string): Promise<unknown> => {
  const { query } = await client.get({
    action: 'query',
    prop: 'revisions',
    rvprop: 'content',
    rvslots: 'main',
    titles,
  })
  const { pages } = query as { pages: { revisions: { slots: { main: { content: string } } }[] }[] }
  return pages[0]?.revisions[0]?.slots.main.content
}

test('creates a page, adds to it, and adds a section', async () => {
  expect(await edit({ title: 'Kit', text: 'Two.' })).toMatchObject({
    edit: { result: 'Success', title: 'Kit', new: true, oldrevid: 0 },
  })
  await edit({ title: 'Kit', appendtext: ' Three.', summary: 'more' })
  await edit({ title: 'Kit', prependtext: 'One. ' })
  await edit({ title: 'Kit', section: 'new', sectiontitle: 'News', text: 'It rains.' })
  expect(await textOf('Kit')).toBe('One. Two. Three.\n\n== News ==\n\nIt rains.')
  expect(await edit({ title: 'Kit', appendtext: '' })).toMatchObject({ edit: { nochange: true } })
})

test.each([
  ['of a page that exists', { title: 'Kit', text: 'x', createonly: '1' }, 'articleexists'],
  ['of a missing page', { title: 'Kit none', text: 'x', nocreate: '1' }, 'missingtitle'],
  ['with a wrong token', { title: 'Kit', text: 'x', token: 'bad' }, 'badtoken'],
  ['of a section that is not there', { title: 'Kit', text: 'x', section: '9' }, 'nosuchsection'],
  ['of a section of a missing page', { title: 'Kit none', text: 'x', section: '1' }, 'nosuchsection'],
  ['of no section', { title: 'Kit', text: 'x', section: 'first' }, 'invalidsection'],
  ['of a text that was damaged', { title: 'Kit', text: 'x', md5: 'abc' }, 'badmd5'],
  ['on a revision of another page', { title: 'Kit', text: 'x', baserevid: '1' }, 'editconflict'],
  ['under two names', { title: 'Kit', pageid: '1', text: 'x' }, 'invalidparammix'],
  ['of a special page', { title: 'Special:Version', text: 'x' }, 'pagecannotexist'],
  ['without a text', { title: 'Kit' }, 'missingparam'],
  ['of no title', { title: '<', text: 'x' }, 'invalidtitle'],
])('refuses an edit %s', async (_case, fields, code) => {
  expect(await edit(fields)).toMatchObject({ error: { code } })
})

test('merges with later edits, and refuses what overlaps', async () => {
  const made = (await edit({ title: 'Kit merged', text: 'a\n\nb\n\nc' })) as { edit: { newrevid: number } }
  const baserevid = String(made.edit.newrevid)
  await edit({ title: 'Kit merged', text: 'A\n\nb\n\nc' })
  expect(await edit({ title: 'Kit merged', text: 'a\n\nb\n\nC', baserevid })).toMatchObject({
    edit: { result: 'Success' },
  })
  expect(await textOf('Kit merged')).toBe('A\n\nb\n\nC')
  expect(await edit({ title: 'Kit merged', text: 'x\n\nb\n\nc', baserevid })).toMatchObject({
    error: { code: 'editconflict' },
  })
})

const SECTIONS = 'lead\n\n== A ==\na\n\n=== A1 ===\na1\n\n== B ==\nb'
test.each([
  ['the part before the first', { section: '0', text: 'new\n\n' }, SECTIONS.replace('lead', 'new')],
  ['one with those below it', { section: '1', text: '== A ==\nx' }, 'lead\n\n== A ==\nx\n\n== B ==\nb'],
  ['the last one', { section: '3', text: '== B ==\nbb' }, `${SECTIONS}b`],
  ['one by an empty text', { section: '1', text: '' }, 'lead\n\n== B ==\nb'],
  [
    'one by an addition to it',
    { section: '1', appendtext: '\nmore' },
    SECTIONS.replace('a1\n', 'a1\nmore\n'),
  ],
  ['one by a text before it', { section: '2', prependtext: 'x\n' }, SECTIONS.replace('=== A', 'x\n=== A')],
  [
    'none, but adds one',
    { section: 'new', appendtext: 'x', sectiontitle: 'T' },
    `${SECTIONS}\n\n== T ==\n\nx`,
  ],
  ['none, but adds one without a heading', { section: 'new', text: 'x' }, `${SECTIONS}\n\nx`],
])('replaces sections: %s', async (title, fields, wanted) => {
  await edit({ title, text: SECTIONS })
  expect(await edit({ title, ...fields })).toMatchObject({ edit: { result: 'Success' } })
  expect(await textOf(title)).toBe(wanted)
})

test.each([
  ['a tag', '<gallery>\n== A ==\n</gallery>\n'],
  ['a note', '<ref>\n== A ==\n</ref>\n'],
  ['what other pages show', '<includeonly>\n== A ==\n</includeonly>\n'],
  ['a comment', '<!--\n== A ==\n-->\n'],
])('numbers no line as a section that looks like a heading in %s', async (what, hidden) => {
  const title = `Hidden in ${what}`
  const text = `${hidden}== B ==\nb\n\n== C ==\nc`
  await edit({ title, text })
  await edit({ title, section: '1', text: '== B ==\nnew' })
  expect(await textOf(title)).toBe(text.replace('\nb\n', '\nnew\n'))
})

test('numbers the headings after a tag without an end', async () => {
  const text = '<ref>x\n== A ==\na\n\n== B ==\nb'
  await edit({ title: 'Open tag', text })
  await edit({ title: 'Open tag', section: '2', text: '== B ==\nnew' })
  expect(await textOf('Open tag')).toBe(text.replace('\nb', '\nnew\n\n').trimEnd())
})

test('replaces the section of the base, wherever later edits have moved it', async () => {
  const { edit: made } = (await edit({ title: 'Kit moved', text: SECTIONS })) as {
    edit: { newrevid: number }
  }
  await edit({ title: 'Kit moved', text: SECTIONS.replace('== A', '== New ==\nn\n\n== A') })
  const baserevid = String(made.newrevid)
  await edit({ title: 'Kit moved', section: '3', text: '== B ==\nBB', baserevid })
  expect(await textOf('Kit moved')).toBe(SECTIONS.replace('== A', '== New ==\nn\n\n== A').replace(/b$/, 'BB'))
})

test('has no sections in other content models', async () => {
  const title = 'User:Ann/x.json'
  await edit({ title, text: '{}' })
  expect(await edit({ title, section: 'new', text: '{}' })).toMatchObject({
    error: { code: 'sectionsnotsupported' },
  })
})

test('follows a redirect, by an addition alone', async () => {
  await edit({ title: 'Kit way', text: '#REDIRECT [[Kit end]]' })
  expect(await edit({ title: 'Kit way', appendtext: 'more', redirect: '1' })).toMatchObject({
    redirects: { from: 'Kit way', to: 'Kit end' },
    edit: { title: 'Kit end', new: true },
  })
  expect(await textOf('Kit end')).toBe('more')
  expect(await edit({ title: 'Kit way', text: 'x', redirect: '1' })).toMatchObject({
    error: { code: 'redirect-appendonly' },
  })
})
