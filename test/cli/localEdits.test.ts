/** A mirror that is edited as well: what was made here survives the next dump, and the command says what did not fit. */
// @module-tag slow
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create, pageOf, update } from '../conformance/editing.js'
import { startServer } from '../conformance/garden.js'
import { type CommandResult, runHosted } from '../support/command.js'
import { dumpXml, type DumpPage } from '../support/dump.js'
import { temporaryFolder } from '../support/store.js'

const FIRST: DumpPage = { id: 1, title: 'First', revisions: [{ id: 1, text: 'a' }] }
const SECOND = [
  { id: 2, text: 'b' },
  { id: 3, text: 'b b', parentId: 2 },
]

const command = (...parts: string[]): CommandResult => runHosted(parts)

test('pages and edits made here stay when a newer dump has others under their ids', async () => {
  const folder = temporaryFolder()
  const write = (name: string, pages: readonly DumpPage[]): string => {
    writeFileSync(join(folder, name), dumpXml(pages))
    return join(folder, name)
  }
  const old = write('old.xml', [FIRST, { id: 2, title: 'Second', revisions: SECOND }])
  expect(command('import', '--data-dir', folder, old)).toMatchObject({ status: 0 })
  const server = await startServer(folder, { anonymousEdits: true })
  expect(pageOf(await create(server, 'My local notes', 'precious local text'))).toMatchObject({ id: 3 })
  expect(pageOf(await update(server, 'Second', 'b b, local', 3))).toMatchObject({ latest: { id: 5 } })

  const upstream = { id: 3, title: 'Upstream new', revisions: [{ id: 4, text: 'upstream text' }] }
  const second = {
    id: 2,
    title: 'Second',
    revisions: [...SECOND, { id: 5, text: 'b b, upstream', parentId: 3 }],
  }
  const newer = write('newer.xml', [FIRST, second, upstream])
  const { status, out, err } = command('import', '--data-dir', folder, newer)
  expect(err).toContain(
    'page "Second": revision 5 is left out: the store has an edit made here under this id',
  )
  expect(err).toContain(
    'page "Upstream new": the page is left out: its id 3 is that of "My local notes", which was created here',
  )
  expect(out).toMatch(/0 pages and 0 revisions added, 1 pages left out, 1 revisions left out, 2 warnings/)
  expect(status).toBe(1)

  const source = async (title: string): Promise<unknown> =>
    pageOf(await server.send(`/v1/page/${title}`)).source
  expect(await source('My_local_notes')).toBe('precious local text')
  expect(await source('Second')).toBe('b b, local')
  expect((await server.send('/v1/page/Upstream_new')).status).toBe(404)
  expect(command('verify', '--data-dir', folder)).toMatchObject({ status: 0 })
})

test('a first dump whose namespaces make a title another one is refused before anything is written', async () => {
  const folder = temporaryFolder()
  const server = await startServer(folder, { anonymousEdits: true })
  expect(pageOf(await create(server, 'Help:Mine', 'local help'))).toMatchObject({ key: 'Help:Mine' })
  // The dump of this test declares no namespace 12.
  writeFileSync(join(folder, 'first.xml'), dumpXml([{ ...FIRST, id: 9 }]))
  const { status, err } = command('import', '--data-dir', folder, join(folder, 'first.xml'))
  expect(err).toMatch(
    /palimpsest: first\.xml: the store has a page "Help:Mine", which cannot be found .*: give another --data-dir; 0 pages/,
  )
  expect(status).toBe(1)
  expect(command('verify', '--data-dir', folder)).toMatchObject({ status: 0 })
})

test('a first dump renames the namespaces of pages that are there', async () => {
  const folder = temporaryFolder()
  const server = await startServer(folder, { anonymousEdits: true })
  await create(server, 'Project:Mine', 'local project page')
  const named = dumpXml([{ ...FIRST, id: 9, revisions: [{ id: 9, text: 'a' }] }])
  writeFileSync(join(folder, 'first.xml'), named.replace('>Project<', '>Wikipedia<'))
  expect(command('import', '--data-dir', folder, join(folder, 'first.xml'))).toMatchObject({
    status: 0,
  })
  expect(pageOf(await server.send('/v1/page/Project:Mine')).title).toBe('Wikipedia:Mine')
  expect(command('verify', '--data-dir', folder)).toMatchObject({ status: 0 })
})
