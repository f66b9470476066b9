/** `action=compare`: differences as rows of MediaWiki's table. */
import { beforeAll, expect, test } from 'vitest'
import { startGarden, type TestServer } from '../../conformance/garden.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startGarden()
})

interface Compared {
  readonly compare?: { readonly body?: string }
  readonly error?: { readonly code: string }
  readonly warnings?: unknown
}

async function compare(query: string): Promise<Compared> {
  const { status, bytes } = await wiki.send(`/api.php?action=compare&format=json&formatversion=2&${query}`)
  expect(status).toBe(200)
  return JSON.parse(bytes.toString()) as Compared
}
const texts = async (from: string, to: string, more = ''): Promise<string | undefined> => {
  const [older, newer] = [from, to].map(encodeURIComponent)
  const query = `fromslots=main&fromtext-main=${older}&toslots=main&totext-main=${newer}${more}`
  return (await compare(query)).compare?.body
}

test('shows both lines of a change, with markup escaped', async () => {
  const body = await texts('<b>one</b> two three', '<b>one</b> two four')
  expect(body).toContain(
    '<td class="diff-deletedline diff-side-deleted"><div>&lt;b&gt;one&lt;/b&gt; two <del',
  )
  expect(body).toContain('four</ins></div></td>')
  expect(body).not.toContain('<b>')
})

test('links both ends of a moved line', async () => {
  const lines = ['alpha one two three', 'beta', 'gamma', 'delta']
  const body = (await texts(lines.join('\n'), [...lines.slice(1), lines[0]].join('\n'))) ?? ''
  const names = [...body.matchAll(/<a name="([^"]*)">/g)].map(([, name]) => `#${name}`)
  const links = [...body.matchAll(/class="mw-diff-movedpara-[^>]* href="([^"]*)"/g)].map(([, link]) => link)
  expect(names).toHaveLength(2)
  expect(links.toSorted()).toEqual(names.toSorted())
})

test('has all lines in one column with difftype=inline', async () => {
  const body = await texts('a\nb c d', 'a\nb c e', '&difftype=inline')
  expect(body).toContain('<div class="mw-diff-inline-context">a</div>')
  expect(body).toMatch(/mw-diff-inline-changed">b c <del>d<\/del><ins>e<\/ins>/)
})

test('has no rows for equal texts', async () => {
  expect(await texts('same', 'same')).toBe('')
})

test.each([
  ['of no first text', 'torev=102', 'missingparam'],
  ['of no second text', 'fromrev=102', 'missingparam'],
  ['of two first texts', 'fromrev=101&fromtitle=Compost&torev=102', 'invalidparammix'],
  ['of an unknown revision', 'fromrev=999999&torev=102', 'nosuchrevid'],
  ['of an unknown page', 'fromid=999999&torev=102', 'nosuchpageid'],
  ['of a missing title', 'fromtitle=Nothing_here&torev=102', 'missingtitle'],
  ['of no title', 'fromtitle=%3C&torev=102', 'invalidtitle'],
  ['of a missing section', 'fromrev=102&fromsection=99&torev=102', 'nosuchsection'],
  ['of a slot without its text', 'fromslots=main&torev=102', 'missingparam'],
  ['relative to a text', 'fromslots=main&fromtext-main=a&torelative=prev', 'compare-relative-to-nothing'],
])('refuses a comparison %s', async (_case, query, code) => {
  expect(await compare(query)).toMatchObject({ error: { code } })
})

test('names the editors and sizes of both revisions', async () => {
  const { compare: found } = await compare('fromrev=102&torev=104&prop=ids|user|size|timestamp|rel')
  expect(found).toMatchObject({ fromrevid: 102, fromuser: 'Ann', torevid: 104, touser: 'Bert', prev: 101 })
})
