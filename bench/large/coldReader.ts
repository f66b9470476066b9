/**
 * Reads random pages of a large store at a steady pace, hardly any twice, and prints the latencies as JSON. A process of
 * its own, so that it does not delay the reads that are measured beside it.
 *
 *     node coldReader.js ORIGIN PAGES READS_PER_SECOND SECONDS SEED
 */
import { randomNumbers } from '../support/random.js'
import { probeReads } from '../support/readProbe.js'
import { dbkeyOf } from './madePages.js'

/** Sources and histories in turn. */
const ROUTES = ['', '/history']

const [origin = '', ...numbers] = process.argv.slice(2)
const [pages = 0, readsPerSecond = 0, seconds = 0, seed = 0] = numbers.map(Number)
const random = randomNumbers(seed)
const paths = Array.from({ length: Math.round(readsPerSecond * seconds) }, (_, n) => {
  const page = 1 + Math.floor(random() * pages)
  return `/v1/page/${dbkeyOf(page)}${ROUTES[n % ROUTES.length]}`
})
console.log(JSON.stringify(await probeReads({ origin, paths, readsPerSecond, seconds })))
