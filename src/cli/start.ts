/**
 * Entry point of `palimpsest`. A server takes over its signals before it loads anything else, since loading takes a
 * third of a second. A signal ends every other command by default.
 */
import { ServeSignals } from './serve/signals.js'

const signals = process.argv[2] === 'serve' ? new ServeSignals() : undefined
const { runCommand } = await import('./main.js')
await runCommand(signals)
