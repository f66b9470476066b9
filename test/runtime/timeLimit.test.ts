import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { limitTime } from '../../src/runtime/timeLimit.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a time limit ends also after the garbage was collected', async () => {
  const { signal } = limitTime(50, new AbortController().signal)
  const ended = once(signal, 'abort')
  // What only this stack refers to is not garbage yet.
  await new Promise(setImmediate)
  collectGarbage()
  await ended
  expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'not done within 50 ms' })
})

test('work under a time limit ends with its own signal, too', () => {
  const own = new AbortController()
  const { signal, end } = limitTime(1_000_000, own.signal)
  own.abort('closed')
  expect(signal.reason).toBe('closed')
  end()
})
