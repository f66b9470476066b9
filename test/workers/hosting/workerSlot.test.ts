import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type WorkerEnding, startProcess, startThread } from '../../../src/workers/hosting/host.js'
import { KeptWorkers } from '../../../src/workers/hosting/keptWorkers.js'
import { WorkerSlot } from '../../../src/workers/hosting/workerSlot.js'
import { afterFile, removeAfterFile } from '../../support/cleanUp.js'

/** Says that it is open, then answers: numbers with their double, `end` by ending, and nothing else at all. */
const PROGRAM = `
const answer = (say, end) => (request) => {
  if (typeof request === 'number') say(2 * request)
  else if (request === 'end') end()
}`
const THREAD = `${PROGRAM}
import { parentPort } from 'node:worker_threads'
parentPort.on('message', answer((said) => parentPort.postMessage(said), () => process.exit(3)))
parentPort.on('message', (request) => { if (request === 'throw') throw new Error('no more') })
parentPort.postMessage('open')`
const PROCESS = `${PROGRAM}
process.on('message', answer((said) => process.send(said), () => process.exit(3)))
process.send('open')`

type Slot = WorkerSlot<unknown, number>

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-slots-'))
removeAfterFile(folder)
const fileOf = (name: string, program: string): string => {
  const file = join(folder, name)
  writeFileSync(file, program)
  return file
}
const threadFile = fileOf('thread.mjs', THREAD)
const processFile = fileOf('process.mjs', PROCESS)

interface Started {
  readonly slot: Slot
  readonly ended: Promise<{ readonly ending: WorkerEnding; readonly byItself: boolean }>
}

function start(
  kind: 'thread' | 'process',
  execPath = process.execPath,
  onEnd: () => void = () => undefined,
): Started {
  let tell: (told: Awaited<Started['ended']>) => void
  const ended: Started['ended'] = new Promise((resolve) => (tell = resolve))
  const slot: Slot = new WorkerSlot(
    (events) =>
      kind === 'thread'
        ? startThread(threadFile, {}, events)
        : startProcess(processFile, [], { execPath }, events),
    {
      takesMessage: (message) => message === 'open',
      failureOf: ({ code, error }) => error ?? new Error(`ended with ${code}`),
      onEnd: (ending, byItself) => {
        tell({ ending, byItself })
        onEnd()
      },
    },
  )
  afterFile(() => slot.end())
  return { slot, ended }
}

describe.each(['thread', 'process'] as const)('a %s', (kind) => {
  test('answers one request after another', async () => {
    const { slot } = start(kind)
    expect(await slot.ask(1)).toBe(2)
    expect(await slot.ask(21)).toBe(42)
    expect(slot.hasEnded).toBe(false)
  })

  test('that ends by itself fails what it was asked, and what it is asked afterwards', async () => {
    const { slot, ended } = start(kind)
    await expect(slot.ask('end')).rejects.toThrow('ended with 3')
    expect(await ended).toMatchObject({ ending: { code: 3 }, byItself: true })
    await expect(slot.ask(1)).rejects.toThrow('ended with 3')
    expect(slot.hasEnded).toBe(true)
  })

  test('that is given up ends, and its request fails with the reason', async () => {
    const { slot, ended } = start(kind)
    const answer = slot.ask('nothing')
    slot.giveUp(new Error('too long'))
    await expect(answer).rejects.toThrow('too long')
    expect(await ended).toMatchObject({ byItself: false })
  })

  test('that is ended fails what it has', async () => {
    const { slot } = start(kind)
    const answer = slot.ask('nothing')
    await Promise.all([expect(answer).rejects.toThrow('ended with'), slot.end()])
  })
})

test('a thread is not ended before it has said that it is open', async () => {
  const events: unknown[] = []
  let end: Promise<unknown> | undefined
  await new Promise<void>((resolve) => {
    const onEnd = (): void => {
      events.push('ended')
      resolve()
    }
    end = startThread(threadFile, {}, { onMessage: (message) => events.push(message), onEnd }).end()
  })
  await end
  expect(events).toEqual(['open', 'ended'])
})

test('a thread that throws fails its request with what it threw', async () => {
  const { slot } = start('thread')
  await expect(slot.ask('throw')).rejects.toThrow('no more')
})

test('a process that cannot be started fails its request', async () => {
  const { slot, ended } = start('process', join(folder, 'no-such-program'))
  await expect(slot.ask(1)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await ended).toMatchObject({ ending: { code: null }, byItself: true })
})

describe('workers that are kept', () => {
  const openKept = (): KeptWorkers<Slot> => {
    const kept = new KeptWorkers<Slot>((onEnd) => start('thread', undefined, onEnd).slot)
    afterFile(() => kept.endAll())
    return kept
  }

  test('are used again, and others are started when all are busy', async () => {
    const kept = openKept()
    const first = kept.take()
    const second = kept.take()
    expect(second).not.toBe(first)
    expect(kept.size).toBe(2)
    kept.giveBack(first)
    expect(kept.take()).toBe(first)
    expect(await first.ask(2)).toBe(4)
  })

  test('are forgotten when they end, idle or not', async () => {
    const kept = openKept()
    kept.warm(2)
    expect(kept.size).toBe(2)
    const busy = kept.take()
    await expect(busy.ask('end')).rejects.toThrow()
    kept.giveBack(busy)
    expect(kept.size).toBe(1)
    const idle = kept.take()
    expect(idle).not.toBe(busy)
    kept.giveBack(idle)
    await expect(idle.ask('end')).rejects.toThrow()
    expect(kept.size).toBe(0)
    expect(kept.take()).not.toBe(idle)
  })
})
