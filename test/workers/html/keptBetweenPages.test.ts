/** What a thread keeps from one rendering to the next: it must change neither the HTML nor what a rendering used. */
import { describe, expect, test } from 'vitest'
import { MODULE, TEMPLATE } from '../../../src/domain/namespaceIds.js'
import { loadParsoid } from '../../../src/render/parsoid/loadPackage.js'
import { packedParts, unpackParts } from '../../../src/storage/html/packedHtml.js'
import { openLua } from '../../../src/workers/html/luaThread.js'
import { Renderer } from '../../../src/workers/html/renderer.js'
import { KeptTexts, renderedFiles } from '../../../src/workers/html/renderSource.js'
import type { Store } from '../../../src/storage/store.js'
import { MODULE_SITE } from '../../support/moduleSite.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { page, revision, temporaryStore } from '../../support/store.js'

const NOW_MS = Date.UTC(2026, 2, 14)
const parsoid = loadParsoid()

const MODULE_TEXT = (word: string): string => `
  local data = mw.loadData('Module:Box/data')
  seen = (seen or 0) + 1
  return {
    main = function (frame)
      local title = mw.title.getCurrentTitle().text
      rawset(data, 'mark', (rawget(data, 'mark') or '') .. title)
      getmetatable(data).count = (getmetatable(data).count or 0) + 1
      local names = mw.language.fetchLanguageNames('de')
      local text = mw.ustring.gsub(frame.args[1] .. '–', '[–%-]', {['-'] = '+'})
      return '${word} ' .. text .. title .. seen .. data.mark .. getmetatable(data).count .. data.list[2][1] .. names.fr
    end,
  }`
const SHEET = '.box { color: red }'

/** Two wikis in one process may have the same ids. */
function wikiOf(word: string) {
  const { store, applier } = temporaryStore()
  const model = (contentModel: string) => ({ contentModel })
  applier.adoptSite(MODULE_SITE)
  const pages = ['Rose', 'Tulip', 'Rose'].map((name, n) =>
    page(n + 1, `${name}_${n}`, [revision(n + 1, `{{Box|a-${n}}} {{Box|b}} {{PAGENAME}}`)]),
  )
  applier.importPages('made for a test', [
    ...pages,
    page(4, 'Box', [revision(4, '<templatestyles src="Box/s.css"/><b>{{#invoke:Box|main|{{{1}}}}}</b>')], {
      namespace: TEMPLATE,
    }),
    page(5, 'Box/s.css', [revision(5, SHEET, model('sanitized-css'))], { namespace: TEMPLATE }),
    page(6, 'Box', [revision(6, MODULE_TEXT(word), model('Scribunto'))], { namespace: MODULE }),
    page(7, 'Box/data', [revision(7, 'return {list = {1, {7}}}', model('Scribunto'))], {
      namespace: MODULE,
    }),
  ])
  return { store, applier }
}

const modules = openLua(RENDER_SETTINGS)

const rendererOf = (store: Store, lua = modules): Renderer =>
  new Renderer(store, parsoid, {
    files: renderedFiles(RENDER_SETTINGS),
    settings: RENDER_SETTINGS,
    modules: lua,
  })

async function madeOf(renderer: Renderer, revisionId: number): Promise<string> {
  const made = await renderer.run({ task: 'page', revisionId, nowMs: NOW_MS })
  if (made.result !== 'rendering') throw new Error(made.result)
  const { packedHtml, outline, bundle, uses, categories } = made.rendering
  const html = unpackParts(packedParts(packedHtml)).toString()
  return [html, outline, bundle, JSON.stringify([uses, categories])].map(String).join('\n')
}

describe('pages of one thread', () => {
  test('are those that a thread of their own makes', async () => {
    const { store } = wikiOf('new')
    const together = rendererOf(store)
    for (const revisionId of [1, 2, 3, 1, 2]) {
      const alone = await madeOf(rendererOf(store, openLua(RENDER_SETTINGS)), revisionId)
      expect(await madeOf(together, revisionId)).toBe(alone)
    }
    expect(await madeOf(together, 1)).toContain('new a+0')
  })

  test('show a template, a module and a sheet as they are after an edit', async () => {
    const { store, applier } = wikiOf('old')
    const renderer = rendererOf(store)
    expect(await madeOf(renderer, 1)).toMatch(/color:red[^]*old a\+0/)
    applier.importPages('of a later day', [
      page(5, 'Box/s.css', [revision(8, '.box { color: blue }', { contentModel: 'sanitized-css' })], {
        namespace: TEMPLATE,
      }),
      page(6, 'Box', [revision(9, MODULE_TEXT('newer'), { contentModel: 'Scribunto' })], {
        namespace: MODULE,
      }),
    ])
    const made = await madeOf(renderer, 1)
    expect(made).toMatch(/color:blue[^]*newer a\+0/)
    expect(made).toContain('"revisionId":9')
  })

  test('of several wikis do not mix, though their ids are the same', async () => {
    const renderers = ['one', 'two'].map((word) => rendererOf(wikiOf(word).store))
    for (const _round of [1, 2])
      for (const [n, renderer] of renderers.entries())
        expect(await madeOf(renderer, 1)).toContain(`${['one', 'two'][n]} a+0`)
  })
})

describe('kept texts', () => {
  test('are those of their revision, and hidden ones are not told', () => {
    const { store } = wikiOf('a')
    const texts = new KeptTexts()
    const row = store.getRevision(5)!
    expect([texts.get(store, row), texts.get(store, row)]).toEqual([SHEET, SHEET])
    expect(texts.get(store, { ...row, textHidden: true })).toBeUndefined()
    expect(texts.get({ getText: () => 'other' }, row)).toBe(SHEET)
    const other = { ...row, sha1: Buffer.alloc(20) }
    expect(texts.get({ getText: () => 'other' }, other)).toBe('other')
  })
})
