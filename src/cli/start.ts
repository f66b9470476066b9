/**
 * Where `palimpsest` begins: a server takes SIGHUP before anything else is loaded, which takes a third of a second, since
 * the signal would end it. Every other command ends with it.
 */
import { takeHangUps } from './serve/hangUps.js'

const hangUps = process.argv[2] === 'serve' ? takeHangUps() : undefined
const { runCommand } = await import('./main.js')
await runCommand(hangUps)
