/**
 * The least work for any importer: unpacks a dump and parses it with saxes, which counts elements. Run as a process.
 */
import { SaxesParser } from 'saxes'
import { openDump } from '../../src/dump/openDump.js'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: countElements DUMP')

const source = await openDump(path)
const parser = new SaxesParser()
const decoder = new TextDecoder()
const counts = { elements: 0, textLength: 0 }
parser.on('opentag', () => counts.elements++)
parser.on('text', (text) => (counts.textLength += text.length))
parser.on('error', (error) => {
  throw error
})
for await (const bytes of source.stream) parser.write(decoder.decode(bytes, { stream: true }))
parser.close()
await source.close()
console.log(JSON.stringify(counts))
