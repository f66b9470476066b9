/** Backups of a store that is being written and read. */
// @module-tag slow
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { backUp, BackupError, ContentsCopy } from '../../src/cli/backup/backUp.js'
import { originalPath } from '../../src/files/originals.js'
import { listFiles } from '../../src/storage/pages/files.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { run, runCommand, runHosted } from '../support/command.js'
import { openFolder, problems, source, temporaryFolder, temporaryStore } from '../support/store.js'

const entry = (n: number) =>
  ({
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
  }) as const

const PAGE_BYTES = 4096

/** Nothing to warn of. */
const TOLD = { tell: () => undefined, warn: (line: string): never => expect.fail(line) }

describe('a backup', () => {
  test('makes the folders above it', () => {
    const { store, applier, dataDir } = temporaryStore()
    applier.submit(entry(1))
    const target = join(temporaryFolder(), 'by/month/monday')
    expect(runHosted(['backup', '--data-dir', dataDir, target])).toMatchObject({ status: 0 })
    expect(digestStore(openFolder(target))).toBe(digestStore(store))
  })

  test('of a damaged store blames the store, not the place of the copy', async () => {
    const { store, applier, dataDir } = temporaryStore()
    for (let n = 1; n <= 300; n++) applier.submit(entry(n))
    await store.close()
    const file = join(dataDir, 'store/data.mdb')
    const bytes = readFileSync(file)
    // The store opens without its leaves, but cannot be copied whole.
    let blamed = 0
    for (let page = 2; page < bytes.length / PAGE_BYTES && blamed === 0; page += 3) {
      const damaged = Buffer.from(bytes).fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
      writeFileSync(file, damaged)
      const { status, err } = runCommand(['backup', '--data-dir', dataDir, join(temporaryFolder(), 'copy')])
      expect(err).not.toMatch(/cannot copy the store into|copy\.unfinished/)
      if (status === 1 && err.includes(`the store in ${dataDir} is damaged, and cannot be copied`)) blamed++
    }
    expect(blamed).toBe(1)
  })

  test('has the state of the store, its log and its id', () => {
    const { store, applier, dataDir } = temporaryStore()
    for (let n = 1; n <= 20; n++) applier.submit(entry(n))
    const target = join(temporaryFolder(), 'copy')
    const { status, out } = runHosted(['backup', '--data-dir', dataDir, target])
    expect(status).toBe(0)
    expect(out).toMatch(/\/copy: \d+\.\d MB\n$/)
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
        for (let batch = 0; batch < 20; batch++) applier.submit(entry(++made))
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
    await backUp(closedCopyOf(dataDir), target, TOLD)
    expect(readdirSync(target)).toEqual(['store'])
  })

  test.each([
    ['a folder with something in it', 'full', 'is not an empty folder'],
    ['a file', 'full/file', 'is not an empty folder'],
  ])('does not go into %s', async (_case, place, message) => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full/file'), '')
    const { dataDir } = temporaryStore()
    const attempt = backUp(dataDir, join(folder, place), TOLD)
    await expect(attempt).rejects.toThrow(BackupError)
    await expect(attempt).rejects.toThrow(message)
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(['full', 'full/file'])
  })

  test('leaves nothing where there is no wiki', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'data'))
    const { status, err } = runHosted(['backup', '--data-dir', join(folder, 'data'), join(folder, 'copy')])
    expect(status).toBe(1)
    expect(err).toMatch(/^palimpsest: there is no wiki in /)
    expect(existsSync(join(folder, 'copy'))).toBe(false)
  })
})

