/** Wikitext that is made to take long: each gets an answer, and pages are served meanwhile. */
// @module-tag hostile
import { beforeAll, expect, test } from 'vitest'
import { startGarden, type TestServer } from './garden.js'

/** Long enough for the texts that are taken apart in linear time; the others cost their thread. */
const CONVERT_TIMEOUT_MS = '1000'
const TEXTS: Readonly<Record<string, string>> = {
  '2,000 list marks': `${'*'.repeat(2000)} x`,
  '24,000 cells': `{|\n${'|-\n| a || b\n'.repeat(12_000)}|}`,
  '3,000 references': '<ref>a</ref>'.repeat(3000),
  '20,000 bold tags that are not closed': '<b>a'.repeat(20_000),
  'variants that open': '-{'.repeat(5000),
  'a macro that calls itself': '<math>\\def\\x{\\x\\x}\\x</math>',
  '3 MB': 'x'.repeat(3 * 2 ** 20),
}

let server: TestServer
beforeAll(async () => {
  server = await startGarden({ convertTimeoutMs: CONVERT_TIMEOUT_MS })
})

test('hostile texts are answered, with HTML or with why there is none, while pages are served', async () => {
  const texts = Object.values(TEXTS)
  let isDone = false
  const reads = (async () => {
    const statuses: number[] = []
    while (!isDone) statuses.push((await server.send('/v1/page/Compost')).status)
    return statuses
  })()
  const answers: number[] = []
  for (const text of texts) {
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
