/** Does the jobs of the expanding thread: expands texts, and runs lines of a console. */
import { parseTitle } from '../../domain/title.js'
import { toSeconds } from '../../domain/timestamp.js'
import type { LuaPage } from '../../render/lua/page.js'
import type { LuaRuntime } from '../../render/lua/runtime.js'
import type { Expander } from '../../render/preprocessor/expander.js'
import { DEFAULT_LIMITS, type Limits } from '../../render/preprocessor/limits.js'
import { Preprocessor } from '../../render/preprocessor/preprocessor.js'
import type { PageFacts, WikiSource } from '../../render/preprocessor/source.js'
import { TreeCache } from '../../render/preprocessor/treeCache.js'
import { UserError } from '../../runtime/userError.js'
import type { EvaluatedLine, ExpandAnswer, ExpandedText, ExpandJob } from './expandTasks.js'
import type { ExpandedWiki } from './expandedWiki.js'

/** The job names a title that no page can have. */
class ExpandError extends UserError {
  override readonly name = 'ExpandError'
}

/** A session in a console may take so many times what a page may. */
const CONSOLE_LIMITS = 100

export class TextExpander {
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
