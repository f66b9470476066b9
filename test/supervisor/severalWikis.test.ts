/** Several server processes with several wikis. */
// @module-tag slow
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderNaming } from '../conformance/severalWikis.js'
import { send } from '../conformance/garden.js'
import { NO_HTML, portOf, run } from '../support/command.js'
import { temporaryFolder } from '../support/store.js'

const LISTED = /wikis, listed at http:\/\/127\.0\.0\.1:(\d+)\//

test('serve all wikis on one port, and count each on its own', async () => {
  const [garden, field] = [await folderNaming('garden'), await folderNaming('field')]
  const wikis = ['--wiki', `garden=${garden}`, '--wiki', `field=${field}`]
  const servers = run('serve', ...wikis, '--port', '0', '--processes', '2', '--access-log', 'json', NO_HTML)
  const port = portOf(await servers.printed(LISTED))
  expect(servers.output.stdout).toMatch(/^Palimpsest serves 2 wikis/)
  expect(servers.output.stdout).toContain(`http://127.0.0.1:${port}/garden/  ${garden}\n`)
  for (let n = 0; n < 8; n++)
    for (const name of ['garden', 'field'])
      expect((await send(port, `/${name}/v1/page/Moon`, {})).bytes.toString()).toContain(`The ${name} text`)
  const { bytes } = await send(port, '/metrics', {})
  const counts = [...bytes.toString().matchAll(/^palimpsest_http_requests_total\{(.*)\} (\d+)$/gm)]
    .filter(([, labels]) => labels!.includes('route="/page/{title}"') && labels!.includes('wiki="garden"'))
    .map(([, , count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8)
  expect(bytes.toString().match(/^palimpsest_store_size_bytes\{/gm)).toHaveLength(2)
  await servers.printed(/"wiki":"garden","method":"GET","url":"\/garden\/v1\/page\/Moon","status":200/)
  servers.child.kill('SIGTERM')
  expect(await servers.exit).toBe(0)
})

test('do not start if one of the wikis cannot be opened', async () => {
  const missing = join(temporaryFolder(), 'nothing')
  const wikis = ['--wiki', `garden=${await folderNaming('garden')}`, '--wiki', `field=${missing}`]
  for (const processes of ['1', '2']) {
    const servers = run('serve', ...wikis, '--port', '0', '--processes', processes)
    expect(await servers.exit).toBe(1)
    expect(servers.output.stderr).toMatch(/^palimpsest: wiki field: .*nothing/m)
  }
})
