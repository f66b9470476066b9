/** Wikitext that is made to take long: each gets an answer, and pages are served meanwhile. */
// @module-tag hostile
import { beforeAll, expect, test } from 'vitest'
import { HOSTILE_TEXTS } from '../../bench/render/hostileTexts.js'
import { startGarden, type TestServer } from './garden.js'

/** Long enough for the texts that are taken apart in linear time; the others cost their thread. */
const CONVERT_TIMEOUT_MS = '1000'
/** One of each kind; all of them are for the bench. */
const CHOSEN = [
  '2,000 list marks',
  '24,000 cells',
  '3,000 references',
  '20,000 bold tags that are not closed',
  'variants that open',
  'a macro that calls itself',
  '3 MB',
]

let server: TestServer
beforeAll(async () => {
  server = await startGarden({ convertTimeoutMs: CONVERT_TIMEOUT_MS })
})

test('hostile texts are answered, with HTML or with why there is none, while pages are served', async () => {
  const texts = HOSTILE_TEXTS.filter(([name]) => CHOSEN.includes(name))
  expect(texts).toHaveLength(CHOSEN.length)
  let isDone = false
  const reads = (async () => {
    const statuses: number[] = []
    while (!isDone) statuses.push((await server.send('/v1/page/Compost')).status)
    return statuses
  })()
  const answers: number[] = []
  for (const [, text] of texts) {
    const form = new FormData()
    form.set('wt', text)
    const { status } = await fetch(`${server.base}/gardenwiki/Any`, { method: 'POST', body: form })
    answers.push(status)
  }
  isDone = true
  expect(answers.filter((status) => ![200, 413, 503].includes(status))).toEqual([])
  const statuses = await reads
  expect(statuses.length).toBeGreaterThan(texts.length)
  expect(new Set(statuses)).toEqual(new Set([200]))
  // And the next text finds a thread.
  const form = new FormData()
  form.set('wt', "''next''")
  const next = async (): Promise<string> =>
    (await fetch(`${server.base}/gardenwiki/Any`, { method: 'POST', body: form })).text()
  // A busy machine may give it less than its time, again and again.
  await expect.poll(next).toContain('next')
})
