/** `action=expandtemplates`: texts of clients, expanded by the render pool. */
import { beforeAll, expect, test } from 'vitest'
import { startGarden, type TestServer } from '../../conformance/garden.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startGarden()
})

async function expand(query: string): Promise<unknown> {
  const path = `/api.php?action=expandtemplates&format=json&formatversion=2&${query}`
  const { status, bytes } = await wiki.send(path)
  expect(status).toBe(200)
  return JSON.parse(bytes.toString())
}

test.each([
  ['{{PAGENAME}}', 'API'],
  ['a<!-- not this -->b {{lc:ABC}} {{#if:|no|yes}}', 'ab abc yes'],
  ['{{Nothing here}}', '[[:Template:Nothing here]]'],
  ['<b>[[Compost]]</b> {{{1|none}}} {{{2}}}', '<b>[[Compost]]</b> none {{{2}}}'],
  ['one\r\ntwo', 'one\ntwo'],
])('expands %j', async (text, wikitext) => {
  expect(await expand(`prop=wikitext&text=${encodeURIComponent(text)}`)).toEqual({
    expandtemplates: { wikitext },
  })
})

test('expands as a page, or as a revision', async () => {
  const text = encodeURIComponent('{{PAGENAME}} {{REVISIONID}}')
  expect(await expand(`prop=wikitext&title=rain%20barrel&text=${text}`)).toMatchObject({
    expandtemplates: { wikitext: 'Rain barrel ' },
  })
  expect(await expand(`prop=wikitext&revid=102&text=${text}`)).toMatchObject({
    expandtemplates: { wikitext: 'Compost 102' },
  })
})

test('warns of the legacy form without prop', async () => {
  expect(await expand('text=x')).toMatchObject({
    expandtemplates: { wikitext: 'x' },
    warnings: { expandtemplates: { warnings: expect.stringContaining('legacy') as unknown } },
  })
})

test.each([
  ['without a text', 'prop=wikitext', 'missingparam'],
  ['with no title', 'prop=wikitext&text=x&title=%3C', 'invalidtitle'],
  ['of an unknown revision', 'prop=wikitext&text=x&revid=999999', 'nosuchrevid'],
])('refuses a request %s', async (_case, query, code) => {
  expect(await expand(query)).toMatchObject({ error: { code } })
})
