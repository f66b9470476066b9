import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith, page, revision } from './busyWiki.js'
import { startGarden, startServer, type TestServer } from './garden.js'

const FROM = 'intro é\n== A ==\nThe quick brown fox\nlast'
const TO = 'intro é\n== A ==\nThe quick red fox\nlast\n=== B ===\n'

let server: TestServer
beforeAll(async () => {
  const revisions = [revision(1, FROM), revision(2, TO), revision(3, TO)]
  server = await startServer(
    await folderWith([page(1, 'Fox', revisions), page(2, 'Hen', [revision(9, 'x')])]),
  )
})

describe('GET /revision/{from}/compare/{to}', () => {
  test('answers sections of both and the differences, as bytes', async () => {
    const { status, headers, bytes } = await server.send('/v1/revision/1/compare/2')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'max-age=5' })
    expect(headers['last-modified']).toBeUndefined()
    expect(bytes.toString()).toBe(
      '{"from":{"id":1,"slot_role":"main","sections":[{"level":2,"heading":"== A ==","offset":9}]},' +
        '"to":{"id":2,"slot_role":"main","sections":[{"level":2,"heading":"== A ==","offset":9},' +
        '{"level":3,"heading":"=== B ===","offset":40}]},' +
        '"diff": [{"type": 0, "lineNumber": 1, "text": "intro é", "offset": {"from": 0,"to": 0}},' +
        '{"type": 0, "lineNumber": 2, "text": "== A ==", "offset": {"from": 9,"to": 9}},' +
        '{"type": 3, "lineNumber": 3, "text": "The quick brownred fox", "offset": {"from": 17,"to": 17}, ' +
        '"highlightRanges": [{"start": 10, "length": 5, "type": 1 },{"start": 15, "length": 3, "type": 0 }]},' +
        '{"type": 0, "lineNumber": 4, "text": "last", "offset": {"from": 37,"to": 35}},' +
        '{"type": 1, "lineNumber": 5, "text": "=== B ===", "offset": {"from": null,"to": 40}}]}',
    )
  })

  test('gives the same bytes again when the comparison is kept', async () => {
    const [first, again] = [
      await server.send('/v1/revision/2/compare/1'),
      await server.send('/v1/revision/2/compare/1'),
    ]
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expect(again.headers['etag']).toBe(first.headers['etag'])
  })

  test(
    'answers each of many that are asked for at once, where one thread compares',
    { tags: ['slow'] },
    async () => {
      const lines = (n: number) =>
        Array.from({ length: 50 }, (_, line) => `line ${line % n} of ${n}`).join('\n')
      const revisions = Array.from({ length: 12 }, (_, n) => revision(n + 1, lines(n + 1)))
      const folder = await folderWith([page(1, 'Fox', revisions)])
      const [busy, idle] = await Promise.all(
        [{ computeThreads: '1', comparisonsBytes: '0' }, {}].map((settings) => startServer(folder, settings)),
      )
      const pairs = revisions.flatMap(({ id: from }) => revisions.map(({ id: to }) => [from, to]))
      const paths = pairs.map(([from, to]) => `/v1/revision/${from}/compare/${to}`).slice(0, 60)
      const answers = await Promise.all(paths.map((path) => busy!.send(path)))
      for (const [n, path] of paths.entries()) {
        expect(answers[n]!.status).toBe(200)
        expect(answers[n]!.bytes.toString()).toBe((await idle!.send(path)).bytes.toString())
      }
    },
  )

  test.each([
    ['a revision and itself', '/v1/revision/1/compare/1'],
    ['revisions with the same text', '/v1/revision/2/compare/3'],
  ])('finds no differences between %s', async (_case, path) => {
    expect(await server.send(path)).toMatchObject({ status: 200, body: { diff: [] } })
  })

  test('obeys its tag, which tells the direction', async () => {
    const { headers } = await server.send('/v1/revision/1/compare/2')
    const etag = String(headers['etag'])
    const ask = (path: string) => server.send(path, { headers: { 'If-None-Match': etag } })
    expect((await ask('/v1/revision/1/compare/2')).status).toBe(304)
    expect((await ask('/v1/revision/2/compare/1')).status).toBe(200)
  })

  test.each([
    ['from is unknown', '/v1/revision/77/compare/1', 404, 'specified by the from parameter does not exist.'],
    ['both are unknown', '/v1/revision/0/compare/-1', 404, 'specified by the from parameter does not exist.'],
    ['to is unknown', '/v1/revision/1/compare/77', 404, 'specified by the to parameter does not exist.'],
    [
      'the pages differ',
      '/v1/revision/1/compare/9',
      400,
      'belong to different pages; refusing to compare them.',
    ],
    ['from is no number', '/v1/revision/x/compare/1', 400, 'Invalid value "x" for integer parameter "from".'],
    ['to is no number', '/v1/revision/1/compare/', 400, 'Invalid value "" for integer parameter "to".'],
  ])('refuses when %s', async (_case, path, status, text) => {
    const { body } = await server.send(path)
    expect(body).toMatchObject({
      httpCode: status,
      messageTranslations: { en: expect.stringContaining(text) as string },
    })
  })

  test('refuses a hidden text on either side', async () => {
    const garden: TestServer = await startGarden()
    for (const [path, name] of [
      ['/v1/revision/203/compare/204', 'from'],
      ['/v1/revision/204/compare/203', 'to'],
    ] as const) {
      expect(await garden.send(path)).toMatchObject({
        status: 403,
        body: {
          messageTranslations: {
            en: `The revision specified by the ${name} parameter is not publicly accessible.`,
          },
        },
      })
    }
    // A hidden editor and summary are no reason.
    expect((await garden.send('/v1/revision/201/compare/202')).status).toBe(200)
  })
})
