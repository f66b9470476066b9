/**
 * A render thread: opens the stores of the wikis for itself and does one job at a time. An error that escapes the job
 * ends the thread, and fails the request. The engine's own promises can throw where nobody can catch.
 */
import { memoryUsage } from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { Store } from '../../storage/store.js'
import type { Renderer } from './renderer.js'
import type {
  RenderAnswer,
  RenderReady,
  RenderResult,
  RenderSettings,
  RenderStart,
  RenderWiki,
  StoreOpened,
  ThreadJob,
} from './renderTasks.js'
import { ModuleBlocks, moduleGuard, RunningModule } from './moduleBlocks.js'
import { OpenWikis } from '../hosting/openWikis.js'
import { letEventLoopGoFirst, ownThreadNumber } from '../hosting/systemThreads.js'
import { StalledError, StallWatch } from '../hosting/stallWatch.js'

if (parentPort === null) throw new Error('the renderer runs as a thread')
const port = parentPort
const { wikis, niceness, moduleBlocks, runningModule } = workerData as RenderStart
letEventLoopGoFirst(niceness)

/** A wiki that this thread has open. */
class OpenWiki {
  readonly store: Store
  readonly #settings: RenderSettings
  #renderer: Renderer | undefined

  constructor({ dataDir, renderSettings }: RenderWiki) {
    this.store = Store.open(dataDir)
    this.#settings = renderSettings
  }

  /** Made for its first job, since the engine is not loaded before. */
  renderer(): Renderer {
    return (this.#renderer ??= makeRenderer(this.store, this.#settings))
  }
}

const openWikis = new OpenWikis(wikis, (wiki) => new OpenWiki(wiki))
// Native code is loaded, so from now on the thread may be ended. Loading the engine takes another second.
const opened: StoreOpened = { opened: true }
port.postMessage(opened)
const { loadParsoid } = await import('../../render/parsoid/loadPackage.js')
const { Renderer: PageRenderer } = await import('./renderer.js')
const { renderedFiles } = await import('./renderSource.js')
const { openLua } = await import('./luaThread.js')

const parsoid = loadParsoid()
/** Its settings are the same for all wikis of a server. */
const guard = moduleGuard(new ModuleBlocks(moduleBlocks), new RunningModule(runningModule))
const modules = openLua(wikis[0]!.renderSettings, { guard })

function makeRenderer(store: Store, settings: RenderSettings): Renderer {
  return new PageRenderer(store, parsoid, { files: renderedFiles(settings), settings, modules })
}

/** Renders a small text first: the first rendering takes a second, mostly for the engine's grammar. */
const WARM_UP = "== A ==\n* [[B]] ''c''\n{|\n| d\n|}\n<ref>e</ref>"

await openWikis
  .first()
  .renderer()
  .run({ task: 'toHtml', wikitext: WARM_UP, title: 'A', bodyOnly: true, nowMs: 0 })
const ready: RenderReady = { ready: true, threadNumber: ownThreadNumber() }
port.postMessage(ready)

const STALLED: RenderResult = { result: 'limit', reason: 'a part that the engine never finishes' }
const watch = new StallWatch(port)

port.on('message', (job: ThreadJob) => {
  void work(job).then((outcome) => {
    const answer: RenderAnswer = { outcome, heapBytes: memoryUsage().heapUsed }
    port.postMessage(answer, buffersOf(outcome))
  })
})

async function work(job: ThreadJob): Promise<RenderResult> {
  try {
    return await watch.run(() => openWikis.get(job.wiki).renderer().run(job))
  } catch (error) {
    if (error instanceof StalledError) return STALLED
    throw error
  }
}

/** Memory to move rather than copy. */
function buffersOf(outcome: RenderResult): ArrayBuffer[] {
  if (outcome.result === 'text') return [outcome.bytes.buffer as ArrayBuffer]
  if (outcome.result !== 'rendering') return []
  const { packedHtml, outline, languageMenu, bundle } = outcome.rendering
  const all = [packedHtml, outline, bundle, ...(languageMenu === undefined ? [] : [languageMenu.packed])]
  return all.map(({ buffer }) => buffer as ArrayBuffer)
}
