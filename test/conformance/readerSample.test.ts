/** Every page of the sample wiki for readers: plain and in gzip, made for the request and made ready. */
// @module-tag slow
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { loadPages, loadSite } from '../../sample/build.mjs'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { folderOfFile } from '../support/cleanUp.js'
import { startServer } from './garden.js'

const DUMP = join(import.meta.dirname, '../../sample/handbook.xml')

test('pages of the sample wiki are the same in gzip', async () => {
  const dataDir = folderOfFile()
  await importDumps({ dataDir, paths: [DUMP] })
  const server = await startServer(dataDir)
  const titles = loadPages(loadSite()).map(({ title }) => title.replaceAll(' ', '_'))
  let found = 0
  for (const title of titles) {
    for (const path of [`/wiki/${encodeURIComponent(title)}`, `/v1/page/${encodeURIComponent(title)}/html`]) {
      const plain = await server.send(path)
      // The first answer is made of new HTML, the second of kept HTML, and the fourth is ready.
      for (let n = 0; n < 4; n++) {
        const packed = await server.send(path, { headers: { 'accept-encoding': 'gzip' } })
        expect(packed.status).toBe(plain.status)
        const isPacked = packed.headers['content-encoding'] === 'gzip'
        const bytes = isPacked ? gunzipSync(packed.bytes) : packed.bytes
        expect(bytes.equals(plain.bytes), path).toBe(true)
        found += Number(isPacked)
      }
    }
  }
  expect(found).toBeGreaterThan(6 * titles.length)
})
