/** Pages whose module runs to the end of its time, asked for by one client, leave a thread to the pages of another one. */
// @module-tag hostile
import { expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, startServer } from './garden.js'

const HOSTILE = 24
const FRESH = 10
/** Out of reach: nothing but the fair queue lets the other client in. */
const NO_LIMITS = { renderTimeoutMs: '600000', luaTimeMs: '600000' }

const endless = 'local p = {}\nfunction p.main() while true do end end\nreturn p'

test('ten fresh pages are answered while another client holds what it can', async () => {
  const pages = [
    ...Array.from({ length: HOSTILE }, (_, n) =>
      page(n + 1, `Hostile_${n}`, [revision(n + 1, `{{#invoke:Endless|main|${n}}}`)]),
    ),
    ...Array.from({ length: FRESH }, (_, n) =>
      page(100 + n, `Fresh_${n}`, [revision(100 + n, `'''fresh ${n}'''`)]),
    ),
    { ...page(200, 'Endless', [revision(200, endless)]), namespace: 828 },
  ]
  const flags = { renderThreads: '2', trustedProxies: '127.0.0.1', ...NO_LIMITS }
  const server = await startServer(await folderWith(pages), flags)
  const ask = (name: string, client: string): Promise<Answer> =>
    server.send(`/v1/page/${name}/html`, { headers: { 'x-forwarded-for': client } })

  let isOver = false
  const hostile = Array.from({ length: 4 }, async (_, connection) => {
    for (let n = connection; n < HOSTILE && !isOver; n += 4) {
      await ask(`Hostile_${n}`, '10.0.0.1').catch(() => undefined)
    }
  })
  // The first page comes when both threads have been taken for long.
  const answers: Answer[] = []
  for (let n = 0; n < FRESH; n++) answers.push(await ask(`Fresh_${n}`, '10.0.0.2'))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  answers.forEach(({ bytes }, n) => expect(bytes.toString()).toContain(`fresh ${n}`))
  isOver = true
  await server.app.close()
  await Promise.all(hostile)
})
