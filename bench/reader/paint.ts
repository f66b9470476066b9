/**
 * First paint of real articles in Chromium on a slow connection, with bytes and requests, beside kiwix-serve with the
 * same pages. See bench/README.md. `SCREENSHOTS=FOLDER` keeps a picture of each.
 */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, CDPSession } from 'playwright-core'
import { CHROMIUM, startChromium } from '../../test/support/chromium.js'
import { endFile } from '../../test/support/cleanUp.js'
import { kiwixPath, missingForKiwix, startKiwixFolder } from '../support/kiwix.js'
import { readOptions } from '../support/options.js'
import { NOTHING_PINNED } from '../support/pinning.js'
import { findDump, PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { type Summary, summariseFigures } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import { writeBook } from './book.js'

const DUMP = 'demo-wikipedia-sample.xml.bz2'
const PAGES = 10
/** A slow mobile connection, as in Lighthouse. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }
const TIMEOUT_MS = 120_000
const WINDOW = { width: 1280, height: 900 }
const { rounds = 3 } = readOptions()
const screenshots = process.env['SCREENSHOTS']

/** Where the pages are: an address for each. */
interface Side {
  readonly name: string
  readonly addresses: readonly string[]
}

interface Visit {
  readonly side: string
  readonly page: string
  readonly paintMs: number
  readonly loadMs: number
  readonly requests: number
  readonly bytes: number
}

async function measure(sandbox: Sandbox, dumpPath: string): Promise<void> {
  const dataDir = join(sandbox.folder('paint'), 'wiki')
  cpSync(await cachedStore(sandbox, dumpPath), dataDir, { recursive: true })
  const serve = ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'error']
  const { greeting } = await sandbox.serve(PALIMPSEST, serve, /(http:\/\/127\.0\.0\.1:\d+)\//)
  const origin = greeting[1]!
  const titles = await longestTitles(origin)
  const addresses = titles.map((title) => `${origin}/wiki/${encodeURIComponent(title)}`)
  const sides: Side[] = [{ name: 'palimpsest', addresses }]
  const missing = missingForKiwix()
  if (missing.length > 0) console.log(`${missing.join(' and ')} missing: not measured beside kiwix-serve.`)
  else {
    const folder = sandbox.folder('book')
    await writeBook(folder, origin, addresses)
    const { origin: kiwix } = await startKiwixFolder(sandbox, NOTHING_PINNED, folder)
    sides.push({ name: 'kiwix-serve', addresses: titles.map((_, n) => kiwix + kiwixPath(n)) })
  }
  const browser = await startChromium()
  const visits: Visit[] = []
  for (let round = 0; round < rounds; round++)
    for (const [n, title] of titles.entries())
      for (const { name, addresses: own } of sides)
        visits.push({
          side: name,
          page: title,
          ...(await visit(browser, own[n]!, pictureOf(round, n, name))),
        })
  report(visits, sides)
  writeResult('reader-paint', { setup: { rounds, PAGES, NETWORK, dump: DUMP }, samples: visits, summary: {} })
}

/** The articles with the longest HTML. Each is then rendered and kept. */
async function longestTitles(origin: string): Promise<string[]> {
  const sizes: { title: string; bytes: number }[] = []
  for (const title of await allTitles(origin)) {
    const answer = await fetch(`${origin}/v1/page/${encodeURIComponent(title)}/html`)
    if (answer.ok) sizes.push({ title, bytes: (await answer.arrayBuffer()).byteLength })
  }
  const sorted = sizes.sort((one, other) => other.bytes - one.bytes)
  // Every third one, so that shorter articles are among them.
  return sorted
    .filter((_, n) => n % 3 === 0)
    .slice(0, PAGES)
    .map(({ title }) => title)
}

async function allTitles(origin: string): Promise<string[]> {
  const list = await (await fetch(`${origin}/sitemap.xml`)).text()
  const parts = [...list.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url!).pathname)
  const pages: string[] = []
  for (const part of parts) {
    const text = await (await fetch(origin + part)).text()
    pages.push(
      ...[...text.matchAll(/<loc>[^<]*\/wiki\/([^<]+)<\/loc>/g)].map(([, key]) => decodeURIComponent(key!)),
    )
  }
  return pages.slice(0, 60)
}

const pictureOf = (round: number, n: number, side: string): string | undefined =>
  screenshots === undefined || round > 0
    ? undefined
    : join(screenshots, `${n}-${side.replaceAll(/[ ,]+/g, '-')}.png`)

type Times = Pick<Visit, 'paintMs' | 'loadMs'>

/** Runs in the browser. */
const READ_TIMES = `({
  paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  loadMs: performance.getEntriesByType('navigation')[0].loadEventEnd,
})`

/** Opens a page with an empty cache. Bytes are those on the wire, with headers. */
async function visit(
  browser: Browser,
  address: string,
  picture: string | undefined,
): Promise<Omit<Visit, 'side' | 'page'>> {
  const context = await browser.newContext({ viewport: WINDOW })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    const wire = countBytes(session)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', NETWORK)
    const answer = await page.goto(address, { waitUntil: 'networkidle', timeout: TIMEOUT_MS })
    if (answer?.status() !== 200) throw new Error(`${address} answered ${answer?.status()}`)
    const times = await page.evaluate<Times>(READ_TIMES)
    if (picture !== undefined) await page.screenshot({ path: picture })
    return { ...times, ...wire }
  } finally {
    await context.close()
  }
}

/** Counts what a page gets, from now on. */
function countBytes(session: CDPSession): { requests: number; bytes: number } {
  const wire = { requests: 0, bytes: 0 }
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    wire.requests++
    wire.bytes += encodedDataLength
  })
  return wire
}

function report(visits: readonly Visit[], sides: readonly Side[]): void {
  const rows = sides.map(({ name }) => {
    const own = visits.filter(({ side }) => side === name)
    const figures: Record<'paint' | 'load' | 'requests' | 'kilobytes', Summary> = summariseFigures(own, {
      paint: ({ paintMs }) => paintMs,
      load: ({ loadMs }) => loadMs,
      requests: ({ requests }) => requests,
      kilobytes: ({ bytes }) => bytes / 1000,
    })
    const { paint, load, requests, kilobytes } = figures
    return [name, ...[paint, load, requests, kilobytes].map((figure) => formatSummary(figure, 0))]
  })
  printTable(['pages of', 'first paint, ms', 'loaded, ms', 'requests', 'kB on the wire'], rows)
}

const sandbox = new Sandbox()
try {
  const dump = findDump(DUMP)
  if (dump === undefined) console.log(`not measured: ${DUMP} is missing`)
  else if (CHROMIUM === undefined) console.log('not measured: no chromium (Debian: apt install chromium)')
  else {
    if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true })
    await measure(sandbox, dump)
  }
} finally {
  await endFile()
  await sandbox.close()
}
