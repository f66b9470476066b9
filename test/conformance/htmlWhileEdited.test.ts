/** Edits acknowledged while slow HTML is made: the HTML never shows an earlier state. */
// @module-tag slow
import { beforeAll, describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { newChange } from '../support/changes.js'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, startServer, type TestServer } from './garden.js'

/** Takes a render thread about a second, most of it after it has read the template. */
const LONG = "A ''long'' line of text with [[a link]] that says little.\n\n".repeat(1500)
const PAGES = 4

let wiki: TestServer
beforeAll(async () => {
  const slow = Array.from({ length: PAGES }, (_, n) =>
    page(n + 1, `Slow_${n + 1}`, [revision(n + 1, `It is {{Colour}}.\n\n${LONG}`)]),
  )
  const folder = await folderWith([
    ...slow,
    { ...page(50, 'Colour', [revision(50, 'colour 0')]), namespace: 10 },
    page(51, 'Other', [revision(51, 'other')]),
  ])
  wiki = await startServer(folder, { anonymousEdits: true, renderThreads: '2' })
  // Until a thread has started, nothing is read.
  await wiki.send('/v1/page/Other/html')
})

const made = async (server = wiki): Promise<number> =>
  Number(/^palimpsest_html_made_total (\d+)$/m.exec((await server.send('/metrics')).bytes.toString())![1])

/** Edits a page here and now: when this returns, the edit is on the disk. */
function edit(namespace: number, dbkey: string, text: string, { app } = wiki): void {
  const { store } = app.context
  store.refresh()
  const { pageId, latestId } = store.getPage(namespace, dbkey)!
  const verdict = new Applier(store).submit({
    kind: 'edit',
    ...newChange(),
    pageId,
    baseRevisionId: latestId,
    text,
  })
  expect(verdict.result).toBe('saved')
}

/** Asks for a page's HTML, and waits until its rendering begins. The list keeps `await` from waiting for the answer. */
async function begin(dbkey: string, server = wiki): Promise<Promise<Answer>[]> {
  const before = await made(server)
  const answer = server.send(`/v1/page/${dbkey}/html`)
  await expect.poll(() => made(server)).toBe(before + 1)
  return [answer]
}

const colourIn = ({ bytes }: Answer): number => Number(/colour (\d+)/.exec(bytes.toString())![1])

describe('HTML that was asked for', () => {
  test('after a template was saved shows it, though other HTML of the page was under way', async () => {
    const [first] = await begin('Slow_1')
    const saved = await wiki.send('/v1/page/Template:Colour', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ source: 'colour 1', comment: '', token: '+\\', latest: { id: 50 } }),
    })
    expect(saved.status).toBe(200)
    const second = await wiki.send('/v1/page/Slow_1/html')
    expect(colourIn(second)).toBe(1)
    expect((await first!).status).toBe(200)
    expect(colourIn(await wiki.send('/v1/page/Slow_1/html'))).toBe(1)
  })

  test('after each of many edits shows it, at the cost of one more job for all of them', async () => {
    const before = await made()
    const answers = await begin('Slow_2')
    const asked: { colour: number; answer: Promise<Answer> }[] = []
    for (let colour = 10; colour < 20; colour++) {
      edit(10, 'Colour', `colour ${colour}`)
      asked.push({ colour, answer: wiki.send('/v1/page/Slow_2/html') })
      // The request goes out, and is read.
      await wiki.send('/v1/page/Other/bare')
    }
    for (const { colour, answer } of asked) {
      const ready = await answer
      expect(ready.status).toBe(200)
      expect(colourIn(ready)).toBeGreaterThanOrEqual(colour)
    }
    await Promise.all(answers)
    expect(await made()).toBe(before + 2)
  })

  test('after another page was saved is what was under way, once it was kept', async () => {
    const before = await made()
    const answers = await begin('Slow_3')
    edit(0, 'Other', 'another text')
    answers.push(wiki.send('/v1/page/Slow_3/html'), wiki.send('/v1/page/Slow_3/html'))
    const all = await Promise.all(answers)
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(all.map(({ headers }) => headers['etag'])).size).toBe(1)
    expect(await made()).toBe(before + 1)
  })
})

test('HTML that is not kept is made once more for all who ask after an edit', async () => {
  const folder = await folderWith([
    page(1, 'Slow', [revision(1, LONG)]),
    page(2, 'Other', [revision(2, 'x')]),
  ])
  const server = await startServer(folder, { htmlCacheBytes: '0' })
  const answers = await begin('Slow', server)
  edit(0, 'Other', 'another text', server)
  for (let n = 0; n < 3; n++) answers.push(server.send('/v1/page/Slow/html'))
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  expect(await made(server)).toBe(2)
})
