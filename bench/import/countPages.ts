/** The importer's reader alone: unpacks a dump and reads its pages, but stores nothing. Run as a process. */
import { openDump } from '../../src/dump/openDump.js'
import { readDump } from '../../src/dump/readDump.js'

/** Numbers of pages and revisions in a dump. */
export interface DumpCounts {
  pages: number
  revisions: number
  xmlBytes: number
}

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: countPages DUMP')

const source = await openDump(path)
const counts: DumpCounts = { pages: 0, revisions: 0, xmlBytes: 0 }
for await (const event of readDump(source)) {
  if (event.type !== 'page') continue
  if (event.page.part === 0) counts.pages++
  counts.revisions += event.page.revisions.length
}
counts.xmlBytes = source.xmlBytes()
await source.close()
console.log(JSON.stringify(counts))
