import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

/** A thread whose jobs never end, end after a while, or end at once. */
const THREAD = `
  import { parentPort } from 'node:worker_threads'
  import { StallWatch } from '${new URL('../../../dist/.test/modules.js', import.meta.url).href}'
  const jobs = {
    never: () => new Promise(() => {}),
    'never, after a while': async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await new Promise(() => {})
    },
    later: () => new Promise((resolve) => setTimeout(resolve, 50, 'done')),
    'in steps': async () => {
      for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve))
      return 'done'
    },
    fails: () => Promise.reject(new Error('broken')),
  }
  const watch = new StallWatch(parentPort)
  parentPort.on('message', (name) => {
    watch.run(jobs[name]).then((outcome) => parentPort.postMessage(outcome), (error) => parentPort.postMessage(error.name))
  })`

test('work that can never end is told from work that waits, and the thread goes on', async () => {
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`))
  const outcomes: [job: string, outcome: unknown][] = []
  for (const job of ['later', 'never', 'in steps', 'never, after a while', 'fails', 'never', 'later']) {
    const outcome = new Promise((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('exit', () => reject(new Error('the thread has ended')))
    })
    thread.postMessage(job)
    outcomes.push([job, await outcome])
  }
  await thread.terminate()
  expect(outcomes).toEqual([
    ['later', 'done'],
    ['never', 'StalledError'],
    ['in steps', 'done'],
    ['never, after a while', 'StalledError'],
    ['fails', 'Error'],
    ['never', 'StalledError'],
    ['later', 'done'],
  ])
})
