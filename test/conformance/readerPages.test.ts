/** Real pages in Chromium: people can read their texts in both themes, and they fit a phone. */
// @module-tag browser
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { openDump } from '../../src/dump/openDump.js'
import { Links } from '../../src/reader/links.js'
import { pagesOf, readAll } from '../dump/dumpText.js'
import { CHROMIUM, openPage, startChromium } from '../support/chromium.js'
import { folderOfFile } from '../support/cleanUp.js'
import { describeShared } from '../support/shared.js'
import { startServer } from './garden.js'

const PAGES = 100
/** What can make a text hard to read: tables, pictures, formulas, colours and floats. */
const RISKS = /\{\||\[\[(?:File|Image):|<math|style ?=|bgcolor|^\*{5}/gim
const LEAST_CONTRAST = 3
const LEAST_WIDTH = 100
const MOST_SHIFT = 0.02
const PHONES = [360, 390]

const PROBE = readFileSync(join(import.meta.dirname, '../support/pageFaults.mjs'), 'utf8')

interface FaintText {
  readonly words: string
  readonly contrast: number
  readonly hasOwnColor: boolean
}

/** The articles of a dump with the most risks. */
async function riskyTitles(dump: string): Promise<string[]> {
  const { events } = await readAll(await openDump(dump))
  return pagesOf(events)
    .filter(({ namespace, redirectTarget }) => namespace === 0 && redirectTarget === null)
    .map(({ title, revisions }) => ({ title, risks: revisions.at(-1)?.text?.match(RISKS)?.length ?? 0 }))
    .sort((one, other) => other.risks - one.risks)
    .slice(0, PAGES)
    .map(({ title }) => title)
}

const look = <Faults>(page: Page, what: string): Promise<Faults> =>
  page.evaluate<Faults>(`pageFaults.${what}`)

describeShared('real pages', 'corpus/demo-wikipedia-sample.xml.bz2', (dump) => {
  describe.skipIf(CHROMIUM === undefined)('in Chromium (skipped where there is none)', () => {
    let page: Page
    let titles: string[]
    beforeAll(async () => {
      const dataDir = folderOfFile()
      await importDumps({ dataDir, paths: [dump] })
      const { base } = await startServer(dataDir)
      page = (await openPage(await startChromium(), base, { bypassCSP: true })).page
      await page.addInitScript(PROBE)
      titles = await riskyTitles(dump)
      expect(titles).toHaveLength(PAGES)
    })

    /** Opens a page with all its sections, and tells what moved while it loaded. */
    async function open(title: string, width: number): Promise<string[]> {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(new Links('').page(title))
      const moved = await look<string[]>(page, `shifts(${MOST_SHIFT})`)
      await page.evaluate(`for (const fold of document.querySelectorAll('.fold')) fold.click()`)
      return moved
    }

    /** Reads a page in one theme. */
    async function faintTexts(colorScheme: 'light' | 'dark'): Promise<FaintText[]> {
      await page.emulateMedia({ colorScheme })
      return look(page, `lowContrasts(${LEAST_CONTRAST})`)
    }

    test('every text has contrast in both themes, unless the page chose its colours', async () => {
      const faults: Record<string, unknown> = {}
      for (const title of titles) {
        await open(title, 1280)
        const light = await faintTexts('light')
        const known = new Set(light.map(({ words }) => words))
        const faint = [
          ...light.filter(({ hasOwnColor }) => !hasOwnColor),
          ...(await faintTexts('dark')).filter(({ words }) => !known.has(words)),
        ]
        if (faint.length > 0) faults[title] = faint
      }
      expect(faults).toEqual({})
    })

    test.each(PHONES)(
      'nothing is wider than a phone of %i px, floats leave room for text, and nothing moves',
      async (width) => {
        const faults: Record<string, unknown> = {}
        for (const title of titles) {
          const moved = await open(title, width)
          const wide = await look<string[]>(page, 'wideElements()')
          const narrow = await look<string[]>(page, `narrowTexts(${LEAST_WIDTH})`)
          if (wide.length + narrow.length + moved.length > 0) faults[title] = { wide, narrow, moved }
        }
        expect(faults).toEqual({})
      },
    )
  })
})
