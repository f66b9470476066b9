import { join } from 'node:path'
import { expect, test } from 'vitest'
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../src/domain/interwiki.js'
import { MODULE } from '../../src/domain/namespaceIds.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { openDump } from '../../src/dump/openDump.js'
import { prepareEdit } from '../../src/edit/prepareEdit.js'
import { luaRuntime } from '../render/lua/luaWiki.js'
import { pagesOf, readAll } from '../dump/dumpText.js'
import { describeShared } from '../support/shared.js'

const lua = luaRuntime()
const surroundings = {
  namespaces: new Namespaces(DEFAULT_SITE),
  interwiki: interwikiMap(DEFAULT_SITE, NO_INTERWIKI_CHANGES),
  substitute: (text: string) => text,
  checkModule: (source: string) => lua.checkSyntax('Module:Any', source),
}

/** What becomes of a text that is saved again as it is. */
function savedAgain(title: string, contentModel: string, source: string): string {
  const result = prepareEdit(
    {
      title: { namespace: contentModel === 'Scribunto' ? MODULE : 0, dbkey: title.replaceAll(' ', '_') },
      source,
      comment: '',
      contentModel,
      editor: { name: 'Ann', anonymous: false },
      mayChangeContentModel: true,
      time: 0,
    },
    surroundings,
  )
  return result.ok ? result.edit.text : result.error.key
}

describeShared('texts that a MediaWiki stored stay as they are when they are saved', 'corpus', (corpus) => {
  test.each([
    ['electowiki-pages-meta-history.xml.bz2', 496],
    ['gdwiki-pages-articles.xml.gz', 10_000],
  ])('%s', async (file, atLeast) => {
    const source = await openDump(join(corpus, file))
    const { events } = await readAll(source)
    await source.close()
    let count = 0
    for (const { title, revisions } of pagesOf(events)) {
      const { text, contentModel } = revisions.at(-1) ?? {}
      if (text === undefined || contentModel === undefined) continue
      const saved = savedAgain(title, contentModel, text)
      if (saved !== text) expect(saved, title).toBe(text)
      count++
    }
    expect(count).toBeGreaterThanOrEqual(atLeast)
  })
})
