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
