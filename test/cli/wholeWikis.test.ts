/**
 * Pages of real wikis can be rendered and made into text: some at random, and with THOROUGH all. What no test thought of stands in them.
 */
// @module-tag slow
import { expect, test } from 'vitest'
import { exportTexts } from '../../src/workers/texts/exportTexts.js'
import { rounds } from '../support/effort.js'
import { randomNumbers } from '../support/random.js'
import { RENDER_SETTINGS } from '../support/renderSettings.js'
import { describeShared } from '../support/shared.js'
import { importInto, openFolder, temporaryFolder } from '../support/store.js'

const PAGES = rounds(Infinity, 60)
const TIMEOUT_MS = rounds(3_600_000, 120_000)
const SEED = 20_261
/** Processor time for a page: on a busy machine, none fails for want of it. */
const RENDER_MS = 120_000

describeShared('a real wiki', 'corpus', (folder) => {
  test.each([
    'gdwiki-pages-articles.xml.gz',
    'demo-wikipedia-sample.xml.bz2',
    'mixed-pages-articles.xml.bz2',
  ])('has HTML and a text for each page: %s', { timeout: TIMEOUT_MS }, async (name) => {
    const dataDir = temporaryFolder()
    expect((await importInto(dataDir, [`${folder}/${name}`])).error).toBeUndefined()
    const store = openFolder(dataDir)
    const random = randomNumbers(SEED)
    const pageIds = [...store.lists.pageIds()]
    const chosen = pageIds.filter(() => random() < PAGES / pageIds.length)
    const titles = chosen.map((id) => store.getPageById(id)!)
    const failures: string[] = []
    const written: string[] = []
    const pages = exportTexts({
      ...{
        store,
        dataDir,
        renderSettings: RENDER_SETTINGS,
        format: 'text',
        threads: 2,
        timeoutMs: RENDER_MS,
      },
      ...{ namespaces: new Set(), titles, from: 0, signal: new AbortController().signal },
      ...{ nowMs: () => Date.now(), onFailure: (title, reason) => failures.push(`${title}: ${reason}`) },
    })
    for await (const { line } of pages) if (line !== undefined) written.push(line)
    await store.close()
    expect(failures).toEqual([])
    expect(written.length).toBeGreaterThan(0)
  })
})
