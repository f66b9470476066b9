/** What Node does with limits of the heap that the server relies on: see supervisor/main.ts. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Prints the most MB that new objects take in the main thread, then in a thread with limits of its own. */
const PROGRAM = `
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
function largest() {
  const kept = []
  let most = 0
  for (let i = 0; i < 1_000_000; i++) {
    kept[i % 20_000] = { i, list: [i] }
    if (i % 50_000 === 0) {
      const { space_size } = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
      most = Math.max(most, space_size)
    }
  }
  return Math.round(most / 2 ** 20)
}
if (isMainThread) {
  if (process.argv[1] === 'take back') setFlagsFromString('--max-semi-space-size=0')
  const here = largest()
  const thread = new Worker(process.env.PROGRAM, {
    eval: true, execArgv: ['--input-type=module'], resourceLimits: { maxYoungGenerationSizeMb: 24 },
  })
  thread.once('message', (there) => console.log(here, there, largest()))
} else parentPort.postMessage(largest())
`

const sizes = (...given: string[]): number[] =>
  execFileSync(
    process.execPath,
    ['--max-semi-space-size=2', '--input-type=module', '--eval', PROGRAM, ...given],
    {
      encoding: 'utf8',
      env: { ...process.env, PROGRAM },
    },
  )
    .trim()
    .split(' ')
    .map(Number)

test('the size of the young generation that is given at the start binds threads too, and wins over their limits', () => {
  const [here, there] = sizes()
  expect(here).toBeLessThan(8)
  expect(there).toBeLessThan(8)
})

test('taken back at once, it holds in the main thread, and threads have their own limits', () => {
  const [here, there, later] = sizes('take back')
  expect(here).toBeLessThan(8)
  expect(there).toBeGreaterThanOrEqual(8)
  expect(later).toBeLessThan(8)
})