describe('a backup of files that come and go', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const drawing = (n: number): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n + 10}" height="9"><rect width="5" height="5"/></svg>`

  /** Puts a drawing into the wiki of a folder, by the command. */
  const put = (dataDir: string, n: number): void => {
    const path = join(temporaryFolder(), `Drawing_${n}.svg`)
    writeFileSync(path, drawing(n))
    expect(runHosted(['files', 'import', '--data-dir', dataDir, path])).toMatchObject({ status: 0 })
  }
  const remove = (dataDir: string, n: number): void => {
    expect(runHosted(['files', 'remove', '--data-dir', dataDir, `Drawing_${n}.svg`])).toMatchObject({
      status: 0,
    })
  }

  /** A wiki with three drawings. */
  const wiki = async (): Promise<string> => {
    const dataDir = temporaryFolder()
    await openFolder(dataDir, { create: true }).close()
    for (const n of [1, 2, 3]) put(dataDir, n)
    return dataDir
  }

  /** Does something before and after the store is copied, each time. */
  const aroundStoreCopies = (before: () => void, after: () => void) => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called on its store below
    const backup = Store.prototype.backup
    return vi.spyOn(Store.prototype, 'backup').mockImplementation(async function (this: Store, target) {
      before()
      await backup.call(this, target)
      after()
    })
  }
  const nothing = (): void => undefined

  /** Names of the files in a backup, each with its contents, and no contents beside them. */
  const soundFiles = (target: string): string[] => {
    expect(runHosted(['verify', '--data-dir', target, '--files'])).toMatchObject({ status: 0 })
    const files = [...listFiles(openFolder(target).tables)]
    const contents = readdirSync(join(target, 'files'), { recursive: true, withFileTypes: true })
    const found = contents.filter((entry) => entry.isFile()).map(({ name }) => name)
    expect(found.toSorted()).toEqual(files.map(({ facts }) => facts.sha256).toSorted())
    return files.map(({ dbkey }) => dbkey)
  }

  test('has contents of files that are taken out when the store has been copied', async () => {
    const dataDir = await wiki()
    const target = join(temporaryFolder(), 'copy')
    aroundStoreCopies(nothing, () => remove(dataDir, 2))
    await backUp(dataDir, target, TOLD)
    expect(soundFiles(target)).toEqual(['Drawing_1.svg', 'Drawing_2.svg', 'Drawing_3.svg'])
  })

  test('has neither rows nor contents of files that are taken out before', async () => {
    const dataDir = await wiki()
    const target = join(temporaryFolder(), 'copy')
    aroundStoreCopies(() => remove(dataDir, 2), nothing)
    await backUp(dataDir, target, TOLD)
    expect(soundFiles(target)).toEqual(['Drawing_1.svg', 'Drawing_3.svg'])
  })

  test('bears that files are taken out while contents are copied', async () => {
    const dataDir = await wiki()
    const target = join(temporaryFolder(), 'copy')
    // oxlint-disable-next-line typescript/unbound-method -- it is called on its copy below
    const add = ContentsCopy.prototype.add
    vi.spyOn(ContentsCopy.prototype, 'add').mockImplementationOnce(function (this: ContentsCopy, wanted) {
      remove(dataDir, 1)
      return add.call(this, wanted)
    })
    await backUp(dataDir, target, TOLD)
    expect(soundFiles(target)).toEqual(['Drawing_2.svg', 'Drawing_3.svg'])
  })

  test('is made again where a file came and went around the copy of the store', async () => {
    const dataDir = await wiki()
    const target = join(temporaryFolder(), 'copy')
    let copies = 0
    const spy = aroundStoreCopies(
      () => (++copies === 1 ? put(dataDir, 4) : nothing()),
      () => (copies === 1 ? remove(dataDir, 4) : nothing()),
    )
    await backUp(dataDir, target, TOLD)
    expect(spy).toHaveBeenCalledTimes(2)
    expect(soundFiles(target)).toEqual(['Drawing_1.svg', 'Drawing_2.svg', 'Drawing_3.svg'])
  })

  test('gives up where files come and go again and again, and leaves nothing', async () => {
    const dataDir = await wiki()
    const folder = temporaryFolder()
    let copies = 3
    aroundStoreCopies(
      () => put(dataDir, ++copies),
      () => remove(dataDir, copies),
    )
    const attempt = backUp(dataDir, join(folder, 'copy'), TOLD)
    await expect(attempt).rejects.toThrow(BackupError)
    expect(readdirSync(folder)).toEqual([])
  })

  test('is made where contents are missing anyway, and says which', async () => {
    const dataDir = await wiki()
    const target = join(temporaryFolder(), 'copy')
    const path = originalPath(dataDir, createHash('sha256').update(drawing(2)).digest('hex'))
    rmSync(path)
    const warnings: string[] = []
    await backUp(dataDir, target, { ...TOLD, warn: (line) => warnings.push(line) })
    expect(warnings).toEqual([`the wiki lacks the contents of a file: ${path}`])
    expect(existsSync(target)).toBe(true)
  })
})

/** Counts pages up to the first gap. */
function countPages(store: Store): { pages: number } {
  let pages = 0
  while (source(store, `Page_${pages + 1}`) !== undefined) pages++
  return { pages }
}

/** LMDB does not bear the same store twice in one process: a copy of it. */
function closedCopyOf(dataDir: string): string {
  const copy = join(temporaryFolder(), 'copy')
  expect(runHosted(['backup', '--data-dir', dataDir, copy])).toMatchObject({ status: 0 })
  return copy
}
