import { describe, expect, onTestFinished, test } from 'vitest'
import { PoolFullError } from '../../src/workers/pool.js'
import { WriteError, Writer } from '../../src/workers/writer.js'
import type { CreateEntry, Entry, Verdict } from '../../src/storage/entries.js'
import { openFolder, problems, source, START, temporaryFolder } from '../support/store.js'

let entries = 0

function creation(dbkey: string, parts: Partial<CreateEntry> = {}): CreateEntry {
  return {
    kind: 'create',
    id: (++entries).toString(16).padStart(32, '0'),
    time: START,
    editor: { id: 1, name: 'Ann' },
    comment: '',
    minor: false,
    contentModel: 'wikitext',
    namespace: 0,
    dbkey,
    text: `text of ${dbkey}`,
    ...parts,
  }
}

async function openWriter() {
  const dataDir = temporaryFolder()
  const store = openFolder(dataDir, { create: true })
  const errors: Error[] = []
  const writer = new Writer({ dataDir, onThreadError: (error) => errors.push(error) })
  onTestFinished(() => writer.close())
  // The thread is there when the first entry has been written.
  await writer.write(creation('First'))
  return { writer, store, errors }
}

describe('the writer', () => {
  test('writes entries in the order in which they were handed over', async () => {
    const { writer, store } = await openWriter()
    const verdicts = await Promise.all(
      Array.from({ length: 500 }, (_, n) => writer.write(creation(`Page_${n}`))),
    )
    expect(verdicts.map((verdict) => (verdict as Extract<Verdict, { result: 'saved' }>).pageId)).toEqual(
      Array.from({ length: 500 }, (_, n) => n + 2),
    )
    store.refresh()
    expect(source(store, 'Page_499')).toBe('text of Page_499')
    expect(problems(store)).toEqual([])
  })

  test('gives the verdict when other views of the store show the change', async () => {
    const { writer, store } = await openWriter()
    for (let n = 0; n < 20; n++) {
      await writer.write(creation(`Page_${n}`))
      store.refresh()
      expect(source(store, `Page_${n}`)).toBe(`text of Page_${n}`)
    }
  })

  test('fails the entry that cannot be applied, and no other', async () => {
    const { writer, store } = await openWriter()
    const outcomes = await Promise.allSettled([
      writer.write(creation('Before')),
      writer.write(creation('Good_1')),
      writer.write(creation('Bad', { namespace: 70_000 })),
      writer.write(creation('Good_2')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    store.refresh()
    expect([source(store, 'Good_1'), source(store, 'Good_2')]).toEqual(['text of Good_1', 'text of Good_2'])
    expect(problems(store)).toEqual([])
  })

  test('turns entries away when too many wait', async () => {
    const { writer } = await openWriter()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1300 }, (_, n) => writer.write(creation(`P${n}`))),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(PoolFullError)
  })

  test('starts a new thread when one ends by itself, and fails what ended two of them', async () => {
    const { writer, store, errors } = await openWriter()
    const noEntry = undefined as unknown as Entry
    await expect(writer.write(noEntry)).rejects.toThrow('the writer thread ended with 1')
    expect(errors).toHaveLength(2)
    await expect(writer.write(creation('After'))).resolves.toMatchObject({ result: 'saved' })
    store.refresh()
    expect(source(store, 'After')).toBe('text of After')
  })

  test('saves all that was sent together with what ends a thread', async () => {
    const { writer, store, errors } = await openWriter()
    const noEntry = undefined as unknown as Entry
    const many = (from: number) =>
      Array.from({ length: 20 }, (_, n) => writer.write(creation(`Page_${from + n}`)))
    const [before, bad, after] = [many(0), writer.write(noEntry), many(20)]
    await expect(bad).rejects.toBeInstanceOf(WriteError)
    const verdicts = await Promise.all([...before, ...after])
    expect(verdicts.every(({ result }) => result === 'saved')).toBe(true)
    expect(errors).toHaveLength(2)
    store.refresh()
    for (let n = 0; n < 40; n++) expect(source(store, `Page_${n}`)).toBe(`text of Page_${n}`)
    expect(problems(store)).toEqual([])
  })

  test('writes what waits before it closes, and nothing after', async () => {
    const { writer, store } = await openWriter()
    const pending = Array.from({ length: 50 }, (_, n) => writer.write(creation(`Page_${n}`)))
    await writer.close()
    expect((await Promise.all(pending)).every(({ result }) => result === 'saved')).toBe(true)
    await expect(writer.write(creation('Late'))).rejects.toBeInstanceOf(WriteError)
    store.refresh()
    expect(source(store, 'Page_49')).toBe('text of Page_49')
  })
})
