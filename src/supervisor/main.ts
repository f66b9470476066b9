/**
 * Entry point of a server process. Before it loads anything else, it listens to its supervisor and watches for its end.
 * The terminal sends signals to all processes of a group; the supervisor handles SIGINT and SIGHUP, so they are ignored
 * here.
 */
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { compiledFile } from '../runtime/packageFiles.js'
import type { ToServer } from './messages.js'
import { ORPHAN_MS } from './orphanTimes.js'

// The flag of the first line of `bin/palimpsest` is for the main thread alone.
setFlagsFromString('--max-semi-space-size=0')
const early: ToServer[] = []
/** Until the program is loaded, there is nothing to finish. */
let take = (message: ToServer): void => {
  if (message.kind === 'stop') process.exit(0)
  early.push(message)
}
let abandon = (): void => process.exit(0)

process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('SIGTERM', () => take({ kind: 'stop' }))
process.on('message', (message: ToServer) => take(message))
process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_MS)
  abandon()
})
guardAgainstOrphanage()

const { ServerProgram } = await import('./serverProgram.js')
const program = new ServerProgram()
take = (message) => program.take(message)
abandon = () => program.abandon()
early.forEach(take)

/** The supervisor passes its process id as the second argument. Supervisors of earlier versions pass none. */
function guardAgainstOrphanage(): void {
  const supervisorPid = Number(process.argv[3] ?? process.ppid)
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }
  new Worker(compiledFile('supervisor/orphanGuard.ts'), {
    workerData: supervisorPid,
    resourceLimits,
  }).unref()
}
