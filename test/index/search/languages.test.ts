/** Real texts of many languages: the words of a page find the page. */
// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Store } from '../../../src/storage/store.js'
import { importInto } from '../../support/store.js'
import { describeShared } from '../../support/shared.js'

describeShared('a search in many languages', 'corpus/demo-wikipedia-sample.xml.bz2', (dump) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  let store: Store

  beforeAll(async () => {
    await importInto(dataDir, [dump])
    store = Store.open(dataDir)
  })
  afterAll(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each([
    ['Hindi', 'जर्मनी मील पत्थर', 'बर्लिन'],
    ['Thai', 'เมืองหลวงและรัฐ', 'เบอร์ลิน'],
    ['Chinese', '三個城市州', '柏林'],
    ['Japanese', 'ドイツの首都', 'ベルリン'],
    ['Korean', '독일의 수도이다', '베를린'],
    ['Russian', 'столица и крупнейший ГОРОД', 'Берлин'],
    ['Ukrainian without its accent', 'берлін столиця', 'Берлін'],
    ['Arabic', 'العاصمة ألمانيا', 'برلين'],
    ['Hebrew without points', 'ברלין בירת', 'ברלין'],
    ['English', 'anarchism philosophy', 'Anarchism'],
  ])('finds a page by %s: %s', (_language, text, title) => {
    const query = store.search.parse({ text, limit: 5, namespaces: [0] })
    const { pages } = JSON.parse(store.search.answer(query, 5).toString()) as {
      pages: { title: string; excerpt: string }[]
    }
    expect(pages[0]?.title).toBe(title)
    expect(pages[0]?.excerpt).toContain('searchmatch')
  })
})
