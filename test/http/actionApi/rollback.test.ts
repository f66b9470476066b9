/** `action=rollback`, and `action=edit` with `undo`: edits that clients take back. */
import { beforeAll, describe, expect, test } from 'vitest'
import { runHosted } from '../../support/command.js'
import { Writer, type WritingWiki, writingWiki } from './writingWiki.js'

let wiki: WritingWiki
beforeAll(async () => {
  wiki = await writingWiki()
})

describe('undo', () => {
  test('takes one edit out of the middle of a history', async () => {
    const { sue, ann } = wiki
    await sue.save('Undone', 'one\n\ntwo\n\nthree')
    const undo = await ann.save('Undone', 'ONE\n\ntwo\n\nthree')
    await ann.save('Undone', 'ONE\n\ntwo\n\nTHREE')
    expect(await sue.do('edit', { title: 'Undone', undo })).toMatchObject({ edit: { result: 'Success' } })
    expect((await sue.history('Undone'))[0]).toMatchObject({
      text: 'one\n\ntwo\n\nTHREE',
      comment: `Undo revision ${undo} by [[Special:Contributions/Ann|Ann]] ([[User talk:Ann|talk]])`,
    })
    expect(await sue.do('edit', { title: 'Undone', undo })).toMatchObject({ edit: { nochange: true } })
  })

  test('takes out several edits, with a comment of its own', async () => {
    const { sue, ann } = wiki
    const undoafter = await sue.save('Range', '1')
    await ann.save('Range', '12')
    const undo = await ann.save('Range', '123')
    await sue.do('edit', { title: 'Range', undo, undoafter })
    expect((await sue.history('Range'))[0]).toMatchObject({ text: '1', comment: '' })
    const last = await ann.save('Range', '1 and 2')
    await sue.do('edit', { title: 'Range', undo: last, summary: 'no' })
    expect((await sue.history('Range'))[0]).toMatchObject({ text: '1', comment: 'no' })
  })

  test('does nothing for 0, and ignores a text otherwise', async () => {
    const { sue, ann } = wiki
    await sue.save('Zero', 'a', { undo: '0' })
    const undo = await ann.save('Zero', 'b')
    await sue.do('edit', { title: 'Zero', undo, text: 'c' })
    expect((await sue.history('Zero')).map(({ text }) => text)).toEqual(['a', 'b', 'a'])
  })

  test.each([
    ['a page whose edit others built upon', 'Built', 'undofailure'],
    ['an edit of another page', 'Elsewhere', 'nosuchrevid'],
  ])('refuses %s', async (_case, title, code) => {
    const { sue, ann } = wiki
    await sue.save('Built', `one ${title}`)
    const undo = await ann.save('Built', `two ${title}`)
    await sue.save('Built', `three ${title}`)
    await sue.save('Elsewhere', title)
    expect(await sue.code('edit', { title, undo })).toBe(code)
  })

  test('refuses the first edit of a page, and revisions that do not exist', async () => {
    const first = await wiki.sue.save('First', 'x')
    const undo = await wiki.sue.save('First', 'y')
    expect(await wiki.sue.code('edit', { title: 'First', undo: first })).toBe('nosuchrevid')
    expect(await wiki.sue.code('edit', { title: 'First', undo, undoafter: '99999' })).toBe('nosuchrevid')
  })
})

describe('rollback', () => {
  test('brings back the last revision of another user', async () => {
    const { sue, ann } = wiki
    await sue.save('Rolled', 'base')
    await ann.save('Rolled', 'v1')
    await ann.save('Rolled', 'v2')
    expect(await sue.do('rollback', { title: 'Rolled', user: 'Ann' })).toMatchObject({
      rollback: {
        title: 'Rolled',
        summary:
          'Reverted edits by [[Special:Contributions/Ann|Ann]] ([[User talk:Ann|talk]]) to last revision by [[User:Sue|Sue]]',
      },
    })
    expect((await sue.history('Rolled'))[0]).toMatchObject({ text: 'base', user: 'Sue', minor: true })
  })

  test('goes back over a long run of edits, with a comment of the client', { tags: ['slow'] }, async () => {
    const { sue, ann, ben } = wiki
    await ben.save('Long', 'base')
    for (let n = 0; n < 120; n++) await ann.save('Long', `v${n}`)
    const fields = { title: 'Long', user: 'Ann', summary: 'back to $1, from $2' }
    expect(await sue.do('rollback', fields)).toMatchObject({
      rollback: { summary: 'back to Ben, from Ann' },
    })
  })

  test.each([
    ['a user who is not the last editor', { title: 'Alone', user: 'Ben' }, 'alreadyrolled'],
    ['the only editor of a page', { title: 'Alone', user: 'Ann' }, 'onlyauthor'],
    ['a missing page', { title: 'Nowhere', user: 'Ann' }, 'missingtitle'],
    ['an unknown id', { pageid: '99999', user: 'Ann' }, 'nosuchpageid'],
    ['no title', { title: '<', user: 'Ann' }, 'invalidtitle'],
    ['a request without a user', { title: 'Alone' }, 'missingparam'],
    ['a wrong token', { title: 'Alone', user: 'Ann', token: 'x' }, 'badtoken'],
  ])('refuses %s', async (_case, fields, code) => {
    await wiki.ann.save('Alone', 'x')
    expect(await wiki.sue.code('rollback', fields)).toBe(code)
  })

  test('refuses accounts without the right, and readers', async () => {
    const { ann, server } = wiki
    await ann.save('Alone', 'x')
    expect(await ann.code('rollback', { title: 'Alone', user: 'Ann' })).toBe('permissiondenied')
    const reader = await Writer.logIn(server)
    expect(await reader.code('rollback', { title: 'Alone', user: 'Ann', token: '+\\' })).toBe(
      'permissiondenied',
    )
  })

  test('refuses a text that is hidden', async () => {
    const { sue, ann, ben } = wiki
    await ben.save('Wiped', 'secret')
    await ann.save('Wiped', 'x')
    const target = await hide(wiki, 'Wiped', 1)
    expect(target).not.toBe(0)
    expect(await sue.code('rollback', { title: 'Wiped', user: 'Ann' })).toBe('notvisiblerev')
  })
})

/** Hides the text of a page's revision, by its number from the newest. */
async function hide({ folder, sue }: WritingWiki, titles: string, n: number): Promise<number> {
  const { query } = await sue.client.get({
    action: 'query',
    prop: 'revisions',
    titles,
    rvlimit: 'max',
    rvprop: 'ids',
  })
  const { pages } = query as { pages: { revisions: { revid: number }[] }[] }
  const { revid } = pages[0]!.revisions[n]!
  runHosted(['revision', 'hide', String(revid), '--text', '--data-dir', folder])
  return revid
}
