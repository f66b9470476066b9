/**
 * Where `palimpsest` begins: a server takes its signals before anything else is loaded, since loading takes a third of
 * a second. Every other command ends with them, unless it says otherwise.
 */
import { ServeSignals } from './serve/signals.js'

const signals = process.argv[2] === 'serve' ? new ServeSignals() : undefined
const { runCommand } = await import('./main.js')
await runCommand(signals)
