/** Commands that would change pages or files of a store that follows another wiki. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { runHosted } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { openFolder, problems, revision, temporaryFolder } from '../support/store.js'
import { Following, present } from '../support/upstream.js'

/** A folder with a store that follows a wiki with one page, a file, a dump and a table. */
async function followed() {
  const folder = temporaryFolder()
  const store = Store.open(folder, { create: true })
  new Following(store, new Applier(store)).pages(present(1, 'P', { add: [revision(1, 'a')] }))
  const digest = digestStore(store)
  await store.close()
  const write = (name: string, contents: string): string => {
    writeFileSync(join(folder, name), contents)
    return join(folder, name)
  }
  const dump = write('dump.xml', dumpXml([{ id: 7, title: 'Moon', revisions: [{ id: 9, text: 'x' }] }]))
  const noSite = write(
    'pages.xml',
    '<mediawiki version="0.11"><page><title>Q</title><ns>0</ns><id>8</id><revision><id>9</id><timestamp>2020-01-01T00:00:00Z</timestamp><text>q</text></revision></page></mediawiki>',
  )
  return {
    folder,
    digest,
    dump,
    noSite,
    picture: write('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  }
}

test('a dump or a file is refused, and changes nothing', { timeout: 120_000 }, async () => {
  const { folder, digest, dump, noSite, picture } = await followed()
  for (const [command, ...args] of [
    ['import', dump],
    ['import', noSite],
    ['files', 'import', picture],
    ['files', 'remove', 'A.png'],
  ]) {
    const { status, err } = runHosted([command!, ...args, '--data-dir', folder])
    expect({ args, status, err }).toMatchObject({ status: 1 })
    expect(err).toContain(
      'the store follows https://wiki.example/api.php, which alone changes its pages and files',
    )
  }
  const store = openFolder(folder)
  expect(digestStore(store)).toBe(digest)
  expect(problems(store)).toEqual([])
})
