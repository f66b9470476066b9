/** A real browser for tests: Debian's Chromium, with a page that notes everything it should not do. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterFile } from './cleanUp.js'

const PATHS = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser's program; undefined where there is none, so tests that need it are skipped. */
export const CHROMIUM = PATHS.find((path) => path !== '' && existsSync(path))

/** No access to the network: nothing but pages of tests is ever asked for. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** A browser that ends with the tests of the file. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM!, args: FLAGS })
  afterFile(() => browser.close())
  return browser
}

export interface Watched {
  readonly page: Page
  /** Messages of the console, errors of scripts, and requests to other servers. */
  readonly complaints: readonly string[]
}

/** A new page of a browser without memory. `origin` is the only server that it may ask. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ baseURL: origin, ...options })
  // Vitest ends what hangs.
  context.setDefaultTimeout(0)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    // The warning before an unsaved text is left.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && url.origin !== origin) complaints.push(`request: ${request.url()}`)
  })
  return { page, complaints }
}
