/** Answers whose rows come from the disk: each has the bytes of its own page, however many are under way. */
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { coolRows, startServer, type TestServer } from './garden.js'

const PAGES = 200
const textOf = (n: number): string => `Text of page ${n}. `.repeat(100 + n)
const numbers = Array.from({ length: PAGES }, (_, n) => n + 1)

let wiki: TestServer
beforeAll(async () => {
  const pages = numbers.map((n) => page(n, `Page_${n}`, [revision(n, textOf(n))]))
  wiki = await startServer(await folderWith(pages))
  coolRows(wiki.app)
})

const sourceIn = (bytes: Buffer): string => (JSON.parse(bytes.toString()) as { source: string }).source

test.each([undefined, 'gzip'])('sources that are read at the same time, in coding %s', async (coding) => {
  const headers: Record<string, string> = coding === undefined ? {} : { 'accept-encoding': coding }
  const answers = await Promise.all(
    numbers.map((n) => wiki.send(`/v1/page/Page_${n}?${coding}`, { headers })),
  )
  for (const [n, { status, headers, bytes }] of answers.entries()) {
    expect(status).toBe(200)
    expect(headers['content-encoding']).toBe(coding)
    expect(sourceIn(coding === undefined ? bytes : gunzipSync(bytes))).toBe(textOf(n + 1))
  }
  const touched = await wiki.send('/metrics')
  const [, rows] = /^palimpsest_cold_rows_total (\d+)$/m.exec(touched.bytes.toString())!
  expect(Number(rows)).toBeGreaterThanOrEqual(PAGES)
})
