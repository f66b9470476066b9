/** The expanding thread: opens the store, if there is one, and does one job at a time. Modules may hang it. */
import { parentPort, workerData } from 'node:worker_threads'
import type { LuaClock } from '../../render/lua/limits.js'
import { LimitReached, DEFAULT_LIMITS, type Limits } from '../../render/preprocessor/limits.js'
import { Store } from '../../storage/store.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { UserError } from '../../runtime/userError.js'
import { ownThreadNumber } from '../hosting/systemThreads.js'
import { openLua, threadClock } from '../html/luaThread.js'
import { renderedFiles } from '../html/renderSource.js'
import { BareWiki, type ExpandedWiki, FolderWiki, StoreWiki } from './expandedWiki.js'
import type {
  ExpandAnswer,
  ExpandGreeting,
  ExpandJob,
  ExpandStart,
  EvaluatedLine,
  ExpandedText,
} from './expandTasks.js'
import { parseTitle } from '../../domain/title.js'
import { toSeconds } from '../../domain/timestamp.js'
import type { LuaPage } from '../../render/lua/page.js'
import type { LuaRuntime } from '../../render/lua/runtime.js'
import type { Expander } from '../../render/preprocessor/expander.js'
import { Preprocessor } from '../../render/preprocessor/preprocessor.js'
import type { PageFacts, WikiSource } from '../../render/preprocessor/source.js'
import { TreeCache } from '../../render/preprocessor/treeCache.js'

// Does the jobs of the expanding thread: expands texts, and runs lines of a console.

/** The job names a title that no page can have. */
class ExpandError extends UserError {
  override readonly name = 'ExpandError'
}

/** A session in a console may take so many times what a page may. */
const CONSOLE_LIMITS = 100

class TextExpander {
  readonly #wiki: ExpandedWiki
  readonly #modules: LuaRuntime | undefined
  readonly #trees = new TreeCache()
  #console: LuaPage | undefined

  constructor(wiki: ExpandedWiki, modules: LuaRuntime | undefined) {
    this.#wiki = wiki
    this.#modules = modules
  }

  run(job: ExpandJob): ExpandAnswer {
    const now = toSeconds(job.nowMs)
    return job.task === 'expand'
      ? { result: 'expanded', text: this.#expand(job.title, job.text, now) }
      : { result: 'evaluated', line: this.#evaluate(job.title, job.line, now) }
  }

  #expand(title: string, text: string, now: number): ExpandedText {
    let page: LuaPage | undefined
    const preprocessor = this.#preprocessor(title, now, (opened) => (page = opened))
    try {
      const { wikitext: expanded, categories } = preprocessor.expandForReaders(text)
      const { scriptErrors: errors, warnings, isWhole } = preprocessor.report
      return { expanded, categories, errors, warnings, log: page?.log.lines ?? [], isWhole }
    } finally {
      page?.close()
    }
  }

  #evaluate(title: string, line: string, now: number): EvaluatedLine {
    const page = (this.#console ??= this.#openConsole(title, now))
    const { error, shown, isStateLost = false, ...rest } = page.evaluate(line)
    return {
      isIncomplete: 'isIncomplete' in rest,
      log: page.log.take(),
      shown,
      error,
      traceback: 'traceback' in rest ? rest.traceback : [],
      isStateLost,
    }
  }

  /** Sees the wiki as it is now, to its end. */
  #openConsole(title: string, now: number): LuaPage {
    let page: LuaPage | undefined
    const { calls, steps, expandedLength, lookups } = DEFAULT_LIMITS
    const limits = {
      calls: CONSOLE_LIMITS * calls,
      steps: CONSOLE_LIMITS * steps,
      expandedLength: CONSOLE_LIMITS * expandedLength,
      lookups: CONSOLE_LIMITS * lookups,
    }
    const preprocessor = this.#preprocessor(title, now, (opened) => (page = opened), limits)
    preprocessor.openModules()
    if (page === undefined) throw new Error('a console without modules')
    return page
  }

  #preprocessor(
    title: string,
    now: number,
    onOpen: (page: LuaPage) => void,
    limits: Partial<Limits> = {},
  ): Preprocessor {
    const source = this.#wiki.source(now)
    const modules = this.#modules
    return new Preprocessor(pageOf(title, source), source, {
      cache: this.#trees,
      limits,
      ...(modules !== undefined && {
        modules: {
          open(expander: Expander) {
            const page = modules.open(expander)
            onOpen(page)
            return page
          },
        },
      }),
    })
  }
}

/** A page that a text is expanded for: it need not exist. */
function pageOf(text: string, source: WikiSource): PageFacts {
  const parsed = parseTitle(text, source.site.namespaces)
  if (!parsed.ok || parsed.title.namespace < 0) throw new ExpandError(`"${text}" is not the title of a page`)
  return { title: parsed.title, id: source.readPage(parsed.title)?.id, revision: undefined }
}

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
