/** Stores that releases have made open in this version: test/fixtures/releases/make.mjs makes them. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startServer } from '../conformance/garden.js'
import { FormReader } from '../conformance/formReader.js'
import { folderOfFile } from '../support/cleanUp.js'
import { openFolder, problems } from '../support/store.js'

const FOLDER = join(import.meta.dirname, '../fixtures/releases')
const RELEASES = readdirSync(FOLDER).filter((name) => name.endsWith('.tar.gz'))

function unpacked(release: string): string {
  const folder = folderOfFile()
  execFileSync('tar', ['-xzf', join(FOLDER, release), '-C', folder])
  return folder
}

test('there is a store of the first release', () => {
  expect(RELEASES).toContain('0.3.0.tar.gz')
})

describe.each(RELEASES)('the store of %s', (release) => {
  test('has no problem', () => {
    expect(problems(openFolder(unpacked(release)))).toEqual([])
  })

  test('answers as it did, and takes edits', async () => {
    const server = await startServer(unpacked(release), { anonymousEdits: true })
    const bodyOf = async (path: string): Promise<unknown> => (await server.send(path)).body
    expect(await bodyOf('/v1/page/Made_here')).toMatchObject({ source: 'two [[Compost]] {{Note}}' })
    expect(await bodyOf('/v1/page/Made_here/history')).toMatchObject({
      revisions: [{ comment: 'by a client' }, { comment: null }],
    })
    expect(await bodyOf('/v1/search/page?q=compost')).toMatchObject({ pages: expect.anything() as unknown })
    expect((await server.send('/v1/page/Made_here/html')).bytes.toString()).toMatch(/<b[^>]*>noted<\/b>/)
    expect(await bodyOf('/v1/file/Revision_chain.png')).toMatchObject({ title: 'Revision chain.png' })
    const edit = (title: string): Promise<{ status: number }> =>
      server.send(`/v1/page/${title}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ source: 'three', comment: '', token: '+\\', latest: { id: 1 } }),
      })
    expect(await edit('Mulch')).toMatchObject({ status: 403 })
    expect(await edit('Never_seen')).toMatchObject({ status: 404 })
    const reader = new FormReader(server)
    expect(await reader.logIn('Olga', 'a long password')).toMatchObject({ status: 303 })
    const saved = await reader.edit('/wiki/Made_here', { wpTextbox1: 'three' })
    expect(saved.status).toBe(303)
    expect(await bodyOf('/v1/page/Made_here')).toMatchObject({ source: 'three' })
  })
})
