/** Ends the engines of a bench when a signal ends the bench. Its sandbox ends everything else, and then the process. */
import { endFile } from '../../test/support/cleanUp.js'

export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void endFile())
}
