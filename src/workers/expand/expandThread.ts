/** The expanding thread: opens the store, if there is one, and does one job at a time. Modules may hang it. */
import { parentPort, workerData } from 'node:worker_threads'
import type { LuaClock } from '../../render/lua/limits.js'
import { LimitReached } from '../../render/preprocessor/limits.js'
import { Store } from '../../storage/store.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { UserError } from '../../runtime/userError.js'
import { ownThreadNumber } from '../hosting/systemThreads.js'
import { openLua, threadClock } from '../html/luaThread.js'
import { renderedFiles } from '../html/renderSource.js'
import { BareWiki, type ExpandedWiki, FolderWiki, StoreWiki } from './expandedWiki.js'
import type { ExpandAnswer, ExpandGreeting, ExpandJob, ExpandStart } from './expandTasks.js'
import { TextExpander } from './textExpander.js'

if (parentPort === null) throw new Error('the expander runs as a thread')
const port = parentPort
const greet = (greeting: ExpandGreeting): void => port.postMessage(greeting)
const { dataDir, pagesDir, renderSettings, interrupt } = workerData as ExpandStart

/** The message of an error that the user can mend. Throws other errors. */
function reasonOf(error: unknown): string {
  if (error instanceof UserError || error instanceof LimitReached) return error.message
  if (isSystemError(error)) return describeSystemError(error)
  throw error
}

function openWiki(): ExpandedWiki {
  const under =
    dataDir === undefined ? new BareWiki() : new StoreWiki(Store.open(dataDir), renderedFiles(renderSettings))
  return pagesDir === undefined ? under : new FolderWiki(pagesDir, under)
}

/** Of this thread. The console's user can interrupt a line. */
function interruptibleClock(): LuaClock {
  const flag = new Int32Array(interrupt)
  return { ...threadClock(), isInterrupted: () => Atomics.load(flag, 0) !== 0 }
}

function work(expander: TextExpander, job: ExpandJob): ExpandAnswer {
  try {
    return expander.run(job)
  } catch (error) {
    return { result: 'refused', reason: reasonOf(error) }
  }
}

try {
  const wiki = openWiki()
  greet({ opened: true })
  // Reports files that are no pages before the first text.
  wiki.source(0)
  const expander = new TextExpander(
    wiki,
    openLua(renderSettings, { clock: interruptibleClock(), keepsTracebacks: true }),
  )
  port.on('message', (job: ExpandJob) => port.postMessage(work(expander, job)))
  greet({ ready: true, threadNumber: ownThreadNumber() })
} catch (error) {
  greet({ unusable: reasonOf(error) })
}
