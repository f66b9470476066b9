/** Has the environment of a store open, as a server of an older version has, until it is ended. Argument: the folder of the store. */
import { open } from 'lmdb'

const root = open({ path: process.argv[2], maxDbs: 64, maxReaders: 1024 })
const table = root.openDB('meta', { encoding: 'binary', keyEncoding: 'binary' })
table.getBinary(Buffer.from('format'))
process.stdout.write('open\n')
setInterval(() => table.getBinary(Buffer.from('format')), 60_000)
