/**
 * Where a server process begins: it hears its supervisor, and notices when that is gone, before it loads anything else.
 * The terminal sends its signals to all processes of a group; the supervisor handles SIGINT and SIGHUP.
 */
import { Worker } from 'node:worker_threads'
import type { ToServer } from './messages.js'
import { ORPHAN_MS } from './orphanTimes.js'

const early: ToServer[] = []
/** Until the program is loaded there is nothing to finish. */
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

/** The supervisor gives its number as the second argument; one of an earlier version gave none. */
function guardAgainstOrphanage(): void {
  const supervisorPid = Number(process.argv[3] ?? process.ppid)
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }
  new Worker(new URL('./orphanGuard.js', import.meta.url), {
    workerData: supervisorPid,
    resourceLimits,
  }).unref()
}
