import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PoolFullError } from '../../../src/workers/hosting/poolErrors.js'
import { WriteError, Writer } from '../../../src/workers/writer/writer.js'
import { mayBeLockedElsewhere } from '../../../src/storage/writeLock.js'
import type { CreateEntry, Entry, Verdict } from '../../../src/storage/entries/entries.js'
import { PATIENT } from '../../support/patience.js'
import { openFolder, problems, source, START, temporaryFolder } from '../../support/store.js'

const LETHAL_ID = 'f'.repeat(32)

/** Has a thread end by itself whenever it is handed the entry of LETHAL_ID: it gets a message that it cannot read. */
function endThreadsByEntry(): void {
  const postMessage = Reflect.get(Worker.prototype, 'postMessage') as (this: Worker, message: unknown) => void
  const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    message: unknown,
  ) {
    const { entries: sent = [] } = message as { readonly entries?: readonly Entry[] }
    postMessage.call(this, sent.some(({ id }) => id === LETHAL_ID) ? null : message)
  })
  onTestFinished(() => spy.mockRestore())
}

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

/** A writer, and when its threads ended by themselves. */
function startWriter(dataDir: string): { writer: Writer; errors: Error[]; endedMs: number[] } {
  const errors: Error[] = []
  const endedMs: number[] = []
  const onThreadError = (error: Error): void => {
    errors.push(error)
    endedMs.push(performance.now())
  }
  const onDropFailure = (error: Error): void => void errors.push(error)
  const writer = new Writer({
    dataDir,
    timeoutMs: Number(PATIENT.writeTimeoutMs),
    isLockedElsewhere: () => mayBeLockedElsewhere(join(dataDir, 'store')),
    onStuck: () => undefined,
    onThreadError,
    onDropFailure,
    onEraseFailure: onDropFailure,
  })
  onTestFinished(() => writer.close())
  return { writer, errors, endedMs }
}

async function openWriter() {
  const dataDir = temporaryFolder()
  const store = openFolder(dataDir, { create: true })
  const { writer, errors } = startWriter(dataDir)
  // The thread is there when the first entry has been written.
  await writer.write(creation('First'))
  return { writer, store, errors }
}

