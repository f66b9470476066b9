/** Tools of a page: what links to it, changes around it, facts of it, and contributions of users. */
import { beforeAll, describe, expect, test } from 'vitest'
import { create, startEmptyWiki } from './editing.js'
import { startGarden, type TestServer } from './garden.js'

let wiki: TestServer
let garden: TestServer
beforeAll(async () => {
  garden = await startGarden({ anonymousEdits: true })
  wiki = await startEmptyWiki({ anonymousEdits: true })
  await create(wiki, 'Sun', 'A star. See [[Moon]].')
  await create(wiki, 'Moon', 'It shines. See [[Sun]].')
  await create(wiki, 'Sol', '#REDIRECT [[Sun]]')
  await create(wiki, 'Day', 'Light of [[Sol]]. {{Sun}} {{:Sun}}')
  await create(wiki, 'User:Bo', 'I like the [[Sun]].')
  for (let n = 0; n < 55; n++) await create(wiki, `Ray ${n}`, 'From the [[Moon]].')
})

async function get(path: string, server = wiki): Promise<{ status: number; text: string; shown: string }> {
  const answer = await server.send(path)
  const text = answer.bytes.toString()
  const main = text.slice(text.indexOf('class="content"'), text.indexOf('</main>'))
  const shown = main
    .replace(/<form.*?<\/form>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
  return { status: answer.status, text: text.replaceAll('&amp;', '&'), shown }
}

describe('Special:WhatLinksHere', () => {
  test('lists links, transclusions and redirects, and links to redirects below them', async () => {
    const { status, shown, text } = await get('/wiki/Special:WhatLinksHere/Sun')
    expect(status).toBe(200)
    expect(shown).toMatch(/Moon \(←\).*Sol \(redirect\) \(←\) Day.*Day \(transclusion\).*User:Bo/)
    expect(text).toContain('href="/wiki/Sol?redirect=no"')
  })

  test('shows one namespace alone', async () => {
    const { shown } = await get('/wiki/Special:WhatLinksHere?target=Sun&namespace=2')
    expect(shown).toContain('User:Bo')
    expect(shown).not.toContain('Moon')
  })

  test('goes on and back', async () => {
    const first = await get('/wiki/Special:WhatLinksHere/Moon')
    const [, next] = /href="([^"]*from=\d+)"/.exec(first.text)!
    const second = await get(next!)
    expect(second.shown).toContain('Ray 54')
    expect(second.shown).not.toContain('Ray 3 ')
    const [, back] = /href="([^"]*before=\d+)"/.exec(second.text)!
    expect((await get(back!)).shown.match(/Ray \d+/g)).toEqual(first.shown.match(/Ray \d+/g))
  })
})

test('Special:RecentChangesLinked has the latest changes of linked pages', async () => {
  const { shown } = await get('/wiki/Special:RecentChangesLinked/Sun')
  expect(shown).toContain('Moon')
  expect(shown).not.toContain('Ray 1')
})

test('Special:Contributions lists the changes of a user in parts, without those of hidden users', async () => {
  const { shown } = await get('/wiki/Special:Contributions/Bert', garden)
  expect(shown).toContain('Compost')
  expect(shown).not.toContain('(username removed)')
  expect((await get('/wiki/Special:Contributions/Nobody')).shown).toContain('no changes by Nobody')
  const first = await get('/wiki/Special:Contributions/127.0.0.1')
  const [, older] = /href="([^"]*offset=[\d.]+)"/.exec(first.text)!
  expect((await get(older!)).shown).toContain('Sol')
})

test('Special:NewPages lists first revisions', async () => {
  expect((await get('/wiki/Special:NewPages')).shown).toContain('Ray 54')
})

test('?action=info and Special:CiteThisPage name the present version', async () => {
  const info = await get('/wiki/Sol?action=info')
  expect(info.shown).toContain('Redirect to')
  expect(info.text).toMatch(/href="\/wiki\/Sol\?oldid=\d+"/)
  expect((await get('/wiki/Special:CiteThisPage/Moon')).text).toMatch(/url = \{.*\/wiki\/Moon\?oldid=\d+\}/)
})

test('an article leads to its tools', async () => {
  const { text } = await get('/wiki/Moon')
  expect(text).toContain('href="/wiki/Special:WhatLinksHere/Moon"')
  expect(text).toContain('href="/wiki/Moon?action=info"')
})

test.each([
  ['/wiki/Special:WhatLinksHere', 200],
  ['/wiki/Special:WhatLinksHere/Nowhere', 200],
  ['/wiki/Special:WhatLinksHere?target=%3Cb%3E', 400],
  ['/wiki/Special:WhatLinksHere?target=Sun&from=x', 400],
  ['/wiki/Special:WhatLinksHere?target=Sun&from=99999999999', 200],
  ['/wiki/Special:WhatLinksHere?target=Sun&before=0', 200],
  ['/wiki/Special:WhatLinksHere?target=Sun&namespace=-1', 400],
  ['/wiki/Special:Contributions', 200],
  ['/wiki/Special:Contributions?target=%22%3E%3Cb%3E', 200],
  ['/wiki/Special:Contributions/Bert?offset=1', 400],
  ['/wiki/Special:NewPages?offset=99999999999.1', 400],
  ['/wiki/Special:RecentChangesLinked/Nowhere', 200],
  ['/wiki/Special:CiteThisPage/Nowhere', 404],
  ['/wiki/Nowhere?action=info', 404],
])('%s is a page with status %d', async (path, status) => {
  const page = await get(path)
  expect(page.status).toBe(status)
  expect(page.text).not.toContain('<b>')
})
