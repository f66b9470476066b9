/** kiwix-serve with a file of given pages: one thread, on the core of the servers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { findProgram } from './machine.js'
import { freePort } from './ports.js'
import type { Pinning } from './pinning.js'
import type { Sandbox } from './sandbox.js'

const HOST = '127.0.0.1'
const BOOK = 'pages'
const PACKER = 'zimwriterfs'
const SERVER = 'kiwix-serve'

/** The programs that are missing; empty if all are there. */
export const missingForKiwix = (): string[] =>
  [PACKER, SERVER].filter((program) => findProgram(program) === undefined)

/** Path of a page by its number. */
export const kiwixPath = (n: number): string => `/${BOOK}/${n}.html`

/** Packs pages, and serves them. Throws if a program fails. */
export async function startKiwix(
  sandbox: Sandbox,
  pinning: Pinning,
  pages: readonly Buffer[],
): Promise<{ readonly group: number; readonly origin: string }> {
  const source = sandbox.folder('kiwix-pages')
  pages.forEach((page, n) => writeFileSync(join(source, `${n}.html`), page))
  return startKiwixFolder(sandbox, pinning, source)
}

/** Packs a folder of files whose first page is `0.html`, and serves it. Throws if a program fails. */
export async function startKiwixFolder(
  sandbox: Sandbox,
  { pin, serverCore }: Pinning,
  source: string,
): Promise<{ readonly group: number; readonly origin: string }> {
  const folder = sandbox.folder('kiwix')
  const picture = { width: 48, height: 48, channels: 3, background: '#fff' } as const
  await sharp({ create: picture }).png().toFile(join(source, 'icon.png'))
  const file = join(folder, `${BOOK}.zim`)
  const facts = [
    '-w',
    '0.html',
    '-I',
    'icon.png',
    '-l',
    'eng',
    '-t',
    BOOK,
    '-d',
    BOOK,
    '-c',
    BOOK,
    '-p',
    BOOK,
  ]
  const { status } = await sandbox.run(PACKER, [...facts, '-j', source, file])
  if (status !== 0) throw new Error(`${PACKER} failed`)
  const port = await freePort()
  const place = ['--address', HOST, '--port', String(port), '--threads', '1']
  const { pid } = await sandbox.serve(...pin(serverCore, SERVER, [...place, file]), /is running/)
  return { group: pid, origin: `http://${HOST}:${port}` }
}