/** Of one figure of the writer. */
function valueOf(writer: Writer, name: string, metricName = name): number | undefined {
  const figure = writer.figures().find((one) => one.name === name)
  return figure?.values.find((one) => (one.metricName ?? name) === metricName)?.value
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
    const key = [1, START, 1] as const
    const row = store.tables.history.getBinary(key)!
    store.transact(() => store.tables.history.removeSync(key))
    const { namespace: _namespace, dbkey: _dbkey, ...content } = creation('')
    const outcomes = await Promise.allSettled([
      writer.write(creation('Before')),
      writer.write(creation('Good_1')),
      writer.write({ ...content, kind: 'edit', pageId: 1, baseRevisionId: 1 }),
      writer.write(creation('Good_2')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    store.transact(() => store.tables.history.putSync(key, row))
    store.refresh()
    expect([source(store, 'Good_1'), source(store, 'Good_2')]).toEqual(['text of Good_1', 'text of Good_2'])
    expect(problems(store)).toEqual([])
  })

  test('gives an entry with malformed fields the verdict that it is invalid', async () => {
    const { writer } = await openWriter()
    const reason = 'namespace is missing or malformed'
    await expect(writer.write(creation('Bad', { namespace: 70_000 }))).resolves.toEqual({
      result: 'invalid',
      reason,
    })
  })

  test('turns entries away when too many wait', { tags: ['hostile'] }, async () => {
    const { writer } = await openWriter()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1300 }, (_, n) => writer.write(creation(`P${n}`))),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(PoolFullError)
  })

  test(
    'turns entries away when too much text waits, and takes few long ones into a transaction',
    { tags: ['hostile'] },
    async () => {
      const { writer, store } = await openWriter()
      const text = 'a'.repeat(2 ** 21)
      const long = Array.from({ length: 20 }, (_, n) => writer.write(creation(`Long_${n}`, { text })))
      const late = writer.write(creation('Late'))
      const outcomes = await Promise.allSettled([...long, late])
      // One is in the thread at once, and 16 of them fill the queue.
      const refused = outcomes.slice(17)
      for (const outcome of outcomes.slice(0, 17)) expect(outcome.status).toBe('fulfilled')
      for (const outcome of refused)
        expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(PoolFullError)
      expect(refused).toHaveLength(4)
      // One for each, and that of `openWriter`.
      expect(
        valueOf(
          writer,
          'palimpsest_writer_transaction_seconds',
          'palimpsest_writer_transaction_seconds_count',
        ),
      ).toBe(18)
      expect(valueOf(writer, 'palimpsest_writer_shed_total')).toBe(4)
      store.refresh()
      expect(problems(store)).toEqual([])
    },
  )

  test('writes an entry that is longer than all that may wait', { tags: ['hostile'] }, async () => {
    const { writer } = await openWriter()
    const text = 'a'.repeat(33 * 2 ** 20)
    const first = writer.write(creation('First_2'))
    await expect(writer.write(creation('Long', { text }))).resolves.toMatchObject({ result: 'saved' })
    await expect(first).resolves.toMatchObject({ result: 'saved' })
  })

  test('starts a new thread when one ends by itself, and fails what ended two of them', async () => {
    const { writer, store, errors } = await openWriter()
    endThreadsByEntry()
    const lethal = writer.write(creation('Lost', { id: LETHAL_ID }))
    await expect(lethal).rejects.toThrow('the writer thread ended with 1')
    expect(errors).toHaveLength(2)
    await expect(writer.write(creation('After'))).resolves.toMatchObject({ result: 'saved' })
    store.refresh()
    expect(source(store, 'After')).toBe('text of After')
  })

  test('saves all that was sent together with what ends a thread', { tags: ['hostile'] }, async () => {
    const { writer, store, errors } = await openWriter()
    endThreadsByEntry()
    const many = (from: number) =>
      Array.from({ length: 20 }, (_, n) => writer.write(creation(`Page_${from + n}`)))
    const [before, bad, after] = [many(0), writer.write(creation('Lost', { id: LETHAL_ID })), many(20)]
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

describe('a writer whose thread cannot start', () => {
  test(
    'refuses at once, starts others at longer and longer intervals, and writes when one can',
    { tags: ['hostile'] },
    async () => {
      const dataDir = temporaryFolder()
      const { writer, endedMs } = startWriter(dataDir)
      await expect(writer.write(creation('Early'))).rejects.toBeInstanceOf(PoolFullError)
      await expect(writer.write(creation('Early'))).rejects.toBeInstanceOf(PoolFullError)
      await expect(writer.takeQueuedRenderings(1)).rejects.toBeInstanceOf(PoolFullError)
      await expect.poll(() => endedMs.length).toBe(4)
      const intervalsMs = endedMs.slice(1).map((ms, n) => ms - endedMs[n]!)
      // Timers may be a millisecond early.
      for (const [n, ms] of intervalsMs.entries()) expect(ms).toBeGreaterThan(100 * 2 ** n - 2)
      openFolder(dataDir, { create: true })
      const write = () => writer.write(creation('Late')).catch((error: unknown) => error)
      await expect.poll(write).toMatchObject({ result: 'saved' })
    },
  )

  test('closes while it waits to start another', async () => {
    const { writer, errors } = startWriter(temporaryFolder())
    await expect(writer.write(creation('Any'))).rejects.toBeInstanceOf(PoolFullError)
    await writer.close()
    expect(errors).toHaveLength(1)
  })

  test('closes with what waits for it', async () => {
    const { writer } = startWriter(temporaryFolder())
    const waiting = expect(writer.write(creation('Any'))).rejects.toBeInstanceOf(PoolFullError)
    await writer.close()
    await waiting
  })
})
