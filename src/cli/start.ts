/**
 * Entry point of `palimpsest`. A server takes over its signals before it loads anything else, since loading takes a
 * third of a second. A signal ends every other command by default.
 */
import { setFlagsFromString } from 'node:v8'
import { ServeSignals } from './serve/signals.js'

// The flag of the first line of `bin/palimpsest` is for the main thread alone: see docs/architecture/latency.md.
setFlagsFromString('--max-semi-space-size=0')
const signals = process.argv[2] === 'serve' ? new ServeSignals() : undefined
const { runCommand } = await import('./main.js')
await runCommand(signals)
