/** A mirror of a wiki here in which people move, delete and restore pages. */
// @module-tag slow
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { originalProblems } from '../../src/files/verifyOriginals.js'
import { Store } from '../../src/storage/store.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { writingWiki } from '../http/actionApi/writingWiki.js'
import { folderOfFile } from '../support/cleanUp.js'
import { run } from '../support/command.js'
import { noise } from '../support/pictures.js'
import { startServer } from '../conformance/garden.js'

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

test('takes uploads over, and files that move, go and come back, with their contents', async () => {
  const { server, sue, ann } = await writingWiki()
  const pictures = await Promise.all([3, 4, 5, 6].map((width) => noise(width, 2).png().toBuffer()))
  const upload = (filename: string, n: number): Promise<unknown> =>
    ann.upload({ filename, ignorewarnings: '1', comment: filename }, pictures[n])
  for (const [n, name] of ['Moved.png', 'Gone.png', 'Back.png'].entries()) await upload(name, n)
  const mirror = join(folderOfFile(), 'mirror of files')
  const upstream = `http://127.0.0.1:${server.port}/api.php`
  const flags = ['--files', 'contents', '--contact', 'test@wiki.example', '--once']
  await follow(mirror, '--upstream', upstream, ...flags)
  await ann.do('move', { from: 'File:Moved.png', to: 'File:Elsewhere.png' })
  await sue.do('delete', { title: 'File:Gone.png' })
  await sue.do('delete', { title: 'File:Back.png' })
  await upload('New.png', 3)
  await follow(mirror, ...flags)
  await sue.do('undelete', { title: 'File:Back.png' })
  await upload('New.png', 0)
  await follow(mirror, ...flags)
  expect(await follow(mirror, '--check', '--files', 'contents')).toMatch(/^0 differences\n/)
  const copy = Store.open(mirror)
  try {
    const files = Array.from(copy.listFiles(), ({ dbkey, facts: { sha256 } }) => [dbkey, sha256])
    const hashes = pictures.map((bytes) => hash('sha256', bytes))
    expect(files.filter(([, sha256]) => sha256 !== null)).toEqual([
      ['Back.png', hashes[2]],
      ['Elsewhere.png', hashes[0]],
      ['New.png', hashes[0]],
    ])
    expect(copy.findFile('Moved.png')).toMatchObject({ dbkey: 'Elsewhere.png' })
    expect(verifyStore(copy).problems).toEqual([])
    for await (const problem of originalProblems(mirror, copy, { hashes: true })) expect(problem).toBe('')
  } finally {
    await copy.close()
  }
})

test('is fresh by the stream of the wiki alone, also behind another mirror', async () => {
  const { server, ann } = await writingWiki()
  const contact = ['--contact', 'test@wiki.example']
  const addressOf = (port: number): string[] => [
    '--upstream',
    `http://127.0.0.1:${port}/api.php`,
    '--stream',
    `http://127.0.0.1:${port}/v2/stream/recentchange`,
    // Without the stream, nothing would come in this test.
    ...['--interval', '3600s'],
  ]
  const first = join(folderOfFile(), 'first mirror')
  const second = join(folderOfFile(), 'second mirror')
  await follow(first, ...addressOf(server.port).slice(0, 2), ...contact, '--once')
  const firstServer = await startServer(first)
  const running = [run('follow', '--data-dir', first, ...addressOf(server.port), ...contact)]
  await follow(second, ...addressOf(firstServer.port).slice(0, 2), ...contact, '--once')
  const secondServer = await startServer(second)
  running.push(run('follow', '--data-dir', second, ...addressOf(firstServer.port), ...contact))
  try {
    const sees = async (port: number, title: string): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${port}/v1/page/${title}/bare`)).status === 200
    // Both streams are open once a page has come through both.
    let saved = 0
    await expect
      .poll(
        async () => {
          await ann.save(`Waking ${++saved}`, 'x')
          return sees(secondServer.port, `Waking_${saved - 1}`)
        },
        { interval: 500 },
      )
      .toBe(true)
    await ann.save('Fresh', 'x')
    for (const { port } of [firstServer, secondServer])
      await expect.poll(() => sees(port, 'Fresh')).toBe(true)
  } finally {
    for (const { child } of running) child.kill('SIGTERM')
    for (const { exit } of running) await exit
  }
})
