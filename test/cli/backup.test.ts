/** Backups of a store that is being written and read. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backUp, BackupError } from '../../src/cli/backup.js'
import { encodeEntry } from '../../src/storage/entries.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { run } from '../support/command.js'
import { openFolder, problems, source, temporaryFolder, temporaryStore } from '../support/store.js'

const entry = (n: number) =>
  encodeEntry({
    kind: 'create',
    id: n.toString(16).padStart(32, '0'),
    time: 1_800_000_000 + n,
    editor: { id: 1, name: 'Ann' },
    comment: '',
    minor: false,
    contentModel: 'wikitext',
    namespace: 0,
    dbkey: `Page_${n}`,
    text: `text of page ${n} `.repeat(50),
  })

describe('a backup', () => {
  test('has the state of the store, its log and its id', async () => {
    const { store, applier, dataDir } = temporaryStore()
    for (let n = 1; n <= 20; n++) applier.apply(entry(n))
    const target = join(temporaryFolder(), 'copy')
    const { exit, output } = run('backup', '--data-dir', dataDir, target)
    expect(await exit).toBe(0)
    expect(output.stdout).toMatch(/\/copy: \d+\.\d MB\n$/)
    const copy = openFolder(target)
    expect(problems(copy)).toEqual([])
    expect(digestStore(copy)).toBe(digestStore(store))
    expect(copy.storeId).toBe(store.storeId)
  })

  test('is of one moment, while pages are being made', async () => {
    const { store, applier, dataDir } = temporaryStore()
    const folder = temporaryFolder()
    let made = 0
    const copies: Promise<number | null>[] = []
    for (let n = 0; n < 3; n++) {
      const backup = run('backup', '--data-dir', dataDir, join(folder, String(n)))
      copies.push(backup.exit)
      let isOver = false
      void backup.exit.then(() => (isOver = true))
      while (!isOver) {
        for (let batch = 0; batch < 20; batch++) applier.apply(entry(++made))
        await new Promise(setImmediate)
      }
    }
    expect(await Promise.all(copies)).toEqual([0, 0, 0])
    for (let n = 0; n < 3; n++) {
      const copy = Store.open(join(folder, String(n)))
      expect(problems(copy)).toEqual([])
      // Pages were made one after the other: those that are there are the first ones.
      const { pages } = countPages(copy)
      expect(source(copy, `Page_${pages + 1}`)).toBeUndefined()
      expect(pages).toBeLessThanOrEqual(made)
      await copy.close()
    }
    expect(source(store, `Page_${made}`)).toBeDefined()
  })

  test('goes into an empty folder too', async () => {
    const { dataDir } = temporaryStore()
    const target = temporaryFolder()
    await backUp(await closedCopyOf(dataDir), target)
    expect(readdirSync(target)).toEqual(['store'])
  })

  test.each([
    ['a folder with something in it', 'full', 'is there already'],
    ['a file', 'full/file', 'is there already'],
    ['a folder that is nowhere', 'no/where', 'there is no folder'],
  ])('does not go into %s', async (_case, place, message) => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full/file'), '')
    const { dataDir } = temporaryStore()
    const attempt = backUp(dataDir, join(folder, place))
    await expect(attempt).rejects.toThrow(BackupError)
    await expect(attempt).rejects.toThrow(message)
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(['full', 'full/file'])
  })

  test('leaves nothing where there is no wiki', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'data'))
    const { exit, output } = run('backup', '--data-dir', join(folder, 'data'), join(folder, 'copy'))
    expect(await exit).toBe(1)
    expect(output.stderr).toMatch(/^palimpsest: there is no wiki in /)
    expect(existsSync(join(folder, 'copy'))).toBe(false)
  })
})

/** How many pages are there, from the first without a gap. */
function countPages(store: Store): { pages: number } {
  let pages = 0
  while (source(store, `Page_${pages + 1}`) !== undefined) pages++
  return { pages }
}

/** LMDB does not bear the same store twice in one process: a copy of it. */
async function closedCopyOf(dataDir: string): Promise<string> {
  const copy = join(temporaryFolder(), 'copy')
  expect(await run('backup', '--data-dir', dataDir, copy).exit).toBe(0)
  return copy
}
