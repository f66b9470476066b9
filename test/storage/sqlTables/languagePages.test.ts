/** Pages by their language links in the table `langlinks`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDump } from '../../../src/dump/openDump.js'
import { TableImport } from '../../../src/import/tables/importTables.js'
import { settleStep, settleTables } from '../../../src/storage/apply/sqlTables/settle.js'
import { areLanguagesListed, fillLanguages } from '../../../src/storage/sqlTables/languagePages.js'
import type { Store } from '../../../src/storage/store.js'
import { page, problems, revision, temporaryStore } from '../../support/store.js'

const PAGES = 1200

/** A store with many pages, and a function that imports rows of the table. */
function wiki(): { store: Store; take: (rows: string) => Promise<void> } {
  const { store, applier, dataDir } = temporaryStore()
  applier.importPages(
    'd',
    Array.from({ length: PAGES }, (_, n) => page(n + 1, `Page_${n + 1}`, [revision(n + 1, 'x')])),
  )
  const take = async (rows: string): Promise<void> => {
    const file = join(dataDir, 'langlinks.sql')
    writeFileSync(file, `INSERT INTO \`langlinks\` VALUES ${rows};\n`)
    const options = { store, applier, tell: () => undefined, onPiece: () => undefined }
    await new TableImport({ ...options, source: await openDump(file) }).run()
    settleTables(store)
  }
  return { store, take }
}

const uses = (
  store: Store,
  from = '',
  to = '\u{10ffff}',
  descending = false,
  fromPage?: number,
): string[] => {
  const range = { from, to, descending, ...(fromPage !== undefined && { fromPage }) }
  return Array.from(
    store.imported.pagesByLanguage(range),
    ({ name, pageId }) => `${name.replace('\t', ':')} ${pageId}`,
  )
}

test('pages are listed by language and title, both ways and from any place', async () => {
  const { store, take } = wiki()
  expect(areLanguagesListed(store.tables)).toBe(true)
  await take("(1,'de','Mond'),(1,'fr','Lune'),(2,'de','Meer'),(3,'de','Meer'),(9999,'de','Nichts')")
  const all = ['de:Meer 2', 'de:Meer 3', 'de:Mond 1', 'fr:Lune 1']
  expect(uses(store)).toEqual(all)
  expect(uses(store, '\u{10ffff}', '', true)).toEqual(all.toReversed())
  expect(uses(store, 'de\tMeer', 'de\t\u{10ffff}', false, 3)).toEqual(['de:Meer 3', 'de:Mond 1'])
  expect(problems(store)).toEqual([])
})

test('they follow each table, over many steps', async () => {
  const { store, take } = wiki()
  const rows = (title: string) =>
    Array.from({ length: PAGES }, (_, n) => `(${n + 1},'de','${title} ${n + 1}')`).join()
  await take(rows('Alt'))
  expect(uses(store)).toHaveLength(PAGES)
  await take(`${rows('Neu')},(1,'fr','Un')`)
  expect(uses(store).filter((use) => use.startsWith('de:Neu'))).toHaveLength(PAGES)
  expect(uses(store)).toHaveLength(PAGES + 1)
  await take("(7,'nl','Zeven')")
  expect([uses(store), problems(store)]).toEqual([['nl:Zeven 7'], []])
})

test('a store of an older version is filled step by step', async () => {
  const { store, take } = wiki()
  await take(Array.from({ length: PAGES }, (_, n) => `(${n + 1},'de','Titel ${n + 1}')`).join())
  const wanted = uses(store)
  store.transact(() => {
    store.tables.languagePage.clearSync()
    store.tables.meta.removeSync('languageLists')
  })
  expect([areLanguagesListed(store.tables), problems(store)]).toEqual([false, []])
  expect([settleStep(store), uses(store).length > 0, areLanguagesListed(store.tables)]).toEqual([
    true,
    true,
    false,
  ])
  while (fillLanguages(store));
  expect([areLanguagesListed(store.tables), uses(store), problems(store)]).toEqual([true, wanted, []])
})

test('verify finds what differs from the table', async () => {
  const { store, take } = wiki()
  await take("(1,'de','Mond')")
  store.transact(() => store.tables.languagePage.removeSync(['de\tMond', 1]))
  expect(problems(store)).toContain('language links: de\tMond lacks page 1')
  store.transact(() => store.tables.languagePage.putSync(['de\tMond', 2], Buffer.alloc(0)))
  store.transact(() => store.tables.languagePage.putSync(['de\tMond', 1], Buffer.alloc(0)))
  expect(problems(store)).toContain('language links: 2 in lists, but the pages account for 1')
})
