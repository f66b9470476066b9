/** `action=protect`: who may edit, move and create pages, as clients of the action API see it. */
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../conformance/actionClient.js'
import { runHosted } from '../../support/command.js'
import { type WritingWiki, writingWiki } from './writingWiki.js'

let wiki: WritingWiki
beforeAll(async () => {
  wiki = await writingWiki()
  for (const title of ['Guarded', 'Fixed', 'Timed', 'Kept']) await wiki.ann.save(title, 'x')
})

const protectionOf = async (titles: string): Promise<unknown> => {
  const { query } = await wiki.sue.client.get({ action: 'query', prop: 'info', inprop: 'protection', titles })
  return (query as { pages: { protection: unknown }[] }).pages[0]!.protection
}
const events = async (letitle: string): Promise<Json[]> => {
  const { query } = await wiki.sue.client.get({ action: 'query', list: 'logevents', letitle })
  return (query as { logevents: Json[] }).logevents
}

test('a page is protected, otherwise and not at all, and the log tells of each', async () => {
  const { sue, ann } = wiki
  const title = 'Guarded'
  expect(await sue.do('protect', { title, protections: 'edit=sysop|move=sysop', reason: 'why' })).toEqual({
    protect: {
      title,
      reason: 'why',
      protections: [
        { edit: 'sysop', expiry: 'infinite' },
        { move: 'sysop', expiry: 'infinite' },
      ],
    },
  })
  expect(await protectionOf(title)).toEqual([
    { type: 'edit', level: 'sysop', expiry: 'infinity' },
    { type: 'move', level: 'sysop', expiry: 'infinity' },
  ])
  expect(await ann.code('edit', { title, text: 'y' })).toBe('protectedpage')
  await sue.do('protect', { title, protections: 'edit=autoconfirmed' })
  expect(await ann.code('edit', { title, text: 'y' })).toBeUndefined()
  await sue.do('protect', { title, protections: 'edit=all' })
  expect(await protectionOf(title)).toEqual([])
  // The same again is no change.
  await sue.do('protect', { title, protections: 'edit=all' })
  expect(await events(title)).toMatchObject([
    { action: 'unprotect', params: {} },
    { action: 'modify', params: { details: [{ type: 'edit', level: 'autoconfirmed', expiry: 'infinite' }] } },
    {
      action: 'protect',
      comment: 'why',
      user: 'Sue',
      params: {
        description: '\u200E[edit=sysop] (indefinite)\u200E[move=sysop] (indefinite)',
        cascade: false,
        details: [
          { type: 'edit', level: 'sysop', expiry: 'infinite', cascade: false },
          { type: 'move', level: 'sysop', expiry: 'infinite', cascade: false },
        ],
      },
    },
  ])
})

test('a page that may be edited can be protected against moves, and keeps that when it is moved', async () => {
  const { sue, ann } = wiki
  await sue.do('protect', { title: 'Fixed', protections: 'move=sysop' })
  expect(await ann.code('edit', { title: 'Fixed', text: 'y' })).toBeUndefined()
  expect(await ann.code('move', { from: 'Fixed', to: 'Loose' })).toBe('protectedpage')
  runHosted(['page', 'protect', 'Fixed', '--edit', 'user', '--data-dir', wiki.folder])
  expect(await protectionOf('Fixed')).toMatchObject([{ level: 'autoconfirmed' }, { type: 'move' }])
  await sue.do('move', { from: 'Fixed', to: 'Loose', noredirect: '1' })
  expect(await ann.code('move', { from: 'Loose', to: 'Fixed' })).toBe('protectedpage')
  runHosted(['page', 'unprotect', 'Loose', '--data-dir', wiki.folder])
  expect(await protectionOf('Loose')).toEqual([])
})

test('a title without a page is protected against creation, for a time', async () => {
  const { sue, ann } = wiki
  const fields = { title: 'Unborn', protections: 'create=sysop', expiry: '1 day' }
  const { protect } = (await sue.do('protect', fields)) as { protect: { protections: { expiry: string }[] } }
  const seconds = (Date.parse(protect.protections[0]!.expiry) - Date.now()) / 1000
  expect(seconds).toBeGreaterThan(86_000)
  expect(seconds).toBeLessThan(86_500)
  expect(await ann.code('edit', { title: 'Unborn', text: 'x' })).toBe('protectedpage')
})

test.each([
  ['2099-01-01T00:00:00Z', '2099-01-01T00:00:00Z'],
  ['never', 'infinite'],
])('a protection ends as stated: %s', async (expiry, end) => {
  expect(await wiki.sue.do('protect', { title: 'Timed', protections: 'edit=sysop', expiry })).toMatchObject({
    protect: { protections: [{ expiry: end }] },
  })
})

test.each(['2 weeks', '3 months', '1 year', '+5 minutes'])('a protection ends in %s', async (expiry) => {
  const fields = { title: 'Timed', protections: 'edit=sysop', expiry }
  expect(await wiki.sue.code('protect', fields)).toBeUndefined()
})

test.each([
  ['of an unknown kind', { title: 'Kept', protections: 'look=sysop' }, 'protect-invalidaction'],
  ['for an unknown group', { title: 'Kept', protections: 'edit=kings' }, 'protect-invalidlevel'],
  ['against the creation of a page', { title: 'Kept', protections: 'create=sysop' }, 'create-titleexists'],
  [
    'of a missing page against edits',
    { title: 'None', protections: 'edit=sysop' },
    'missingtitle-createonly',
  ],
  [
    'that has ended',
    { title: 'Kept', protections: 'edit=sysop', expiry: '2001-01-01T00:00:00Z' },
    'pastexpiry',
  ],
  ['until some day', { title: 'Kept', protections: 'edit=sysop', expiry: 'soonish' }, 'invalidexpiry'],
  [
    'with too many ends',
    { title: 'Kept', protections: 'edit=sysop', expiry: '1 day|2 days' },
    'toofewexpiries',
  ],
  [
    'with different ends',
    { title: 'Kept', protections: 'edit=sysop|move=sysop', expiry: '1 day|2 days' },
    'unsupported',
  ],
  ['of nothing', { title: 'Kept' }, 'missingparam'],
  ['of no page', { protections: 'edit=sysop' }, 'missingparam'],
  ['of no title', { title: '<', protections: 'edit=sysop' }, 'invalidtitle'],
  ['of an unknown id', { pageid: '99999', protections: 'edit=sysop' }, 'nosuchpageid'],
  ['of a special page', { title: 'Special:Version', protections: 'edit=sysop' }, 'pagecannotexist'],
  ['with a wrong token', { title: 'Kept', protections: 'edit=sysop', token: 'x' }, 'badtoken'],
])('a protection %s is refused', async (_case, fields, code) => {
  expect(await wiki.sue.code('protect', fields)).toBe(code)
})

test('accounts without the right cannot protect, and a cascade has a warning', async () => {
  const fields = { title: 'Kept', protections: 'edit=all', cascade: '1' }
  expect(await wiki.ann.code('protect', fields)).toBe('permissiondenied')
  expect(await wiki.sue.do('protect', fields)).toMatchObject({
    warnings: { protect: { warnings: 'Protections do not cascade on this server.' } },
  })
})
