/** The form that edits one section of a page. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { GivenFlags } from '../../src/config/config.js'
import { create, startEmptyWiki, update } from './editing.js'
import { formOf, FormReader } from './formReader.js'
import { startServer, type TestServer } from './garden.js'
import { folderForWriters } from './signedIn.js'

const TEXT = 'Lead.\n\n== A ==\ntext of a\n\n=== Below a ===\nmore\n\n\n== B ==\ntext of b'

describe('a reader who edits a section', () => {
  let wiki: TestServer
  beforeAll(async () => {
    wiki = await startEmptyWiki()
  })
  const source = async (title: string): Promise<string> =>
    ((await wiki.send(`/v1/page/${title}`)).body as { source: string }).source
  const formFor = async (title: string, section: number | string) => {
    const browser = new FormReader(wiki)
    return { browser, form: await browser.get(`/wiki/${title}?action=edit&section=${section}`) }
  }

  test.each([
    [0, 'Lead.', ''],
    [1, '== A ==\ntext of a\n\n=== Below a ===\nmore', '/* A */ '],
    [2, '=== Below a ===\nmore', '/* Below a */ '],
    [3, '== B ==\ntext of b', '/* B */ '],
  ])('gets the text of section %i alone, with its heading in the summary', async (section, text, summary) => {
    if (section === 0) await create(wiki, 'Parts', TEXT)
    const { form } = await formFor('Parts', section)
    expect(formOf(form)['wpTextbox1']).toBe(text)
    expect(form.html).toContain(`name="wpSummary" value="${summary}"`)
    expect(form.words).toContain('Editing Parts (section)')
  })

  test.each([
    [
      'Zero',
      0,
      'Other lead.',
      'Other lead.\n\n== A ==\ntext of a\n\n=== Below a ===\nmore\n\n\n== B ==\ntext of b',
    ],
    ['One', 1, '== A2 ==\r\nnew\r\n\r\n', 'Lead.\n\n== A2 ==\nnew\n\n== B ==\ntext of b'],
    ['Two', 2, '', 'Lead.\n\n== A ==\ntext of a\n\n== B ==\ntext of b'],
    ['Three', 3, '== B ==\nnew\n', 'Lead.\n\n== A ==\ntext of a\n\n=== Below a ===\nmore\n\n\n== B ==\nnew'],
  ])('saves the whole page, in which only the section changes: %s', async (title, section, text, whole) => {
    await create(wiki, title, TEXT)
    const { browser, form } = await formFor(title, section)
    const saved = await browser.send(`/wiki/${title}`, form, { wpTextbox1: text })
    expect([saved.status, saved.location]).toEqual([303, `/wiki/${title}`])
    expect(await source(title)).toBe(whole)
  })

  test('keeps what others have changed elsewhere, even if sections moved', async () => {
    await create(wiki, 'Moved', TEXT)
    const { browser, form } = await formFor('Moved', 3)
    const base = Number(formOf(form)['parentRevId'])
    await update(wiki, 'Moved', `Lead.\n\n== New ==\nfirst\n\n${TEXT.slice(7)}`, base)
    const saved = await browser.send('/wiki/Moved', form, { wpTextbox1: '== B ==\nmine' })
    expect(saved.status).toBe(303)
    expect(await source('Moved')).toBe(
      'Lead.\n\n== New ==\nfirst\n\n== A ==\ntext of a\n\n=== Below a ===\nmore\n\n\n== B ==\nmine',
    )
  })

  test('whose edit meets another one gets the whole page, and can save again', async () => {
    await create(wiki, 'Met', TEXT)
    const { browser, form } = await formFor('Met', 3)
    const base = Number(formOf(form)['parentRevId'])
    await update(wiki, 'Met', TEXT.replace('text of b', 'theirs'), base)
    const conflict = await browser.send('/wiki/Met', form, { wpTextbox1: '== B ==\nmine' })
    expect(conflict.status).toBe(409)
    const fields = formOf(conflict)
    expect(fields['wpTextbox1']).toBe(TEXT.replace('text of b', 'theirs'))
    expect(fields['wpSection']).toBeUndefined()
    expect(conflict.html).toContain('Lead.\n\n== A ==\ntext of a\n\n=== Below a ===\nmore\n\n\n== B ==\nmine')
    const whole = TEXT.replace('text of b', 'both')
    expect((await browser.send('/wiki/Met', conflict, { wpTextbox1: whole })).status).toBe(303)
    expect(await source('Met')).toBe(whole)
  })

  test('sees a preview of the section, and the changes of the page', async () => {
    await create(wiki, 'Seen', TEXT)
    const { browser, form } = await formFor('Seen', 1)
    const preview = await browser.send('/wiki/Seen', form, { wpTextbox1: "== A ==\n''new''" }, 'wpPreview')
    expect(preview.html).toMatch(/<i[^>]*>new<\/i>/)
    expect(preview.html).not.toContain('text of b')
    expect(formOf(preview)).toMatchObject({ wpSection: '1', wpTextbox1: "== A ==\n''new''" })
    const changes = await browser.send('/wiki/Seen', preview, { wpTextbox1: '== A ==\nnew' }, 'wpDiff')
    expect(changes.html).toContain('diff-deleted')
    expect(changes.html).toContain('Below a')
    expect(formOf(changes)['wpSection']).toBe('1')
    expect(await source('Seen')).toBe(TEXT)
  })

  test('keeps the text if the section is gone, or the page', async () => {
    await create(wiki, 'Gone', TEXT)
    const { browser, form } = await formFor('Gone', 1)
    const lost = await browser.send('/wiki/Gone', form, { wpTextbox1: 'kept', wpSection: '9' })
    expect(lost.status).toBe(409)
    expect(lost.words).toContain('The page has no section with this number.')
    expect(formOf(lost)).toMatchObject({ wpTextbox1: 'kept', wpSection: '9' })
    expect(await source('Gone')).toBe(TEXT)
  })

  test.each([
    ['9', 404],
    ['x', 400],
    ['99999999999', 404],
  ])('gets an answer for section %s', async (section, status) => {
    await create(wiki, 'Asked', TEXT)
    expect((await formFor('Asked', section)).form.status).toBe(status)
  })

  test('gets a form for the whole page where the section means nothing', async () => {
    const { form } = await formFor('Not_there', 1)
    expect(formOf(form)['wpSection']).toBeUndefined()
    expect(form.words).toContain('Creating Not there')
  })
})

test('pages have links to edit sections only where the wiki takes edits', async () => {
  const pageOn = async (flags: GivenFlags) => {
    const server = await startServer(await folderForWriters(), flags)
    return (await server.send('/wiki/Moon')).bytes.toString()
  }
  expect(await pageOn({ anonymousEdits: true })).toContain(
    'data-edit="/wiki/Moon?action=edit" data-edit-word="edit"',
  )
  expect(await pageOn({ readOnly: true })).not.toContain('data-edit')
})
