/**
 * Writes made pages into a store as an import does, without their index, and prints pages a second. A process of its
 * own, since its memory is bounded.
 *
 *     node writer.js DATA_DIR FIRST_PAGE WARM_UP PAGES
 *
 * The first WARM_UP pages come before the clock starts: the code is compiled then.
 */
import { DumpWriter } from '../../src/import/dumpWriter.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { MadePages } from './madePages.js'

const BATCH = 200

const [dataDir = '', ...numbers] = process.argv.slice(2)
const [first = 1, warmUp = 0, pages = 0] = numbers.map(Number)
const store = Store.open(dataDir, { create: true, readsApart: true })
const writer = new DumpWriter(store, new Applier(store, { indexLater: true }), `made from ${first}`)
const made = new MadePages()
let beganMs = performance.now()
for (let done = 0; done < warmUp + pages; done += BATCH) {
  if (done === warmUp) beganMs = performance.now()
  writer.writePages(Array.from({ length: BATCH }, (_, n) => made.page(first + done + n)))
}
console.log(pages / ((performance.now() - beganMs) / 1000))
writer.end(null)
await store.close()
