/** Random pages of a dump, as paths of the API and as files with the same bytes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDump } from '../../src/dump/openDump.js'
import { readDump } from '../../src/dump/readDump.js'
import { drawSome, randomNumbers } from './random.js'

/** Longest file name of the usual file systems, in bytes. */
const MAX_NAME_BYTES = 255
const SEED = 20_090_705
const ROUTE = 'v1/page'

/**
 * URL forms of at most `count` random titles of a dump, with redirects, in random order. Always the same ones. Leaves
 * out titles that cannot be one file name, because of a slash or their length.
 */
export async function drawPageKeys(dump: string, count: number): Promise<string[]> {
  const source = await openDump(dump)
  const keys: string[] = []
  try {
    for await (const event of readDump(source)) {
      if (event.type !== 'page' || event.page.part > 0) continue
      const key = event.page.title.replaceAll(' ', '_')
      if (!key.includes('/') && Buffer.byteLength(key) <= MAX_NAME_BYTES) keys.push(key)
    }
  } finally {
    await source.close()
  }
  return drawSome(keys, count, randomNumbers(SEED))
}

/** Path of a page's source, percent-encoded. It is the same in the API and on a server of the files below. */
export const pagePath = (key: string): string => `/${ROUTE}/${encodeURIComponent(key)}`

/** Bodies of all pages, in the order of the keys. Throws if an answer is not 200. */
export async function fetchPages(origin: string, keys: readonly string[]): Promise<Buffer[]> {
  const bodies: Buffer[] = []
  for (const key of keys) {
    const response = await fetch(origin + pagePath(key))
    if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}`)
    bodies.push(Buffer.from(await response.arrayBuffer()))
  }
  return bodies
}

/** Writes bodies as files, so that a static server with this root has the same paths. */
export function writePages(root: string, keys: readonly string[], bodies: readonly Buffer[]): void {
  const folder = join(root, ROUTE)
  mkdirSync(folder, { recursive: true })
  keys.forEach((key, n) => writeFileSync(join(folder, key), bodies[n]!))
}
