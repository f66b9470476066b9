/** Paths of a folder of pages, and the titles that they mean. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { prefixedText } from '../../../src/domain/title.js'
import { listFolder, titleOfPath } from '../../../src/workers/expand/expandedWiki.js'
import { temporaryFolder } from '../../support/store.js'

const namespaces = new Namespaces({
  ...DEFAULT_SITE,
  namespaces: [...DEFAULT_SITE.namespaces, { id: 828, name: 'Modul', case: 'first-letter' }],
})

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

describe('titleOfPath', () => {
  test.each([
    ['Main Page', 'Main Page'],
    ['main_page.wiki', 'Main page'],
    ['Template:Note.wikitext', 'Template:Note'],
    ['Template/Note.wiki', 'Template:Note'],
    ['Template/Note/doc.wiki', 'Template:Note/doc'],
    ['Template%3ANote%2Fdoc', 'Template:Note/doc'],
    ['user talk/Ann.wiki', 'User talk:Ann'],
    ['Module/Note.lua', 'Modul:Note'],
    ['Modul:Note.lua', 'Modul:Note'],
    ['Note.lua', 'Modul:Note'],
    ['Note/data.lua', 'Modul:Note/data'],
    ['User/Ann/common.css', 'User:Ann/common.css'],
    ['Talk.wiki', 'Talk'],
    ['Birds/Wren.wiki', 'Birds/Wren'],
    ['100%.wiki', '100%'],
    ['100% of %C3%84.wiki', '100% of Ä'],
  ])('%s means %s', (path, title) => {
    const found = titleOfPath(path, namespaces)
    expect(found && prefixedText(found, namespaces)).toBe(title)
  })

  test.each(['a[b].wiki', 'Template/.wiki', 'a#b.wiki'])('%s means no title', (path) => {
    expect(titleOfPath(path, namespaces)).toBeUndefined()
  })
})

describe('listFolder', () => {
  test('finds files at any depth, and leaves out what editors leave behind', () => {
    const folder = folderWith({
      'Template/A.wiki': 'a',
      'b.wiki': 'b',
      '.git/x': '',
      'b.wiki~': '',
      '.c.swp': '',
    })
    const pages = listFolder(folder, namespaces)
    expect([...pages].map(([key, page]) => [key, page.read()])).toEqual([
      ['10:A', 'a'],
      ['0:B', 'b'],
    ])
  })

  test('gives modules, style sheets and data their content models', () => {
    const folder = folderWith({
      ...{ 'Module/A.lua': '', 'Module/A/doc.wiki': '', 'Module/B.json': '', 'MediaWiki/C.css': '', D: '' },
    })
    const models = [...listFolder(folder, namespaces)].map(([key, { contentModel }]) => [key, contentModel])
    expect(Object.fromEntries(models)).toEqual({
      ...{
        '828:A': 'Scribunto',
        '828:A/doc': 'wikitext',
        '828:B.json': 'json',
        '8:C.css': 'css',
        '0:D': 'wikitext',
      },
    })
  })

  test('names files that are no pages, and two files that are one', () => {
    const odd = folderWith({ 'a[b].wiki': '' })
    expect(() => listFolder(odd, namespaces)).toThrow(`${odd}/a[b].wiki is not named by a page's title`)
    const twice = folderWith({ 'Template/A.wiki': '', 'Template:A.wiki': '' })
    expect(() => listFolder(twice, namespaces)).toThrow(
      /Template\/A\.wiki and .*Template:A\.wiki are one page/,
    )
  })

  test('names a file that is not text', () => {
    const page = listFolder(folderWith({ A: Buffer.from([0xff]) }), namespaces).get('0:A')
    expect(() => page?.read()).toThrow(/\/A is not text in UTF-8$/)
  })
})
