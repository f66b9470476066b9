/** The merge of an edit conflict as a task of the real compute pool. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { compare } from '../../../src/diff/compare.js'
import { TOO_DIFFERENT } from '../../../src/diff/itemTable.js'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { TaskTimeoutError } from '../../../src/workers/hosting/poolErrors.js'
import { PATIENT } from '../../support/patience.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { page, revision, temporaryStore } from '../../support/store.js'

const BASE = 'one\ntwo\nthree\nfour\n\n'
const CURRENT = 'one\ntwo\nthree\nFOUR'

function openPool(): ComputePool {
  const { applier, dataDir } = temporaryStore()
  applier.importPages('d', [
    page(1, 'Moon', [revision(1, BASE), revision(2, CURRENT), revision(3, undefined)]),
  ])
  const pool = new ComputePool({
    wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }],
    threads: 1,
    taskTimeoutMs: Number(PATIENT.taskTimeoutMs),
    onThreadError: (error) => {
      throw error
    },
  })
  onTestFinished(() => pool.close())
  return pool
}

describe('the task mergeEdit', () => {
  test('joins an edit of the base with what the page has become', async () => {
    const merged = await openPool().run('mergeEdit', {
      baseId: 1,
      currentId: 2,
      mine: 'ONE\ntwo\nthree\nfour',
      mayMerge: true,
    })
    expect(merged).toEqual({ clean: true, text: 'ONE\ntwo\nthree\nFOUR\n' })
  })

  test('tells what each side changed when they cannot be joined', async () => {
    const mine = 'one\ntwo\nthree\nvier — 四\n'
    const merged = await openPool().run('mergeEdit', { baseId: 1, currentId: 2, mine, mayMerge: true })
    if (merged?.clean !== false) throw new Error('expected a conflict')
    expect(Buffer.from(merged.local).toString()).toBe(`{"diff":${compare(BASE, mine).toString()}}`)
    expect(Buffer.from(merged.remote).toString()).toBe(`{"diff":${compare(BASE, CURRENT).toString()}}`)
    expect([merged.local.buffer.byteLength, merged.remote.buffer.byteLength]).toEqual([
      merged.local.length,
      merged.remote.length,
    ])
  })

  test('joins nothing where it may not, as for a base of another page', async () => {
    const input = { baseId: 1, currentId: 2, mine: BASE, mayMerge: false }
    const merged = await openPool().run('mergeEdit', input)
    if (merged?.clean !== false) throw new Error('expected a conflict')
    expect(Buffer.from(merged.local).toString()).toBe('{"diff":[]}')
  })

  test('ends as one that takes too long when the comparisons would', async () => {
    const mine = 'a\n'.repeat(2e6)
    const merge = openPool().run('mergeEdit', { baseId: 1, currentId: 2, mine, mayMerge: false })
    const error: unknown = await merge.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TaskTimeoutError)
    expect(error).toMatchObject({ message: TOO_DIFFERENT, isOverrun: true })
  })

  test.each([
    ['the text of the base is hidden', 3, 2],
    ['the current revision is gone', 1, 4],
  ])('gives nothing when %s', async (_case, baseId, currentId) => {
    expect(
      await openPool().run('mergeEdit', { baseId, currentId, mine: 'x', mayMerge: true }),
    ).toBeUndefined()
  })
})
