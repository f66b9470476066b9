import { describe, expect, onTestFinished, test } from 'vitest'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { OpenWikis } from '../../../src/workers/hosting/openWikis.js'
import { PATIENT } from '../../support/patience.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { openFolder, page, revision, temporaryFolder, temporaryStore } from '../../support/store.js'

const folders = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const { applier, dataDir } = temporaryStore()
    applier.importPages('made for a test', [page(1, 'Moon', [revision(1, `text ${n}`)])])
    return dataDir
  })

const openAll = (dirs: readonly string[], maxOpen: number) =>
  new OpenWikis(
    dirs.map((dataDir) => ({ dataDir })),
    ({ dataDir }) => ({ store: openFolder(dataDir) }),
    maxOpen,
  )

describe('the wikis of a thread', () => {
  test('are opened when they are needed; the one unused for longest closes', () => {
    const wikis = openAll(folders(4), 2)
    expect(wikis.size).toBe(1)
    const first = wikis.get(0)
    expect(wikis.get(1).store.getText(1)).toBe('text 1')
    expect(wikis.get(0)).toBe(first)
    expect(wikis.get(2).store.getText(1)).toBe('text 2')
    expect([wikis.size, wikis.get(0)]).toEqual([2, first])
    expect(wikis.get(3).store.getText(1)).toBe('text 3')
    expect(wikis.get(1).store.getText(1)).toBe('text 1')
    expect(wikis.size).toBe(2)
  })

  test('begin with one that can be opened', () => {
    const [good] = folders(1)
    expect(openAll([temporaryFolder(), good!], 2).first().store.getText(1)).toBe('text 0')
    expect(() => openAll([temporaryFolder()], 2)).toThrow()
  })
})

test('threads answer for more wikis than they have open', { tags: ['slow'] }, async () => {
  const dirs = folders(10)
  const pool = new ComputePool({
    wikis: dirs.map((dataDir) => ({ dataDir, renderSettings: RENDER_SETTINGS })),
    threads: 2,
    taskTimeoutMs: Number(PATIENT.taskTimeoutMs),
    onThreadError: (error) => {
      throw error
    },
  })
  onTestFinished(() => pool.close())
  for (let round = 0; round < 3; round++) {
    const texts = await Promise.all(
      dirs.map((_dir, n) => pool.of(n).run('revisionSource', { revisionId: 1 })),
    )
    expect(texts.map((bytes) => Buffer.from(bytes!).toString())).toEqual(dirs.map((_dir, n) => `"text ${n}"`))
  }
})
