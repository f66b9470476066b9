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
  ['of one section', { title: 'Kit', text: 'x', section: '1' }, 'sectionsnotsupported'],
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
