/** `action=parse` of texts as a save would store them. The recorded requests have what else it answers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Writer, writingWiki } from './writingWiki.js'

let ann: Writer
beforeAll(async () => {
  ;({ ann } = await writingWiki())
  await ann.save('Template:Stub', "''short''")
})

const parse = async (fields: Readonly<Record<string, string>>): Promise<unknown> =>
  ((await ann.client.post({ action: 'parse', title: 'Pond', ...fields })) as { parse: unknown }).parse

describe('a text of the client', () => {
  const text = '[[Pond (water)|]] {{subst:Stub}} ~~~'

  test('comes as a save would store it, by onlypst', async () => {
    expect(await parse({ text, onlypst: '1' })).toEqual({
      text: expect.stringMatching(/^\[\[Pond \(water\)\|Pond\]\] ''short'' \[\[User:Ann\|Ann\]\]/) as string,
    })
  })

  test('is parsed so by pst, beside the text as it was sent', async () => {
    expect(await parse({ text, pst: '1', prop: 'text|wikitext' })).toMatchObject({
      text: expect.stringContaining('<i>short</i>') as string,
      wikitext: text,
      psttext: expect.stringContaining("''short''") as string,
    })
  })

  test.each(['MediaWiki:Common.css', 'Special:Version', 'User:Ben/own.js', 'de:Teich'])(
    'comes so for %s too, which the client may not edit',
    async (title) => {
      // Styles and scripts are never substituted.
      const saved = title.includes('.') ? 'x {{subst:Stub}}' : "x ''short''"
      expect(await parse({ title, text: 'x {{subst:Stub}}', onlypst: '1' })).toEqual({ text: saved })
      expect(await parse({ title, text: '', onlypst: '1' })).toEqual({ text: '' })
    },
  )

  test('is neither signed nor substituted without them', async () => {
    expect(await parse({ text, prop: 'text|wikitext' })).toEqual({
      title: 'Pond',
      pageid: 0,
      text: expect.stringContaining('~~~') as string,
      wikitext: text,
    })
  })
})

describe('a JSON text', () => {
  const table = async (text: string): Promise<string> => {
    const { text: html } = (await parse({ text, contentmodel: 'json', prop: 'text' })) as { text: string }
    return /^<div class="mw-parser-output">(.*)<\/div>$/s.exec(html)![1]!
  }

  test.each([
    [
      '{}',
      '<table class="mw-json"><tbody><tr><td class="mw-json-empty">Empty object</td></tr></tbody></table>',
    ],
    [
      '{"a<b": ["x", []], "c": null}',
      '<table class="mw-json"><tbody><tr><th><span>a&lt;b</span></th><td><table class="mw-json"><tbody><tr><td class="mw-json-value">&quot;x&quot;</td></tr><tr><td><table class="mw-json"><tbody><tr><td class="mw-json-empty">Empty array</td></tr></tbody></table></td></tr></tbody></table></td></tr><tr><th><span>c</span></th><td class="mw-json-value">null</td></tr></tbody></table>',
    ],
    [
      '1.5',
      '<table class="mw-json mw-json-single-value"><tbody><tr><td class="mw-json-value">1.5</td></tr></tbody></table>',
    ],
    ['{<', '<pre>{&lt;</pre>'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, `<pre>${'['.repeat(200)}${']'.repeat(200)}</pre>`],
  ])('%j is shown as a table', async (text, html) => {
    expect(await table(text)).toBe(html)
  })

  test('of a page is shown as one too', async () => {
    await ann.save('User:Ann/list.json', '{"things": ["bell"]}')
    const page = await ann.client.get({ action: 'parse', page: 'User:Ann/list.json', prop: 'text' })
    expect(page).toMatchObject({ parse: { text: expect.stringContaining('<th><span>things') as string } })
  })
})
