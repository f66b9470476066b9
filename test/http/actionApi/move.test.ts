/** `action=move`: pages that get another title, as clients of the action API see them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { runHosted } from '../../support/command.js'
import type { Json } from '../../conformance/actionClient.js'
import { Writer, type WritingWiki, writingWiki } from './writingWiki.js'

let wiki: WritingWiki
beforeAll(async () => {
  wiki = await writingWiki()
})

const listed = async (list: string, fields: Record<string, string>): Promise<Json[]> => {
  const { query } = await wiki.sue.client.get({ action: 'query', list, ...fields })
  return (query as Record<string, Json[]>)[list]!
}
const events = (letitle: string): Promise<Json[]> => listed('logevents', { letitle })
const changes = (rctitle: string): Promise<Json[]> =>
  listed('recentchanges', { rctitle, rcprop: 'ids|title|loginfo|comment|user' })
const protectionOf = async (titles: string): Promise<unknown> => {
  const { query } = await wiki.sue.client.get({ action: 'query', prop: 'info', inprop: 'protection', titles })
  return (query as { pages: { protection: unknown }[] }).pages[0]!.protection
}
const protect = (title: string, ...flags: string[]): unknown =>
  runHosted(['page', 'protect', title, ...flags, '--data-dir', wiki.folder])

describe('a move', () => {
  test('leaves a redirect, takes the talk page along, and tells of both', async () => {
    const { ann } = wiki
    await ann.save('Old', 'text')
    await ann.save('Talk:Old', 'talk')
    const fields = { from: 'Old', to: 'New', reason: 'why', movetalk: '1' }
    expect(await ann.do('move', fields)).toEqual({
      move: {
        from: 'Old',
        to: 'New',
        reason: 'why',
        redirectcreated: true,
        moveoverredirect: false,
        talkfrom: 'Talk:Old',
        talkto: 'Talk:New',
        talkmoveoverredirect: false,
      },
    })
    const comment = 'Ann moved page [[Old]] to [[New]]: why'
    expect(await ann.history('New')).toMatchObject([
      { text: 'text', comment, user: 'Ann', minor: true },
      { text: 'text', user: 'Ann' },
    ])
    expect(await ann.history('Old')).toMatchObject([{ text: '#REDIRECT [[New]]', comment, minor: false }])
    expect(await events('Old')).toMatchObject([
      {
        type: 'move',
        action: 'move',
        user: 'Ann',
        comment: 'why',
        params: { target_ns: 0, target_title: 'New', suppressredirect: false },
      },
    ])
    const rows = await changes('Old')
    expect(rows).toMatchObject([{ type: 'log', logtype: 'move', logparams: { target_title: 'New' } }])
    const { query } = await ann.client.get({ action: 'query', titles: 'New', redirects: '1' })
    expect(rows[0]!['pageid']).toBe((query as { pages: Json[] }).pages[0]!['pageid'])
    expect(await changes('New')).toMatchObject([{ type: 'new' }])
  })

  test('goes back over its redirect', async () => {
    const { ann } = wiki
    await ann.save('There', 'text')
    await ann.do('move', { from: 'There', to: 'Back' })
    expect(await ann.do('move', { from: 'Back', to: 'There' })).toMatchObject({
      move: { redirectcreated: true, moveoverredirect: true },
    })
    expect((await ann.history('There'))[0]).toMatchObject({
      text: 'text',
      comment: 'Ann moved page [[Back]] to [[There]] over redirect',
    })
    expect(await events('There')).toMatchObject([
      { type: 'delete', action: 'delete_redir', comment: 'Deleted to make way for move from "[[Back]]"' },
      { type: 'move', action: 'move' },
    ])
    expect(await events('Back')).toMatchObject([{ type: 'move', action: 'move_redir' }])
  })

  test('leaves no redirect for those who may leave none, and for texts that cannot be one', async () => {
    const { ann, sue } = wiki
    await ann.save('Plain', 'text')
    expect(await ann.do('move', { from: 'Plain', to: 'Plain 2', noredirect: '1' })).toMatchObject({
      move: { redirectcreated: true },
    })
    expect(await sue.do('move', { from: 'Plain 2', to: 'Plain 3', noredirect: '1' })).toMatchObject({
      move: { redirectcreated: false },
    })
    expect(await sue.history('Plain 2')).toEqual([])
    expect(await events('Plain 2')).toMatchObject([{ params: { suppressredirect: true } }])
    await ann.save('User:Ann/a.json', '{}')
    expect(await ann.do('move', { from: 'User:Ann/a.json', to: 'User:Ann/b.json' })).toMatchObject({
      move: { redirectcreated: false },
    })
  })

  test('of a long text, which a thread reads', async () => {
    const { ann, sue } = wiki
    const text = 'long '.repeat(20_000).trim()
    await ann.save('Long', text)
    await ann.do('move', { from: 'Long', to: 'Long, too' })
    expect((await ann.history('Long, too'))[0]).toMatchObject({ text })
    expect(await sue.do('delete', { title: 'Long, too' })).toMatchObject({
      delete: { reason: expect.stringMatching(/^content was: "long long .*\.\.\."/) as unknown },
    })
  })

  test('takes subpages along, and says which could not be moved', async () => {
    const { ann } = wiki
    for (const title of ['Top', 'Top/a', 'Top/b', 'Summit/b']) await ann.save(title, title)
    expect(await ann.do('move', { from: 'Top', to: 'Summit', movesubpages: '1' })).toMatchObject({
      move: {
        subpages: [
          { from: 'Top/a', to: 'Summit/a' },
          { from: 'Top/b', errors: [{ code: 'articleexists' }] },
        ],
      },
    })
  })

  test('says why the talk page stays', async () => {
    const { ann } = wiki
    for (const title of ['Quiet', 'Talk:Quiet', 'Talk:Loud']) await ann.save(title, title)
    expect(await ann.do('move', { from: 'Quiet', to: 'Loud', movetalk: '1' })).toMatchObject({
      move: { 'talkmove-errors': [{ code: 'articleexists', params: ['Talk:Loud'] }] },
    })
  })

  test('takes the protection along, so that others can still not edit', async () => {
    const { ann, sue } = wiki
    await ann.save('Guarded', 'text')
    protect('Guarded', '--edit', 'sysop')
    expect(await ann.code('move', { from: 'Guarded', to: 'Free' })).toBe('protectedpage')
    await sue.do('move', { from: 'Guarded', to: 'Free' })
    expect(await protectionOf('Free')).toMatchObject([{ type: 'edit', level: 'sysop' }])
    expect(await ann.code('edit', { title: 'Free', text: 'x' })).toBe('protectedpage')
    expect(await events('Free')).toMatchObject([
      { type: 'protect', action: 'move_prot', params: { oldtitle_ns: 0, oldtitle_title: 'Guarded' } },
    ])
  })

  test('of a category, a template and a module keeps what leads to them', async () => {
    const { ann } = wiki
    await ann.save('Category:Old kind', 'about')
    await ann.do('move', { from: 'Category:Old kind', to: 'Category:New kind' })
    expect((await ann.history('Category:Old kind'))[0]).toMatchObject({
      text: '#REDIRECT [[:Category:New kind]]',
    })
    await ann.save('Module:Old', 'return {}')
    expect(await ann.code('move', { from: 'Module:Old', to: 'Elsewhere' })).toBe('content-not-allowed-here')
    expect(await ann.do('move', { from: 'Module:Old', to: 'Module:New' })).toMatchObject({
      move: { redirectcreated: false },
    })
  })

  test.each([
    ['to a page', { from: 'Here', to: 'Taken' }, 'articleexists'],
    ['over a redirect that leads elsewhere', { from: 'Here', to: 'Elsewhere too' }, 'redirectexists'],
    ['to its own title', { from: 'Here', to: 'Here' }, 'selfmove'],
    ['of a missing page', { from: 'Nowhere', to: 'X' }, 'missingtitle'],
    ['of a special page', { from: 'Special:Version', to: 'X' }, 'missingtitle'],
    ['of an unknown id', { fromid: '99999', to: 'X' }, 'nosuchpageid'],
    ['of two pages', { from: 'Here', fromid: '1', to: 'X' }, 'invalidparammix'],
    ['of no page', { to: 'X' }, 'missingparam'],
    ['without a new title', { from: 'Here' }, 'missingparam'],
    ['to no title', { from: 'Here', to: '<' }, 'invalidtitle'],
    ['to another wiki', { from: 'Here', to: 'wikipedia:X' }, 'invalidtitle'],
    ['to a special page', { from: 'Here', to: 'Special:X' }, 'immobile-target-namespace'],
    ['to a file', { from: 'Here', to: 'File:X.png' }, 'nonfile-cannot-move-to-file'],
    ['of a file', { from: 'File:Pier.png', to: 'File:Quay.png' }, 'cantmovefile'],
    ['to a text of the interface', { from: 'Here', to: 'MediaWiki:X' }, 'protectednamespace-interface'],
    ['with a wrong token', { from: 'Here', to: 'X', token: 'x' }, 'badtoken'],
  ])('%s is refused', async (_case, fields, code) => {
    const { ann } = wiki
    await ann.save('Here', 'x')
    await ann.save('Taken', 'x')
    await ann.save('File:Pier.png', 'x')
    await ann.save('Elsewhere too', '#REDIRECT [[Taken]]')
    expect(await ann.code('move', fields)).toBe(code)
  })

  test('to a title that is protected against creation, or of a hidden text, is refused', async () => {
    const { ann, sue } = wiki
    await ann.save('Mover', 'x')
    protect('Reserved', '--create', 'sysop')
    expect(await ann.code('move', { from: 'Mover', to: 'Reserved' })).toBe('protectedpage')
    const id = await ann.save('Secret', 'x')
    runHosted(['erase', '--revision', id, '--text', '--yes', '--data-dir', wiki.folder])
    expect(await sue.code('move', { from: 'Secret', to: 'Open' })).toBe('missingcontent')
  })
})

describe('who may not move', () => {
  test('readers, and accounts where the setting says so', async () => {
    const open = await writingWiki({ anonymousEdits: true, moveGroup: 'sysop' })
    await open.ann.save('Here', 'x')
    const move = { from: 'Here', to: 'There' }
    const reader = await Writer.logIn(open.server)
    expect(await reader.code('move', { ...move, token: '+\\' })).toBe('cantmove-anon')
    expect(await open.ann.code('move', move)).toBe('cantmove')
    expect(await open.sue.code('move', move)).toBeUndefined()
  })
})
