/** Unpacks a dump as the importer does, with the bzip2 decoder that is named, and counts the bytes. Run as a process. */
import type { Bzip2Decoder } from '../../src/dump/bunzip2.js'
import { openDump } from '../../src/dump/openDump.js'

const [path, decoder] = process.argv.slice(2)
if (path === undefined || decoder === undefined) throw new Error('usage: unpackDump DUMP DECODER')

const source = await openDump(path, { bzip2Decoder: decoder as Bzip2Decoder })
let bytes = 0
for await (const piece of source.stream) bytes += piece.length
await source.close()
console.log(String(bytes))
