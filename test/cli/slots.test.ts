/** Dumps with several slots in a revision, as MediaWiki 1.39 writes them: sizes are sums, and the SHA-1 is over all. */
// @module-tag hostile
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dump, page, pagesOf, eventsOf, revision } from '../dump/dumpText.js'
import { history, importInto, openFolder, problems, temporaryFolder } from '../support/store.js'

/** SHA-1 of both slots, and of the main one. */
const OF_BOTH = ['opxgj6d4pgjrwd75p0egfpk3avolqvp', 'ma4k5ub9gbe3zt7bqucanbltxkg254y']
const OF_MAIN_ONE = 'gw185rafcrmlf3hy9xj9wuv1o5ztdit'
const OF_MAIN_TWO = '47x9r73cecz95rqhn37zbrp2kak6zjr'

const aux = (text: string, bytes = '') =>
  `<content><role>aux</role><origin>1</origin><model>wikitext</model><format>text/x-wiki</format><text${bytes}>${text}</text></content>`
const one = `<text bytes="8" sha1="${OF_MAIN_ONE}" xml:space="preserve">main one</text>`
const two = `<text bytes="8" sha1="${OF_MAIN_TWO}" xml:space="preserve">main two</text>`
const sha1 = (digits: string | undefined) => `<sha1>${digits}</sha1>`

async function importXml(xml: string) {
  const folder = temporaryFolder()
  const path = join(folder, 'dump.xml')
  writeFileSync(path, xml)
  const { results, error, notes } = await importInto(folder, [path])
  expect(error).toBeUndefined()
  const store = openFolder(folder)
  expect(problems(store)).toEqual([])
  return { store, notes, kinds: results[0]!.kinds }
}

describe('a revision with several slots', () => {
  test('has the sum of their sizes, and no wrong SHA-1', async () => {
    const { store, notes } = await importXml(
      dump(
        page(
          'Slotted',
          33,
          revision(98, one + aux('aux oneé', ' bytes="9"') + sha1(OF_BOTH[0])) +
            revision(99, `<parentid>98</parentid>${one}${aux('aux two longer')}${sha1(OF_BOTH[1])}`) +
            revision(100, `<parentid>99</parentid>${two}${sha1(OF_MAIN_TWO)}`),
        ),
      ),
    )
    expect(notes).toEqual([])
    expect(history(store, 33).map(({ size, delta }) => [size, delta])).toEqual([
      [17, null],
      [22, 5],
      [8, -14],
    ])
    expect([98, 99, 100].map((id) => store.getText(id))).toEqual(['main one', 'main one', 'main two'])
  })

  test('is not compared with the SHA-1 over all slots where its text states none', async () => {
    const plain = '<text bytes="8">main one</text>'
    const { notes } = await importXml(
      dump(page('Slotted', 1, revision(1, plain + aux('x') + sha1(OF_BOTH[0])))),
    )
    expect(notes).toEqual([])
  })

  test('keeps its sum while its text is hidden', async () => {
    const hidden = '<text bytes="8" deleted="deleted" />'
    const { store } = await importXml(
      dump(page('Slotted', 1, revision(1, hidden + aux('', ' bytes="9" deleted="deleted"')))),
    )
    expect(history(store, 1)).toMatchObject([{ size: 17 }])
  })

  test('keeps its text beside a slot with markup, and without the size of one that is too large', async () => {
    const events = await eventsOf(
      dump(
        page(
          'Slotted',
          1,
          revision(1, one + aux('a<b/>c')) + revision(2, one + aux('', ' bytes="4294967290"')),
        ),
      ),
    )
    const [read] = pagesOf(events)
    expect(read?.revisions).toMatchObject([{ text: 'main one', otherSlotsBytes: 1 }, { text: 'main one' }])
    expect(read?.revisions[1]).not.toHaveProperty('otherSlotsBytes')
    expect(events).toContainEqual(expect.objectContaining({ kind: 'hidden-size', revisionId: 2 }))
  })
})

describe('schema 0.10, which has the main slot alone', () => {
  const importOld = (text: string, digits: string) =>
    importXml(dump(page('Slotted', 1, revision(1, text + sha1(digits))), { schema: '0.10' }))

  test('does not call a SHA-1 wrong that may be over several slots', async () => {
    const { kinds, notes } = await importOld('<text bytes="8">main one</text>', OF_BOTH[0]!)
    expect(kinds).toEqual([{ kind: 'sha1-of-slots', count: 1, isLeftOut: false }])
    expect(notes).toEqual([
      expect.stringContaining('revision 1: its SHA-1 differs from the one in the dump, which may be'),
    ])
  })

  test('has a wrong SHA-1 where the size is another one, too', async () => {
    const { kinds } = await importOld('<text bytes="9">main one</text>', OF_BOTH[0]!)
    expect(kinds).toEqual([{ kind: 'wrong-sha1', count: 1, isLeftOut: false }])
  })
})
