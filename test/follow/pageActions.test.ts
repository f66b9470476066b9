/** A mirror of a wiki here in which people move, delete and restore pages. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Store } from '../../src/storage/store.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { writingWiki } from '../http/actionApi/writingWiki.js'
import { folderOfFile } from '../support/cleanUp.js'
import { run } from '../support/command.js'

async function follow(dataDir: string, ...flags: string[]): Promise<string> {
  const command = run('follow', '--data-dir', dataDir, ...flags)
  expect(await command.exit, command.output.stderr).toBe(0)
  return command.output.stdout
}

test('takes all of it over by changes alone', async () => {
  const { server, sue, ann } = await writingWiki()
  for (const title of ['Moved', 'Talk:Moved', 'Deleted', 'Restored', 'Back', 'Undone'])
    await ann.save(title, title)
  const mirror = join(folderOfFile(), 'mirror')
  const upstream = `http://127.0.0.1:${server.port}/api.php`
  await follow(mirror, '--upstream', upstream, '--contact', 'test@wiki.example', '--once')
  await ann.do('move', { from: 'Moved', to: 'Elsewhere', movetalk: '1' })
  await ann.do('move', { from: 'Back', to: 'Forth' })
  await ann.do('move', { from: 'Forth', to: 'Back' })
  await sue.do('delete', { title: 'Deleted' })
  await sue.do('delete', { title: 'Restored' })
  await follow(mirror, '--once')
  await sue.do('undelete', { title: 'Restored' })
  await sue.do('move', { from: 'Undone', to: 'Deleted', noredirect: '1' })
  await follow(mirror, '--once')
  expect(await follow(mirror, '--check')).toMatch(/^0 differences\n/)
  const copy = Store.open(mirror)
  try {
    const textOf = (namespace: number, dbkey: string): string | undefined => {
      const page = copy.getPage(namespace, dbkey)
      return page && copy.getText(page.latestId)
    }
    expect(textOf(0, 'Elsewhere')).toBe('Moved')
    expect(textOf(0, 'Moved')).toBe('#REDIRECT [[Elsewhere]]')
    expect(textOf(1, 'Elsewhere')).toBe('Talk:Moved')
    expect([textOf(0, 'Back'), textOf(0, 'Forth')]).toEqual(['Back', '#REDIRECT [[Back]]'])
    expect([textOf(0, 'Undone'), textOf(0, 'Deleted')]).toEqual([undefined, 'Undone'])
    expect(textOf(0, 'Restored')).toBe('Restored')
    expect(verifyStore(copy).problems).toEqual([])
  } finally {
    await copy.close()
  }
})
